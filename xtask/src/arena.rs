//! The arena itself: built, run for the demo, measured by its benchmarks.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::bots::{self, BATTLESHIP_BOTS};
use crate::environment;
use crate::step;

/// Builds the arena and says where it is.
pub fn build() -> Result<PathBuf> {
    let program =
        environment::target_dir()?.join("release").join(format!("arena{}", std::env::consts::EXE_SUFFIX));
    // A first build is announced as one, so that nobody gives up on it.
    let name = if program.exists() {
        "building the arena"
    } else {
        "building the arena (the first time takes minutes)"
    };
    // The whole workspace's features, as the tests use them: with `-p arena` wasmtime would be compiled a second time
    // for the tests, which ask more of two of its dependencies.
    step::run(name, environment::cargo().args(["build", "--release", "--workspace", "--bin", "arena"]))?;
    Ok(program)
}

/// The command that lets the house bots play each other at Battleship.
fn demo(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(environment::root()).arg("run").args(BATTLESHIP_BOTS.map(bots::path));
    command
}

/// Lets the house bots, which are built, play each other as the demo does, and ends with an error if that does.
pub fn try_demo() -> Result<()> {
    step::run("running the demo", &mut demo(&build()?))
}

/// Lets the house bots play each other, in place of this program, so that its exit code and signals are the arena's.
pub fn run_demo(arena_args: &[OsString]) -> Result<Infallible> {
    bots::build()?;
    let program = build()?;
    let mut command = demo(&program);
    command.args(arena_args);
    step::say(&format!("running {}", step::show(&command)));
    become_command(&mut command).with_context(|| format!("{} could not be started", program.display()))
}

#[cfg(unix)]
fn become_command(command: &mut Command) -> std::io::Result<Infallible> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn become_command(command: &mut Command) -> std::io::Result<Infallible> {
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(1))
}

/// Runs the criterion benchmarks.
pub fn run_benches(bench_args: &[OsString]) -> Result<()> {
    let mut command = environment::cargo();
    // Naming the benchmarks by a pattern leaves out the unit tests, which a plain `cargo bench` would run as well.
    command.args(["bench", "--workspace", "--bench", "*", "--"]).args(bench_args);
    step::run("running the benchmarks", &mut command)
}
