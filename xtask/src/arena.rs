//! The arena itself: its build and the demo.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Error, Result};

use crate::bots;
use crate::environment;
use crate::step;
use crate::toolchain::{self, TARGET};

/// The profile of the program that users get, which is also the folder that cargo builds it into.
pub const PROFILE_FOR_USERS: &str = "dist";

/// Builds the arena, and returns the path of the program.
pub fn build() -> Result<PathBuf> {
    let program = environment::target_dir()?.join("release/arena");
    // Announced, so that a first build is not interrupted because it seems to hang.
    let note = if program.exists() { "" } else { " (the first build takes several minutes)" };
    step::run(
        &format!("building the arena{note}"),
        environment::cargo().args(["build", "--release", "--workspace", "--bin", "arena"]),
    )?;
    Ok(program)
}

/// Builds the arena as users get it, with each crate optimised as much as it can be, and returns the path of the program.
pub fn build_for_users() -> Result<PathBuf> {
    let mut build = cargo_for_users("build");
    build.args(["--bin", "arena"]);
    step::run("building the arena for users (the first build takes several minutes)", &mut build)?;
    program_for_users("arena")
}

/// A task of cargo for the workspace as users get it: with the profile of the archive.
pub fn cargo_for_users(task: &str) -> Command {
    let mut command = environment::cargo();
    // The user's environment may ask for incremental builds, which inline less.
    command.env("CARGO_INCREMENTAL", "0").args([task, "--profile", PROFILE_FOR_USERS, "--workspace"]);
    command
}

/// The path of a program that [`cargo_for_users`] builds.
pub fn program_for_users(name: &str) -> Result<PathBuf> {
    Ok(environment::target_dir()?.join(PROFILE_FOR_USERS).join(name))
}

/// Runs the demo with a program as a step. The house bots must have been built.
pub fn try_demo(program: &Path) -> Result<()> {
    step::run("running the demo", &mut demo(program, &[]))
}

/// Replaces this process with the demo, so that its exit code and signals are those of the arena.
pub fn run_demo(arena_args: &[OsString]) -> Result<Infallible> {
    // First, because it may have to install something.
    let toolchain = toolchain::prepare(TARGET)?;
    // Only the bots that play, at the same time, because a build of a bot mostly keeps one core busy.
    let crates = DEMO_BOTS.map(|bot| Path::new(bot).with_extension(""));
    let program = step::run_beside(|| bots::build_crates(&crates, &toolchain, step::run_hidden), build)?;
    let mut command = demo(&program, arena_args);
    step::say_times();
    step::say(&format!("running {}", step::show(&command)));
    Err(Error::from(command.exec()).context(format!("cannot start {}", program.display())))
}

/// The bots of the demo. Chosen: those that play a game in some milliseconds, so that the demo is short.
const DEMO_BOTS: [&str; 4] =
    ["bots/density.wasm", "bots/hunter.wasm", "bots/random.wasm", "bots/sweeper.wasm"];

/// The command that plays a tournament between quick house bots.
fn demo(program: &Path, arena_args: &[OsString]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(environment::root()).arg("run").args(DEMO_BOTS).args(arena_args);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &Command, expect: &str) {
        let shown = step::show(command);
        assert!(shown.contains(expect), "`{expect}` is not in: {shown}");
    }

    #[test]
    fn the_arguments_of_the_demo_follow_its_bots() {
        let command = demo(Path::new("arena"), &["--games".into(), "2".into()]);
        check(&command, "bots/random.wasm bots/sweeper.wasm --games 2  (in ");
    }
}
