//! Debian's own Rust: the way to a WebAssembly standard library where rustup is not to install one.
//!
//! Debian ships a recent compiler, its standard library's source and the C library of WASI as packages, so `std` can
//! be built here, once, by `-Zbuild-std`. Nothing of rustup is called on this way.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::environment;
use crate::step;
use crate::version::Version;

/// What is installed with apt: the compiler and cargo, the source of their standard library, the linker, and the C
/// library under `std`.
pub const PACKAGES: [&str; 5] = ["rustc-web", "cargo-web", "rust-web-src", "lld", "wasi-libc"];

/// Debian's compiler; rustup's, if there is one, stays first on `PATH`.
pub const RUSTC: &str = "/usr/bin/rustc";
/// Debian's cargo.
const CARGO: &str = "/usr/bin/cargo";
/// Makes Debian's cargo build the standard library, which is not packaged for WebAssembly with WASI.
pub const BUILD_STD: [&str; 1] = ["-Zbuild-std=std,panic_abort"];
/// Where Debian's compiler looks for its own libraries and their source.
pub const SYSROOT: &str = "/usr";
/// The C library of WASI, which serves wasm32-wasip1 and wasm32-wasip2 alike.
pub const WASI_LIBC: &str = "/usr/lib/wasm32-wasi";

/// How often an apt command is tried. Another apt at work (an unattended upgrade) is the usual obstacle, and passes.
const APT_TRIES_MAX: u32 = 5;
/// How long to wait between the tries: together with apt's own waiting, some minutes.
const APT_PAUSE: Duration = Duration::from_secs(15);

/// How apt may be used on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apt {
    /// There is no apt here.
    Absent,
    /// There is, but installing needs a password, which is not ours to ask for.
    NotPermitted,
    /// We are root.
    AsRoot,
    /// sudo works without a password.
    WithSudo,
}

/// Debian's Rust as found on this machine, ready to build bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebianRust {
    /// The folder of the host toolchain that holds `wasm-component-ld` and `rust-lld`, which Debian does not package.
    pub linkers: PathBuf,
}

/// Says how apt may be used here.
pub fn find_apt() -> Apt {
    if environment::find_on_path("apt-get").is_none() {
        return Apt::Absent;
    }
    let prints = |program: &str, args: &[&str]| environment::output_of(Command::new(program).args(args));
    if prints("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
        Apt::AsRoot
    } else if prints("sudo", &["-n", "true"]).is_some() {
        Apt::WithSudo
    } else {
        Apt::NotPermitted
    }
}

/// Why Debian's Rust cannot be used as it stands, or nothing if it can.
pub fn find_lack(needed: Version) -> Option<String> {
    if let Some(missing) = [RUSTC, CARGO].into_iter().find(|path| !Path::new(path).exists()) {
        return Some(format!("{missing} is not there"));
    }
    let Some(rustc) = environment::version_of(command(RUSTC).arg("-V")) else {
        return Some(format!("{RUSTC} does not tell its version"));
    };
    let Some(cargo) = environment::version_of(command(CARGO).arg("-V")) else {
        return Some(format!("{CARGO} does not tell its version"));
    };
    if rustc < needed || cargo < needed {
        return Some(format!("Debian's rustc is {rustc} and its cargo {cargo}, and {needed} is needed"));
    }
    let source = Path::new(SYSROOT).join("lib/rustlib/src/rust");
    if !source.join("library/std/Cargo.toml").exists() {
        return Some(format!("the standard library's source is not in {}", source.display()));
    }
    // The folder is a link to a name with the version in it; a source of another version does not compile.
    let source = source.canonicalize().unwrap_or(source);
    if !source.to_string_lossy().contains(&rustc.to_string()) {
        return Some(format!("rustc is {rustc}, but the standard library's source is {}", source.display()));
    }
    if !Path::new(WASI_LIBC).join("libc.a").exists() {
        return Some(format!("the C library of WASI is not in {WASI_LIBC}"));
    }
    None
}

/// Installs Debian's Rust with apt.
pub fn install(apt: Apt) -> Result<()> {
    step::say(&format!("installing with apt: {}", PACKAGES.join(" ")));
    let update = apt_get(apt, &["update"]);
    if let Err(error) = with_patience("reading apt's package lists", update) {
        // One unreachable source among many fails the update and need not matter; a missing package will say so.
        step::say(&format!("{error:#}\n  going on with the package lists that are here"));
    }
    let mut args = vec!["install", "-y", "--no-install-recommends"];
    args.extend(PACKAGES);
    with_patience("installing Debian's Rust", apt_get(apt, &args)).with_context(|| {
        format!(
            "apt could not install Debian's Rust. Is the network there? By hand, as root:\n  \
             apt-get update && apt-get install --no-install-recommends {}",
            PACKAGES.join(" ")
        )
    })
}

fn apt_get(apt: Apt, args: &[&str]) -> Command {
    // Variables are set through `env`, as sudo does not pass ours on.
    let mut command = match apt {
        Apt::WithSudo => {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "env"]);
            sudo
        }
        Apt::AsRoot | Apt::NotPermitted | Apt::Absent => Command::new("env"),
    };
    // English, so that a busy lock is recognised by its message.
    command.args(["DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", "-q"]);
    command.args(["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=3"]);
    command.args(args);
    command
}

/// Runs an apt command again while it fails because another apt is at work.
fn with_patience(name: &str, mut command: Command) -> Result<()> {
    let mut tries = 1;
    loop {
        match step::run_hidden(name, &mut command) {
            Err(error) if tries < APT_TRIES_MAX && is_about_a_lock(&format!("{error:#}")) => {
                step::say(&format!("another apt is at work; trying again in {} s", APT_PAUSE.as_secs()));
                thread::sleep(APT_PAUSE);
                tries += 1;
            }
            done => return done,
        }
    }
}

/// Whether apt failed because another apt or dpkg held its lock.
fn is_about_a_lock(output: &str) -> bool {
    ["Could not get lock", "Unable to acquire", "Unable to lock"].iter().any(|phrase| output.contains(phrase))
}

/// A command of Debian's toolchain, free of all that belongs to another toolchain.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    environment::forget_other_toolchains(&mut command);
    command
}

/// The flags that find the C library of WASI.
pub fn flags() -> Vec<String> {
    vec!["-L".to_owned(), format!("native={WASI_LIBC}")]
}

impl DebianRust {
    /// Debian's cargo with Debian's compiler, able to build the standard library and to link a component.
    pub fn cargo(&self) -> Result<Command> {
        let mut command = command(CARGO);
        command.current_dir(environment::root());
        command.env("RUSTC", RUSTC);
        // Empty means none, whatever the user's cargo configuration says: a wrapper may not know this compiler.
        command.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
        // Lets a stable compiler take the one unstable flag that builds its own standard library.
        command.env("RUSTC_BOOTSTRAP", "1");
        command.env("PATH", self.path()?);
        Ok(command)
    }

    /// `PATH` with the linkers on it.
    pub fn path(&self) -> Result<OsString> {
        environment::path_with(&env::var_os("PATH").unwrap_or_default(), &self.linkers)
    }
}
