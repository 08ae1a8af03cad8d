//! Builds of the arena for other platforms. The standard library is the one that rustup has installed, or else the one that Debian's
//! compiler builds from Debian's source.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Linker, Platform, folder};
use crate::debian;
use crate::environment;
use crate::step;
use crate::toolchain::{self, Toolchain};
use crate::tools;

/// The oldest glibc with which the program runs on Linux: that of Debian 10 and RHEL 8.
pub const GLIBC: [u32; 2] = [2, 28];

/// The oldest macOS with which the program runs: the first one for Apple silicon. Without it, Zig names its own latest.
const MACOS: &str = "11.0";

/// Stubs of the libraries of macOS that the program is linked with: their paths, and the symbols that crates for macOS use. Apple's own stubs
/// are in its SDK only; the linker names a symbol that is missing here.
const MACOS_LIBRARIES: &str = "xtask/src/platforms/macos";

/// What takes the names of functions out of a program for macOS, and its package: Debian has no `rust-objcopy`, which the compiler calls.
const STRIP: (&str, &str) = ("llvm-strip", "llvm");

/// The linker for Windows, and its package.
const MINGW: (&str, &str) = ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64");

/// What the standard library for Windows is built with, also when nothing is linked, and its package.
const DLLTOOL: (&str, &str) = ("x86_64-w64-mingw32-dlltool", "binutils-mingw-w64-x86-64");

/// Builds the program of a platform, and returns its path.
pub fn program(platform: &Platform, profile: &str) -> Result<PathBuf> {
    let (mut command, target) = match platform.linker {
        Linker::Zig => {
            // From PyPI, where it brings Zig along.
            let zigbuild =
                tools::find_or_install("cargo-zigbuild", "0.24.1", Some("cargo-zigbuild"), "two minutes")?;
            let mut command = through(&zigbuild, &cargo(platform.target, "rustc")?);
            environment::extend_path(&mut command, zigbuild.parent(), None)?;
            let [major, minor] = GLIBC;
            let glibc =
                if platform.target.contains("linux") { format!(".{major}.{minor}") } else { String::new() };
            (command, format!("{}{glibc}", platform.target))
        }
        Linker::Mingw => {
            debian::require(MINGW.0, MINGW.1, "there is no linker for Windows", "its program is not built")?;
            (cargo(platform.target, "rustc")?, platform.target.to_owned())
        }
    };
    command.args(["--target", &target, "--profile", profile, "--locked", "-p", "arena", "--bin", "arena"]);
    let is_macos = platform.target.contains("apple");
    if is_macos {
        let strip = format!("CARGO_PROFILE_{}_STRIP", profile.to_uppercase());
        command.env("MACOSX_DEPLOYMENT_TARGET", MACOS).env(strip, "none").arg("--");
        let libraries = environment::root().join(MACOS_LIBRARIES);
        for kind in ["framework", "native"] {
            command.arg(format!("-L{kind}={}", libraries.display()));
        }
    }
    let name = format!("building the arena for {} (the first build takes minutes)", platform.target);
    step::run(&name, &mut command)?;
    let program = folder()?.join(platform.target).join(profile).join(platform.program());
    if is_macos {
        debian::require(
            STRIP.0,
            STRIP.1,
            "there is no program that strips others",
            "the program stays large",
        )?;
        step::run("taking names out of the program", Command::new(STRIP.0).arg(&program))?;
    }
    Ok(program)
}

/// A task of cargo, done by a program that calls cargo.
fn through(program: &Path, cargo: &Command) -> Command {
    let mut command = Command::new(program);
    command.args(cargo.get_args()).env("CARGO", cargo.get_program());
    for (name, value) in cargo.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = cargo.get_current_dir() {
        command.current_dir(folder);
    }
    command
}

/// Type-checks crates for a platform.
pub fn check(platform: &Platform, crates: &[&str]) -> Result<()> {
    if platform.linker == Linker::Mingw {
        let (lack, loss) = ("there is no program that makes import libraries", "Windows is not checked");
        debian::require(DLLTOOL.0, DLLTOOL.1, lack, loss)?;
    }
    let mut command = cargo(platform.target, "check")?;
    command.args(["--target", platform.target, "--locked"]).args(crates.iter().flat_map(|name| ["-p", name]));
    // Nothing is linked, so the libraries in C are not compiled either.
    let variable = |name: &str| format!("{name}_{}", platform.target.replace('-', "_"));
    command.envs([(variable("CC"), "true"), (variable("AR"), "true")]).env("SDKROOT", "/");
    step::run(&format!("checking {} for {}", crates.join(", "), platform.target), &mut command)
}

/// Cargo with a task and a standard library for a target.
fn cargo(target: &str, task: &str) -> Result<Command> {
    let mut command = match toolchain::prepare(target)? {
        Toolchain::Installed => environment::cargo(),
        Toolchain::Debian { linkers } => debian::cargo(&linkers)?,
    };
    let is_debians = command.get_envs().any(|(name, _)| name == "RUSTC_BOOTSTRAP");
    command.arg(task).args(is_debians.then_some(debian::BUILD_STD));
    let folder = folder()?;
    command.arg("--target-dir").arg(folder.to_str().context("the target directory's path is not text")?);
    Ok(command)
}
