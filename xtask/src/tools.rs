//! Programs beside cargo that a task needs.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::environment;
use crate::step;

/// Finds a program on `PATH`, or installs the crate of that name into the target directory, and returns its path.
///
/// `version` is the release to install; any other that is found is used. `takes` says how long installing takes.
pub fn find_or_install(name: &str, version: &str, takes: &str) -> Result<PathBuf> {
    if let Some(program) = environment::find_on_path(name) {
        return Ok(program);
    }
    let root = environment::target_dir()?.join("tools");
    let program = root.join("bin").join(name);
    if !program.exists() {
        let mut command = environment::cargo();
        command.args(["install", "--locked", name, "--version", version, "--root"]).arg(&root);
        step::run(&format!("installing {name} (takes {takes})"), &mut command)
            .with_context(|| format!("cannot install {name}. Check the network"))?;
    }
    Ok(program)
}
