//! The test of the archive on a bare Debian 12: a system with its essential packages and nothing else, made by mmdebstrap.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{clear, contents, unpack};
use crate::bots;
use crate::debian;
use crate::environment;
use crate::step;
use crate::toolchain::{self, TARGET, Toolchain};

/// The program that makes a Debian, and its package.
pub const MAKER: &str = "mmdebstrap";

/// The folder of a Debian for programs that are not Debian's.
const PLACE: &str = "opt";

/// Unpacks the archive on a bare Debian 12, builds a bot that its program makes, and runs the commands of its README there.
pub fn try_archive(archive: &Path, folder: &Path, toolchain: &Toolchain) -> Result<()> {
    let name = folder.file_name().context("the folder has a name")?;
    let image = image()?;
    let root = environment::target_dir()?.join("dist/debian-12");
    clear(&root)?;
    unpack(&image, &root)?;
    let place = root.join(PLACE);
    unpack(archive, &place)?;
    let folder = place.join(name);
    let bot = build_bot(&folder, toolchain)?;

    let cwd = Path::new("/").join(PLACE).join(name);
    let own = [format!("bin/arena check {bot}"), format!("bin/arena run {bot} bots/hunter.wasm --games 2")];
    for line in commands(contents::README).chain(own.iter().map(String::as_str)) {
        step::run(&format!("on a bare Debian 12: {line}"), &mut inside(&root, &cwd, line))?;
    }
    clear(&root)
}

/// The commands of the arena in a README that are for the folder of the archive.
fn commands(readme: &str) -> impl Iterator<Item = &str> {
    readme.lines().filter(|line| line.starts_with("bin/arena "))
}

/// A command, whose words are separated by spaces, in a separate system that has nothing of this one but its arguments.
pub fn inside(root: &Path, cwd: &Path, line: &str) -> Command {
    let mut command = Command::new("unshare");
    if !debian::is_root() {
        command.arg("--map-root-user");
    }
    command.args(["--mount", "--mount-proc", "--pid", "--fork"]);
    command.arg("--root").arg(root).arg("--wd").arg(cwd).args(line.split(' '));
    command.env_clear().env("HOME", "/root").env("PATH", "/usr/bin:/bin");
    // It is looked up on the path above, inside.
    command.current_dir("/");
    command
}

/// Builds a new bot with nothing but the archive, and returns its component's path, relative to the archive.
fn build_bot(folder: &Path, toolchain: &Toolchain) -> Result<String> {
    // The README makes another one, of the name that it shows.
    let name = "tried-bot";
    let mut command = Command::new(folder.join("bin/arena"));
    command.args(["new", name, "--lang", "rust"]).current_dir(folder);
    step::run("making a bot with the archive's program", &mut command)?;
    // The dependencies from the registry are those of the house bots, and are built.
    let target_dir = toolchain::target_dir()?;
    let mut command = toolchain.build(TARGET, &target_dir)?;
    command.arg("--locked").current_dir(folder.join(name));
    step::run("building the bot", &mut command)?;
    let built = toolchain::artifact(&target_dir, TARGET, Path::new(name));
    bots::read_component(&built)?;
    let bot = "tried-bot.wasm";
    fs::copy(&built, folder.join(bot)).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(bot.to_owned())
}

/// Installs the program that makes a Debian, if it is missing.
pub fn provide_maker() -> Result<()> {
    debian::require(MAKER, MAKER, "there is no program that makes a Debian", "nothing is tried on one")
}

/// The image of a bare Debian 12, a tar archive, which is made once.
fn image() -> Result<PathBuf> {
    let image = environment::target_dir()?.join("dist/debian-12.tar");
    if image.exists() {
        return Ok(image);
    }
    provide_maker().context(
        "the archive is made, but cannot be tried on a bare Debian 12. To leave it untried: `cargo xtask dist --no-test`",
    )?;
    // Under another name until it is whole.
    let part = image.with_extension("part.tar");
    let mut command = Command::new(MAKER);
    command.args(["--variant=essential", "bookworm"]).arg(&part);
    step::run_hidden("making a bare Debian 12", &mut command).context(
        "cannot make a bare Debian 12. Check the network; unless you are root, install `uidmap` too",
    )?;
    fs::rename(&part, &image)?;
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_of_the_archive_plays_keeps_and_verifies_games() {
        let commands: Vec<&str> = commands(contents::README).collect();
        for phrase in ["--version", "check --sandbox", "check bots/", "--journal", "verify ", "wit"] {
            assert!(commands.iter().any(|line| line.contains(phrase)), "{phrase}: {commands:?}");
        }
    }

    #[test]
    fn a_command_inside_has_none_of_our_variables() {
        let command = inside(Path::new("/root-of-it"), Path::new("/opt/a"), "bin/arena check --sandbox");
        let shown = step::show(&command);
        assert!(
            shown.ends_with("--root /root-of-it --wd /opt/a bin/arena check --sandbox  (in /)"),
            "{shown}"
        );
        assert!(shown.starts_with("HOME=/root unshare "), "{shown}");
    }
}
