//! The files of the archive.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::{clear, licences};
use crate::bots;
use crate::environment;
use crate::step;

/// The README of the archive. Its commands are run when the archive is tried.
pub const README: &str = include_str!("README.md");

/// The files and folders of the repository that are in the archive at the same places: only what git has of them.
const SOURCES: [&str; 8] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "SECURITY.md",
    "examples/first-bot",
    "guest-sdk",
    "rules",
    "wit",
];

/// The members of the archive's workspace: the SDK and the crate that it is built on.
const MEMBERS: [&str; 2] = ["guest-sdk", "rules"];

/// The completions: the shell, and the file under `share` in which it looks for those of installed programs.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/arena"),
    ("fish", "fish/vendor_completions.d/arena.fish"),
    ("zsh", "zsh/site-functions/_arena"),
];

/// Gathers the files of the archive in a folder, which is emptied first.
pub fn gather(program: &Path, folder: &Path) -> Result<()> {
    clear(folder)?;
    for file in sources()? {
        copy(&environment::root().join(&file), &folder.join(&file))?;
    }
    for bot in bots::crates()? {
        let component = bots::component(&bot);
        copy(&environment::root().join(&component), &folder.join(&component))?;
    }
    copy(program, &folder.join("bin/arena"))?;
    let share = folder.join("share");
    step::run_hidden("writing manual pages", Command::new(program).arg("man").arg(share.join("man/man1")))?;
    for (shell, place) in COMPLETIONS {
        let name = format!("writing completions for {shell}");
        let script = step::output(&name, Command::new(program).args(["completions", shell]))?;
        write(&share.join(place), &script)?;
    }
    write(&share.join("doc/arena/third-party-licences.txt"), &licences::of_dependencies()?)?;
    write(&folder.join("README.md"), README)?;
    let workspace = fs::read_to_string(environment::root().join("Cargo.toml"))?;
    write(&folder.join("Cargo.toml"), &manifest(&workspace))
}

/// The paths of all files in [`SOURCES`], relative to the root.
fn sources() -> Result<Vec<String>> {
    let mut command = Command::new("git");
    command.arg("ls-files").args(SOURCES).current_dir(environment::root());
    Ok(step::output("listing the sources", &mut command)?.lines().map(str::to_owned).collect())
}

/// The manifest of the archive's workspace: that of the repository, without comments and without each line that names a
/// folder of the repository which is not one of [`MEMBERS`]. The profiles at its end name crates that the archive lacks, too.
fn manifest(workspace: &str) -> String {
    let is_elsewhere =
        |word: &str| !word.is_empty() && !MEMBERS.contains(&word) && environment::root().join(word).is_dir();
    let is_kept = |line: &&str| {
        let mut quoted = line.split('"').skip(1).step_by(2);
        !line.starts_with('#') && !quoted.any(is_elsewhere)
    };
    let lines = workspace.lines().take_while(|line| !line.starts_with("[profile."));
    lines.filter(is_kept).map(|line| format!("{line}\n")).collect()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::create_dir_all(to.parent().unwrap_or(to)).and_then(|()| fs::copy(from, to));
    copied.with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

fn write(to: &Path, text: &str) -> Result<()> {
    let written = fs::create_dir_all(to.parent().unwrap_or(to)).and_then(|()| fs::write(to, text));
    written.with_context(|| format!("cannot write {}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_have_all_that_a_bot_is_built_from() {
        let sources = sources().unwrap();
        for file in [
            "examples/first-bot/Cargo.lock",
            "examples/first-bot/src/lib.rs",
            "guest-sdk/Cargo.toml",
            "rules/src/lib.rs",
            "wit/battleship/v0.1.0/battleship.wit",
        ] {
            assert!(sources.iter().any(|source| source == file), "{file}: {sources:?}");
        }
        assert!(!sources.iter().any(|source| source.contains("target/")), "{sources:?}");
    }

    #[test]
    fn the_workspace_of_the_archive_has_only_members_that_are_in_it() {
        let text = "# The workspace.\n[workspace]\nmembers = [\n    \"rules\",\n    \"host\",\n    \"guest-sdk\",\n]\n\
                    default-members = [\"host\"]\n[workspace.dependencies]\narena-rules = { path = \"rules\" }\n\
                    arena-files = { path = \"host/crates/files\" }\nrand = { features = [\"std\"] }\n\
                    [profile.release.package]\ntokio = { opt-level = 0 }\n";
        assert_eq!(
            manifest(text),
            "[workspace]\nmembers = [\n    \"rules\",\n    \"guest-sdk\",\n]\n[workspace.dependencies]\n\
             arena-rules = { path = \"rules\" }\nrand = { features = [\"std\"] }\n"
        );
    }
}
