//! The environment of the commands of this program: folders, programs and variables.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// Variables through which one toolchain, or the cargo that started us, affects a child of another toolchain.
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
    // Cargo puts the libraries of its own toolchain here for the program that it runs.
    "LD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
];

/// The prefixes of variables in which cargo describes this program's own package.
const PACKAGE_PREFIXES: [&str; 2] = ["CARGO_PKG_", "CARGO_MANIFEST_"];

/// Returns true if a variable is one of a toolchain, and must not reach another toolchain.
pub fn is_of_a_toolchain(name: &str) -> bool {
    // The number of jobs is the user's choice for every toolchain.
    name != "CARGO_BUILD_JOBS"
        && (TOOLCHAIN_VARIABLES.contains(&name)
            || name.starts_with("CARGO_BUILD_")
            || is_of_our_package(name))
}

fn is_of_our_package(name: &str) -> bool {
    PACKAGE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask/ is in the root of the repository")
}

/// The target directory that cargo uses here, including any setting of the user's.
pub fn target_dir() -> Result<PathBuf> {
    // Cargo built this program into `<target directory>/release/`, so there is no setting to read.
    let program = env::current_exe().context("cannot find the path of this program")?;
    let dir = program.ancestors().nth(2).context("this program is not in a target directory")?;
    Ok(dir.to_path_buf())
}

/// The cargo that built this program, and builds the rest of the host.
pub fn cargo() -> Command {
    at_root("CARGO", "cargo")
}

/// The compiler that belongs to [`cargo`].
pub fn rustc() -> Command {
    at_root("RUSTC", "rustc")
}

fn at_root(variable: &str, program: &str) -> Command {
    let mut command = Command::new(env::var_os(variable).unwrap_or_else(|| program.into()));
    command.current_dir(root());
    // Those of this program's own package, of which a build script of another one may ask: it would run again whenever builds with
    // and without `cargo xtask` alternate.
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_of_our_package) {
            command.env_remove(name);
        }
    }
    command
}

/// Cargo's home, which holds the sources of dependencies.
pub fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")))
}

/// The standard output of a command, or `None` when it cannot be started or fails.
pub fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The path of a program on `PATH`.
pub fn find_on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// Adds folders to the `PATH` of a command: one before all others, and one after them.
pub fn extend_path(command: &mut Command, first: Option<&Path>, last: Option<&Path>) -> Result<()> {
    let set = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, path)| path.map(Into::into));
    let path = set.or_else(|| env::var_os("PATH")).unwrap_or_default();
    let folders = first.map(Path::to_path_buf).into_iter().chain(env::split_paths(&path));
    let path = env::join_paths(folders.chain(last.map(Path::to_path_buf))).context("cannot extend PATH")?;
    command.env("PATH", path);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_a_toolchain_are_distinguished_from_the_users_own() {
        for theirs in ["CARGO", "RUSTUP_TOOLCHAIN", "CARGO_PKG_NAME", "CARGO_BUILD_TARGET", "RUSTC_WRAPPER"] {
            assert!(is_of_a_toolchain(theirs), "{theirs}");
        }
        for ours in ["PATH", "CARGO_HOME", "RUSTUP_AUTO_INSTALL", "CARGO_NET_OFFLINE", "CARGO_BUILD_JOBS"] {
            assert!(!is_of_a_toolchain(ours), "{ours}");
        }
    }

    #[test]
    fn the_root_contains_the_workspace() {
        assert!(root().join("Cargo.toml").is_file());
    }

    #[test]
    fn folders_are_added_at_both_ends_of_the_path_of_a_command() {
        let mut command = Command::new("cargo");
        command.env("PATH", "/bin");
        extend_path(&mut command, Some(Path::new("/first")), None).unwrap();
        extend_path(&mut command, None, Some(Path::new("/last"))).unwrap();
        let path = command.get_envs().next().unwrap().1.unwrap();
        assert_eq!(
            env::split_paths(path).collect::<Vec<_>>(),
            ["/first", "/bin", "/last"].map(PathBuf::from)
        );
        assert!(extend_path(&mut command, Some(Path::new("a:b")), None).is_err());
    }
}
