//! Debian's own Rust, which builds bots if rustup may not install their target.
//!
//! Debian packages a recent compiler, the source of its standard library, and the C library of WASI. Cargo builds `std`
//! from them once, with `-Zbuild-std` ([`crate::sysroot`]). Nothing of rustup is called. The guide's page `toolchain.md` has the same steps
//! by hand.

use std::env;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::environment;
use crate::step;

/// The packages to install with apt: the compiler, cargo, the source of the standard library, the linker, and the C
/// library below `std`.
pub const PACKAGES: &str = "rustc-web cargo-web rust-web-src lld wasi-libc";

/// Debian's compiler. rustup's, if there is one, remains first on `PATH`.
pub const RUSTC: &str = "/usr/bin/rustc";
/// Debian's cargo.
const CARGO: &str = "/usr/bin/cargo";
/// The flag that makes Debian's cargo build the standard library, which Debian does not package for WASI.
pub const BUILD_STD: &str = "-Zbuild-std=std,panic_abort";
/// The folder in which Debian's compiler looks for its libraries and their source.
pub const SYSROOT: &str = "/usr";
/// The C library of WASI, for both wasm32-wasip1 and wasm32-wasip2.
pub const WASI_LIBC: &str = "/usr/lib/wasm32-wasi";

/// The number of times that an apt command is tried. The usual obstacle, another apt (an unattended upgrade), passes.
const APT_TRIES_MAX: u32 = 5;
/// The pause between two tries. Chosen: with apt's own waiting, all tries take some minutes.
const APT_PAUSE: Duration = Duration::from_secs(15);

/// The ways in which apt can be used on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apt {
    /// apt is not installed.
    Absent,
    /// apt needs a password, and this program does not ask for one.
    NotPermitted,
    /// We are root.
    AsRoot,
    /// sudo works without a password.
    WithSudo,
}

/// Returns true if this process may do everything.
pub fn is_root() -> bool {
    environment::output_of(Command::new("id").arg("-u")).is_some_and(|id| id == "0")
}

/// Finds out how apt can be used here.
pub fn find_apt() -> Apt {
    if environment::find_on_path("apt-get").is_none() {
        Apt::Absent
    } else if is_root() {
        Apt::AsRoot
    } else if environment::output_of(Command::new("sudo").args(["-n", "true"])).is_some() {
        Apt::WithSudo
    } else {
        Apt::NotPermitted
    }
}

/// The reason why Debian's Rust cannot be used as it is, or `None` when it can.
pub fn find_lack() -> Option<String> {
    let source = Path::new(SYSROOT).join("lib/rustlib/src/rust");
    let files = [Path::new(RUSTC), Path::new(CARGO), &source.join("library/std/Cargo.toml")];
    let libc = Path::new(WASI_LIBC).join("libc.a");
    if let Some(missing) = files.into_iter().chain([&*libc]).find(|path| !path.exists()) {
        return Some(format!("{} does not exist", missing.display()));
    }
    let (Some(rustc), Some(cargo)) = (version_of(RUSTC), version_of(CARGO)) else {
        return Some(format!("{RUSTC} or {CARGO} does not report its version"));
    };
    let required = env!("CARGO_PKG_RUST_VERSION");
    if [&rustc, &cargo].into_iter().any(|version| numbers(version) < numbers(required)) {
        return Some(format!("Debian's rustc is {rustc} and its cargo {cargo}, but {required} is required"));
    }
    // The folder is a link to a name that contains the version; the source of another version does not compile.
    let source = source.canonicalize().unwrap_or(source);
    (!source.to_string_lossy().contains(&rustc))
        .then(|| format!("rustc is {rustc}, but the source of the standard library is {}", source.display()))
}

fn version_of(program: &str) -> Option<String> {
    find_version(&environment::output_of(command(program).arg("-V"))?).map(str::to_owned)
}

/// The version in the output of `rustc -V` or `cargo -V`: `1.96.0` in `rustc 1.96.0 (…)`.
fn find_version(output: &str) -> Option<&str> {
    output.split([' ', '-', '+']).nth(1).filter(|version| numbers(version).len() == 3)
}

/// The numbers of a version, which compare in order.
fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|number| number.parse().ok()).collect()
}

/// Installs packages, whose names are separated by spaces, with apt.
pub fn install(apt: Apt, packages: &str) -> Result<()> {
    step::say(&format!("installing with apt: {packages}"));
    let update = apt_get(apt, "update");
    if let Err(error) = with_patience("updating apt's package lists", update) {
        // One unreachable source among many fails the update and may not matter; if it does, the installation fails.
        step::say(&format!("{error:#}\n  continuing with the package lists on this machine"));
    }
    let install = apt_get(apt, &format!("install -y --no-install-recommends {packages}"));
    with_patience("installing with apt", install).with_context(|| {
        format!(
            "apt could not install packages. Check the network, or run as root:\n  \
             apt-get update && apt-get install --no-install-recommends {packages}"
        )
    })
}

/// Installs packages with apt where it may, if what is in them is not here. Returns true if it is here then; otherwise says what is
/// lost without it, and how to install it.
pub fn provide(is_here: impl Fn() -> bool, packages: &str, lack: &str, loss: &str) -> Result<bool> {
    if !is_here() {
        match find_apt() {
            apt @ (Apt::AsRoot | Apt::WithSudo) => install(apt, packages)?,
            Apt::Absent | Apt::NotPermitted => step::say(&format!(
                "{lack}, and apt may not install it: {loss}. As root:\n  \
                 apt-get install --no-install-recommends {packages}"
            )),
        }
    }
    Ok(is_here())
}

/// Installs a program with apt where it may, if it is not here.
///
/// # Errors
/// It is not here, and apt may not or cannot install it: `lack` and `loss` are said as by [`provide`].
pub fn require(program: &str, packages: &str, lack: &str, loss: &str) -> Result<()> {
    let is_here = || environment::find_on_path(program).is_some();
    ensure!(provide(is_here, packages, lack, loss)?, "{program} is missing");
    Ok(())
}

fn apt_get(apt: Apt, args: &str) -> Command {
    // `env` sets the variables because sudo does not pass the caller's on.
    let mut command = Command::new(if apt == Apt::WithSudo { "sudo" } else { "env" });
    if apt == Apt::WithSudo {
        command.args(["-n", "env"]);
    }
    // In English, so that a held lock is recognised by its message.
    command.args(["DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", "-q"]);
    command.args(["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=3"]).args(args.split(' '));
    command
}

/// Runs an apt command, and repeats it while it fails because another apt is running.
fn with_patience(name: &str, mut command: Command) -> Result<()> {
    for _ in 1..APT_TRIES_MAX {
        match step::run_hidden(name, &mut command) {
            Err(error) if is_about_a_lock(&error.to_string()) => {
                step::say(&format!("another apt is running; trying again in {} s", APT_PAUSE.as_secs()));
                thread::sleep(APT_PAUSE);
            }
            result => return result,
        }
    }
    step::run_hidden(name, &mut command)
}

/// Returns true if apt failed because another apt or dpkg held its lock.
fn is_about_a_lock(output: &str) -> bool {
    ["Could not get lock", "Unable to acquire", "Unable to lock"].iter().any(|phrase| output.contains(phrase))
}

/// A command of Debian's toolchain, without the variables of other toolchains.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(environment::is_of_a_toolchain) {
            command.env_remove(name);
        }
    }
    command
}

/// Debian's cargo with Debian's compiler, which can build the standard library and link a component.
///
/// `linkers` is the folder of the host toolchain with `wasm-component-ld` and `rust-lld`, which Debian does not package.
pub fn cargo(linkers: &Path) -> Result<Command> {
    let mut command = command(CARGO);
    command.current_dir(environment::root()).env("RUSTC", RUSTC);
    // An empty value overrides the user's cargo configuration: a wrapper may not support this compiler.
    command.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
    // Lets a stable compiler accept BUILD_STD, which is unstable.
    command.env("RUSTC_BOOTSTRAP", "1");
    environment::extend_path(&mut command, None, Some(linkers))?;
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_the_output_of_a_tool() {
        let text = "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";
        assert_eq!(find_version(text), Some("1.96.0"));
        assert_eq!(find_version("cargo 1.97.0-nightly (abc 2026-06-01)"), Some("1.97.0"));
        assert_eq!(find_version("command not found"), None);
    }

    #[test]
    fn a_patch_release_is_not_older_than_its_minor_release() {
        assert!(numbers("1.95.0") >= numbers("1.95"));
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(numbers("1.100.0") > numbers("1.95.3"));
    }

    #[test]
    fn the_required_version_is_readable() {
        assert!(numbers(env!("CARGO_PKG_RUST_VERSION")) >= vec![1, 85]);
    }
}
