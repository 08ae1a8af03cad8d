//! The laws, for as long as asked.

use anyhow::Result;
use std::process::Command;

use crate::environment;
use crate::step;

/// Tries laws, all of them if none is named, for this time in all.
pub fn run(minutes: u64, laws: &[String]) -> Result<()> {
    // The features of the whole workspace, as the tests use them, so that wasmtime is not compiled a second time.
    let mut build = environment::cargo();
    build.args(["build", "--release", "--workspace", "--bin", "arena-laws"]);
    step::run("building the laws", &mut build)?;
    let mut command = Command::new(environment::target_dir()?.join("release/arena-laws"));
    command.current_dir(environment::root()).arg("all").arg((minutes * 60).to_string()).args(laws);
    step::run(&format!("trying the laws for {minutes} min"), &mut command)
}
