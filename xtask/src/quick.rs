//! The checks between one edit and the next: the tests of a crate, clippy, and three games through the real program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::arena;
use crate::bots;
use crate::environment;
use crate::step;
use crate::toolchain;

/// The settings of cargo with which our own crates are compiled in seconds.
const SETTINGS: &str = ".cargo/quick.toml";

/// The bots of the three games: each plays each of the others.
const BOTS: [&str; 3] = ["bots/hunter.wasm", "bots/random.wasm", "bots/sweeper.wasm"];

/// The tests that take too long here: those in modules of this name.
const HEAVY: &str = "heavy::";

/// Folders whose files belong to a crate that is elsewhere: its name, and the folder.
const ELSEWHERE: [(&str, &str); 5] = [
    ("arena", "tests/program"),
    ("arena", "tests/remote"),
    ("arena", "tests/snapshots"),
    ("arena", "tests/workers"),
    ("arena-sandbox", "tests/zoo"),
];

/// Checks some crates, or those with changes since the last commit.
pub fn run(names: &[String]) -> Result<()> {
    let members = members()?;
    let crates = if names.is_empty() { changed(&members)? } else { named(names, &members)? };
    step::run_hidden(
        "checking the format (to fix it: `cargo fmt --all`)",
        environment::cargo().args(["fmt", "--all", "--check"]),
    )?;
    for name in &crates {
        step::run(&format!("testing {name}"), &mut tests(name)?)?;
        let mut clippy = cargo()?;
        clippy.args(["clippy", "--release", "--all-targets", "-p", name]).args(features(name));
        step::run(&format!("linting {name}"), clippy.args(["--", "-D", "warnings"]))?;
    }
    play()
}

/// A cargo that compiles our own crates quickly, beside the optimised ones. Both have the same dependencies.
pub fn cargo() -> Result<Command> {
    let target_dir = environment::target_dir()?;
    let path =
        |path: &Path| path.to_str().map(toml_string).context("the target directory's path is not text");
    let mut command = environment::cargo();
    command.arg("--config").arg(environment::root().join(SETTINGS));
    command.arg("--config").arg(format!("build.build-dir={}", path(&target_dir)?));
    command.arg("--config").arg(format!("build.target-dir={}", path(&target_dir.join("quick"))?));
    Ok(command)
}

/// A text as TOML has it.
fn toml_string(text: &str) -> String {
    format!("{text:?}")
}

/// The command that tests a crate.
fn tests(name: &str) -> Result<Command> {
    let mut command = cargo()?;
    command.args(["test", "--release", "--lib", "--bins", "--tests", "-p", name]).args(features(name));
    command.args(["--", "--skip", HEAVY]);
    Ok(command)
}

/// The features of a crate with everything in it.
fn features(name: &str) -> &'static [&'static str] {
    if name == "arena" { &arena::WITH_WORKERS } else { &[] }
}

/// Plays three games with the program.
fn play() -> Result<()> {
    let mut build = cargo()?;
    build.args(["build", "--release", "--workspace", "--bin", "arena"]).args(arena::WITH_WORKERS);
    step::run("building the arena", &mut build)?;
    if !BOTS.iter().all(|bot| environment::root().join(bot).is_file()) {
        bots::build()?;
    }
    let mut games = Command::new(environment::target_dir()?.join("quick/release/arena"));
    games.current_dir(environment::root()).arg("run").args(BOTS).args(["--games", "1", "--strict"]);
    step::run("playing three games", &mut games)
}

/// The crates of the workspace: the folder of each, relative to the root, and its name.
fn members() -> Result<Vec<(PathBuf, String)>> {
    let root =
        fs::read_to_string(environment::root().join("Cargo.toml")).context("cannot read Cargo.toml")?;
    let list = root.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    let (list, _) = list.context("Cargo.toml names no members")?;
    let folders = list.split('"').skip(1).step_by(2);
    folders.map(|folder| Ok((folder.into(), package_name(Path::new(folder))?))).collect()
}

/// The name of the package in a folder.
fn package_name(folder: &Path) -> Result<String> {
    let manifest = environment::root().join(folder).join("Cargo.toml");
    let text =
        fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    Ok(name.with_context(|| format!("{} has no name", manifest.display()))?.to_owned())
}

/// The crates that somebody names, with or without `arena-` before it.
fn named(names: &[String], members: &[(PathBuf, String)]) -> Result<BTreeSet<String>> {
    let find = |name: &String| {
        let mut matching = members.iter().map(|(_, member)| member);
        let found = matching.find(|member| *member == name || member.strip_prefix("arena-") == Some(name));
        let known: Vec<&str> = members.iter().map(|(_, member)| member.as_str()).collect();
        found.cloned().with_context(|| format!("there is no crate `{name}`, only {}", known.join(", ")))
    };
    names.iter().map(find).collect()
}

/// The crates with changes since the last commit.
fn changed(members: &[(PathBuf, String)]) -> Result<BTreeSet<String>> {
    let mut git = Command::new("git");
    git.args(["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"])
        .current_dir(environment::root());
    let files = step::output("listing changes", &mut git)?;
    let files = files.split('\0').filter_map(|line| line.get(3..));
    let crates: BTreeSet<String> = files.filter_map(|file| owner(Path::new(file), members)).collect();
    if crates.is_empty() {
        bail!("no crate has changed since the last commit. Name one, such as `cargo xtask quick rules`");
    }
    Ok(crates)
}

/// The crate to which a file belongs: the innermost folder decides.
fn owner(file: &Path, members: &[(PathBuf, String)]) -> Option<String> {
    let elsewhere = ELSEWHERE.iter().map(|(name, folder)| (Path::new(*folder), *name));
    let here = members.iter().map(|(folder, name)| (folder.as_path(), name.as_str()));
    let owners = here.chain(elsewhere).filter(|(folder, _)| file.starts_with(folder));
    owners.max_by_key(|(folder, _)| folder.components().count()).map(|(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_innermost_crate_above_it() {
        let members = members().unwrap();
        for (file, expect) in [
            ("rules/src/lib.rs", Some("arena-rules")),
            ("rules/tests/games/guide.txt", Some("arena-rules")),
            ("host/src/main.rs", Some("arena")),
            ("host/crates/tui/src/lib.rs", Some("arena-tui")),
            ("tests/program/zoo.rs", Some("arena")),
            ("tests/kit/src/lib.rs", Some("arena-testkit")),
            ("bots/submarine/sub-random/src/lib.rs", Some("sub-random")),
            ("README.md", None),
        ] {
            assert_eq!(owner(Path::new(file), &members).as_deref(), expect, "{file}");
        }
        for (name, folder) in ELSEWHERE {
            assert!(environment::root().join(folder).is_dir(), "{folder}");
            assert!(members.iter().any(|(_, member)| member == name), "{name}");
        }
    }

    #[test]
    fn a_crate_is_named_in_full_or_by_its_folder() {
        let members = members().unwrap();
        let names = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            named(&names, &members).map(|found| found.into_iter().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names(&["rules"]).unwrap(), "arena-rules");
        assert_eq!(names(&["arena-tui", "arena", "hunter"]).unwrap(), "arena arena-tui hunter");
        let error = names(&["rule"]).unwrap_err().to_string();
        assert!(error.contains("no crate `rule`, only arena-rules, arena, "), "{error}");
    }

    #[test]
    fn the_quick_build_has_a_folder_of_its_own_and_shares_the_dependencies() {
        let shown = step::show(&tests("arena").unwrap());
        let target = environment::target_dir().unwrap();
        assert!(shown.contains(&format!("build.build-dir=\"{}\"", target.display())), "{shown}");
        assert!(shown.contains(&format!("build.target-dir=\"{}/quick\"", target.display())), "{shown}");
        assert!(shown.contains(" -p arena --features arena/workers -- --skip heavy::"), "{shown}");
        assert!(environment::root().join(SETTINGS).is_file());
    }
}
