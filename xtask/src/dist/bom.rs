//! The bill of materials of the program: each crate in it with its version, its licence and its address, in CycloneDX, so that a scanner finds
//! those with known faults.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::{clear, commit_time};
use crate::environment;
use crate::step;
use crate::tools;

/// The program that makes it, that of OWASP for cargo.
const TOOL: [&str; 2] = ["cargo-cyclonedx", "0.5.9"];

/// The file that it writes for the program, in the package's folder.
const WRITTEN: &str = "host/arena_bin.cdx.json";

/// The bill of the program for a platform, by the last commit. The same commit gives the same text.
pub fn of_program(target: &str) -> Result<String> {
    let [name, version] = TOOL;
    let tool = tools::find_or_install(name, version, None, "two minutes")?;
    // In a copy, because it writes a file for every program of the workspace.
    let copy = environment::target_dir()?.join("dist/sources");
    clear(&copy)?;
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--shared"]).arg(environment::root()).arg(&copy);
    step::run_hidden("copying the sources", &mut clone)?;
    let mut command = Command::new(tool);
    command.args(["cyclonedx", "--quiet", "--format=json", "--spec-version=1.5", "--describe=binaries"]);
    command.args(["--no-build-deps", "--manifest-path=host/Cargo.toml", "--target", target]);
    command.env("SOURCE_DATE_EPOCH", commit_time()?).current_dir(&copy);
    step::run_hidden("listing the crates of the program", &mut command)?;
    let file = copy.join(WRITTEN);
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    clear(&copy)?;
    // The folder of the copy says nothing, and would be another one elsewhere.
    Ok(text.replace(&format!("file://{}", copy.display()), "file:///arena"))
}
