//! The licences of the crates in the program and the house bots. Most require that a copy of the program comes with their
//! notice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bots;
use crate::environment;
use crate::step;
use crate::toolchain::TARGET;

/// The beginnings of the names of files with a licence or a notice, in capitals.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// The text with all licences: a list of the crates, then each text once, under the crates that have it.
pub fn of_dependencies(platform: &str) -> Result<String> {
    let mut crates = dependencies(platform, &["arena".into()])?;
    let bots: Vec<String> = bots::crates()?
        .iter()
        .filter_map(|bot| Some(bot.file_name()?.to_string_lossy().into_owned()))
        .collect();
    crates.extend(dependencies(TARGET, &bots)?);

    let mut text = "The arena and its bots contain the standard library of Rust (MIT OR Apache-2.0), and these crates:\n\n".to_owned();
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, licence) in &crates {
        text += &format!("{name}: {licence}\n");
        for file in licence_files(&sources_of(name)?)? {
            let notice =
                fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            texts.entry(notice.replace('\r', "").trim().to_owned()).or_default().push(name);
        }
    }
    for (notice, names) in &texts {
        text += &format!("\n{}\n{}\n\n{notice}\n", "-".repeat(80), names.join(", "));
    }
    Ok(text)
}

/// The crates from the registry that some of the workspace's packages depend on, for a platform: `name-version`, and
/// the licence.
fn dependencies(platform: &str, packages: &[String]) -> Result<BTreeSet<(String, String)>> {
    let mut command = environment::cargo();
    command.args(["tree", "--locked", "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}\t{l}"]);
    command.args(["--target", platform]);
    for package in packages {
        command.args(["-p", package]);
    }
    let tree = step::output("listing the dependencies", &mut command)?;
    Ok(tree.lines().filter_map(read_dependency).collect())
}

/// A crate from the registry in a line of the tree, unless it is one of the arena, which has a path.
fn read_dependency(line: &str) -> Option<(String, String)> {
    let (package, licence) = line.split_once('\t')?;
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let is_ours = words.any(|word| word.starts_with("(/"));
    // A mark after the licence means that the crate is in the tree already.
    (!is_ours).then(|| (format!("{name}-{version}"), licence.trim_end_matches(" (*)").to_owned()))
}

/// The folder with the sources of a crate from a registry.
fn sources_of(name: &str) -> Result<PathBuf> {
    let registries = environment::cargo_home().context("cargo has no home")?.join("registry/src");
    let folders =
        fs::read_dir(&registries).with_context(|| format!("cannot read {}", registries.display()))?;
    let found = folders.flatten().map(|registry| registry.path().join(name)).find(|path| path.is_dir());
    found.with_context(|| format!("the sources of {name} are not in {}", registries.display()))
}

/// The files with licences in the folder of a crate.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        file.is_file() && NAMES.iter().any(|start| name.starts_with(start))
    });
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_the_registry_are_distinguished_from_the_workspaces() {
        let found = |name: &str, licence: &str| Some((name.to_owned(), licence.to_owned()));
        assert_eq!(read_dependency("libm v0.2.16\tMIT"), found("libm-0.2.16", "MIT"));
        assert_eq!(
            read_dependency("toml v1.2.1+spec-1.1.0\tMIT OR Apache-2.0 (*)"),
            found("toml-1.2.1+spec-1.1.0", "MIT OR Apache-2.0")
        );
        assert_eq!(read_dependency("arena-rules v0.1.0 (/home/me/arena/rules)\tMIT"), None);
        assert_eq!(read_dependency(""), None);
    }
}
