//! The files of the archive.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::{bom, clear, copy, licences};
use crate::book;
use crate::bots;
use crate::environment;
use crate::platforms::Platform;
use crate::step;

/// The README of the archive. Its commands are run when the archive is tried.
pub const README: &str = include_str!("README.md");

/// The files and folders of the repository that are in the archive at the same places: only their files in git.
///
/// The contracts, the templates for bots and the SDK are in the program: see `arena wit` and `arena new`.
const SOURCES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "SECURITY.md"];

/// The folder of the archive for the book of the guide.
const GUIDE: &str = "share/doc/arena/guide";

/// The completions: the shell, and the file under `share` in which it looks for those of installed programs.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/arena"),
    ("fish", "fish/vendor_completions.d/arena.fish"),
    ("zsh", "zsh/site-functions/_arena"),
];

/// The systems on which a program runs that was built on Debian 12 with its own tools.
pub const BUILT_HERE: &str = "Linux on x86-64 with glibc 2.36 or later, such as Debian 12";

/// Gathers the files of the archive for a platform in a folder, which is emptied first. `own` is a program that runs on this machine, and
/// writes the manual pages.
pub fn gather(own: &Path, program: &Path, platform: &Platform, folder: &Path) -> Result<()> {
    clear(folder)?;
    for file in sources()? {
        copy(&environment::root().join(&file), &folder.join(&file))?;
    }
    for bot in bots::crates()? {
        let component = bots::component(&bot);
        copy(&environment::root().join(&component), &folder.join(&component))?;
    }
    let pages = book::build()?;
    for file in book::files(&pages)? {
        copy(&pages.join(&file), &folder.join(GUIDE).join(&file))?;
    }
    copy(program, &folder.join("bin").join(platform.program()))?;
    let share = folder.join("share");
    step::run_hidden("writing manual pages", Command::new(own).arg("man").arg(share.join("man/man1")))?;
    for (shell, place) in COMPLETIONS {
        let name = format!("writing completions for {shell}");
        let script = step::output(&name, Command::new(own).args(["completions", shell]))?;
        write(&share.join(place), &script)?;
    }
    write(&share.join("doc/arena/third-party-licences.txt"), &licences::of_dependencies(platform.target)?)?;
    write(&folder.join("README.md"), &README.replace("{systems}", platform.systems))
}

/// Adds the bill of materials of the program for a platform.
pub fn add_bill(target: &str, folder: &Path) -> Result<()> {
    write(&folder.join("share/doc/arena/arena.cdx.json"), &bom::of_program(target)?)
}

/// The paths of all files in [`SOURCES`], relative to the root.
fn sources() -> Result<Vec<String>> {
    let mut command = Command::new("git");
    command.arg("ls-files").args(SOURCES).current_dir(environment::root());
    Ok(step::output("listing the sources", &mut command)?.lines().map(str::to_owned).collect())
}

fn write(to: &Path, text: &str) -> Result<()> {
    let written = fs::create_dir_all(to.parent().unwrap_or(to)).and_then(|()| fs::write(to, text));
    written.with_context(|| format!("cannot write {}", to.display()))
}
