//! What surrounds the commands we run: where programs are, and which variables they may inherit.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::version::Version;

/// Variables by which one toolchain, or the cargo that started us, would reach into a child of another toolchain.
const TOOLCHAIN_VARIABLES: [&str; 12] = [
    "CARGO",
    "RUSTC",
    "RUSTDOC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_BOOTSTRAP",
    "RUSTC_LINKER",
    "RUSTUP_TOOLCHAIN",
    "RUST_RECURSION_COUNT",
    "RUST_TARGET_PATH",
    // Cargo puts its own toolchain's libraries here for the program it runs.
    "LD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
];

/// The same for groups of variables, by how their names begin.
const TOOLCHAIN_PREFIXES: [&str; 3] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BUILD_"];

/// Takes from a command all variables that belong to another toolchain than the one it is.
pub fn forget_other_toolchains(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if is_of_a_toolchain(&name) {
            command.env_remove(name);
        }
    }
}

fn is_of_a_toolchain(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    if name == "CARGO_BUILD_JOBS" {
        return false; // How busy the machine may be is the user's word for every toolchain.
    }
    TOOLCHAIN_VARIABLES.contains(&name) || TOOLCHAIN_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The root of the repository.
pub fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask/ lies in the root of the repository")
}

/// The target directory that cargo uses here, wherever the user's settings put it.
pub fn target_dir() -> Result<PathBuf> {
    // Cargo built this very program into `<target directory>/debug/`, so there is no setting to read.
    let program = env::current_exe().context("cannot tell where this program lies")?;
    let dir = program.ancestors().nth(2).context("this program does not lie in a target directory")?;
    Ok(dir.to_path_buf())
}

/// The cargo that built this program, and so builds the rest of the host.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The compiler that goes with [`cargo`].
pub fn rustc() -> Command {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.current_dir(root());
    command
}

/// Where cargo keeps the sources of dependencies.
pub fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")))
}

/// What a command prints on stdout, if it can be started and succeeds.
pub fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The version that a command prints.
pub fn version_of(command: &mut Command) -> Option<Version> {
    Version::find(&output_of(command)?)
}

/// Where a program is found on `PATH`.
pub fn find_on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// A value of `PATH` with a folder put last, so that nothing found before is hidden by it.
pub fn path_with(path: &OsStr, last: &Path) -> Result<OsString> {
    env::join_paths(env::split_paths(path).chain([last.to_path_buf()]))
        .with_context(|| format!("{} cannot be on PATH", last.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_a_toolchain_are_told_from_the_users_own() {
        for theirs in ["CARGO", "RUSTUP_TOOLCHAIN", "CARGO_PKG_NAME", "CARGO_BUILD_TARGET", "RUSTC_WRAPPER"] {
            assert!(is_of_a_toolchain(OsStr::new(theirs)), "{theirs}");
        }
        for ours in ["PATH", "CARGO_HOME", "RUSTUP_AUTO_INSTALL", "CARGO_NET_OFFLINE", "CARGO_BUILD_JOBS"] {
            assert!(!is_of_a_toolchain(OsStr::new(ours)), "{ours}");
        }
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("Cargo.toml").is_file());
    }
}
