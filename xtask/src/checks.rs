//! Every check of the project, in the order in which a mistake shows soonest.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::arena;
use crate::bots;
use crate::environment;
use crate::step;
use crate::toolchain::{self, TARGET, Toolchain};

/// The bot that an author copies: a crate of its own, outside the workspace, as theirs will be.
pub const EXAMPLE_BOT: &str = "examples/first-bot";

/// Runs every check; the first that fails ends it.
pub fn run() -> Result<()> {
    require_components()?;
    check_format()?;
    let toolchain = bots::build()?;
    lint()?;
    check_fuzz_targets()?;
    document()?;
    check_example(&toolchain)?;
    arena::try_demo()?;
    // Last, so that its summary is what a log ends with.
    test()
}

/// rustfmt and clippy are optional parts of a toolchain; without them cargo's message is a riddle.
fn require_components() -> Result<()> {
    let lacks = |name: &str| environment::output_of(environment::cargo().args([name, "--version"])).is_none();
    let missing: Vec<&str> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .iter()
        .filter(|(cargo, _)| lacks(cargo))
        .map(|(_, it)| *it)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    bail!(
        "the checks need {0}; install with `rustup component add {1}`",
        missing.join(" and "),
        missing.join(" ")
    )
}

fn check_format() -> Result<()> {
    let hint = "checking the format (`cargo fmt --all` mends it)";
    step::run(hint, environment::cargo().args(["fmt", "--all", "--check"]))?;
    step::run("checking the example's format", for_example(environment::cargo().arg("fmt")).arg("--check"))?;
    step::run("checking the fuzz targets' format", for_fuzz(environment::cargo().arg("fmt")).arg("--check"))
}

fn lint() -> Result<()> {
    // In release like all the rest, so that build scripts and macros are compiled once for everything.
    step::run(
        "linting the workspace",
        environment::cargo().args([
            "clippy",
            "--release",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    )
}

/// The fuzz targets are run by hand, with a nightly toolchain; that they still compile is checked here on stable.
fn check_fuzz_targets() -> Result<()> {
    let mut command = environment::cargo();
    for_fuzz(command.arg("clippy")).arg("--release").arg("--target-dir").arg(environment::target_dir()?);
    // Without its default feature nothing is linked, and so no C++ compiler is needed for libFuzzer.
    command.args(["--no-default-features", "--", "-D", "warnings"]);
    step::run("linting the fuzz targets", &mut command)
}

fn for_fuzz(command: &mut Command) -> &mut Command {
    command.args(["--manifest-path", "fuzz/Cargo.toml"])
}

fn document() -> Result<()> {
    step::run(
        "checking the documentation",
        environment::cargo()
            .args(["doc", "--release", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

fn check_example(toolchain: &Toolchain) -> Result<()> {
    let target_dir = toolchain::target_dir()?;
    let example = |subcommand: &str| {
        let mut command = environment::cargo();
        for_example(command.arg(subcommand)).arg("--release").arg("--target-dir").arg(&target_dir);
        command
    };
    step::run("linting the example bot", example("clippy").args(["--all-targets", "--", "-D", "warnings"]))?;
    step::run("testing the example bot", &mut example("test"))?;
    step::run("building the example bot", for_example(&mut toolchain.build(TARGET, &target_dir)?))?;
    let built = toolchain::artifact(&target_dir, TARGET, Path::new(EXAMPLE_BOT));
    bots::read_component(&built).map(drop)
}

fn for_example(command: &mut Command) -> &mut Command {
    command.arg("--manifest-path").arg(Path::new(EXAMPLE_BOT).join("Cargo.toml"))
}

fn test() -> Result<()> {
    step::run(
        "testing the workspace",
        environment::cargo().args(["test", "--release", "--workspace", "--no-fail-fast"]),
    )
}
