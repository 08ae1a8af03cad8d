//! The platforms that the arena is made for besides the one of this machine: their programs are built, and run where that is possible.

mod build;
mod node;
mod places;
mod tries;

pub use build::{GLIBC, program};

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::environment;
use crate::passed;
use crate::step;

/// A platform that the arena is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Its name, which is the one that Rust has for it.
    pub target: &'static str,
    /// The systems, as the README of the archive names them.
    pub systems: &'static str,
    /// How its program is linked.
    linker: Linker,
    /// Where its program runs here; `None` when it is only built.
    place: Option<Place>,
}

/// A way to link a program for another platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linker {
    /// Zig's, which has the C libraries of all platforms. On Linux, the program runs from the glibc of [`GLIBC`] on.
    Zig,
    /// The GNU tools for Windows, from Debian.
    Mingw,
}

/// A place in which a program for another platform runs on Debian on x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A release of Debian with little but its C library, for an architecture; for another one than the machine's, on an emulated processor.
    Debian(&'static str, &'static str),
    /// Wine.
    Wine,
}

/// All platforms.
pub const PLATFORMS: [Platform; 5] = [
    Platform {
        target: "x86_64-unknown-linux-gnu",
        systems: "Linux on x86-64 with glibc 2.28 or later, such as Debian 10, Ubuntu 20.04 or RHEL 8",
        linker: Linker::Zig,
        place: Some(Place::Debian(places::OLD_DEBIAN, "amd64")),
    },
    Platform {
        target: "aarch64-unknown-linux-gnu",
        systems: "Linux on arm64 with glibc 2.28 or later, such as Debian 10, Ubuntu 20.04 or RHEL 8",
        linker: Linker::Zig,
        place: Some(Place::Debian(places::OLD_DEBIAN, "arm64")),
    },
    Platform {
        target: "aarch64-apple-darwin",
        systems: "macOS 11 or later on Apple silicon",
        linker: Linker::Zig,
        place: None,
    },
    Platform {
        target: "x86_64-apple-darwin",
        systems: "macOS 11 or later on Intel processors",
        linker: Linker::Zig,
        place: None,
    },
    Platform {
        target: "x86_64-pc-windows-gnu",
        systems: "Windows 10 or later on x86-64",
        linker: Linker::Mingw,
        place: Some(Place::Wine),
    },
];

impl Platform {
    /// The platform of this name.
    pub fn named(target: &str) -> Option<Self> {
        PLATFORMS.into_iter().find(|platform| platform.target == target)
    }

    /// True on Windows.
    pub fn is_windows(&self) -> bool {
        self.linker == Linker::Mingw
    }

    /// True if its program is confined when it runs here: an emulator passes no such system call on.
    fn is_confined_here(&self) -> bool {
        matches!(self.place, Some(Place::Debian(_, "amd64")))
    }

    /// The name of the program's file.
    pub fn program(&self) -> &'static str {
        if self.is_windows() { "arena.exe" } else { "arena" }
    }
}

/// The names of all platforms.
pub fn names() -> Vec<&'static str> {
    PLATFORMS.iter().map(|platform| platform.target).collect()
}

/// The folder of everything that is built for platforms.
fn folder() -> Result<PathBuf> {
    Ok(environment::target_dir()?.join("platforms"))
}

/// The profile of the programs that are tried.
const PROFILE: &str = "platforms";

/// Builds the programs of these platforms, or of all, and runs them.
pub fn run(targets: &[String]) -> Result<()> {
    let built = |platform: Platform| Ok((platform, program(&platform, PROFILE)?));
    try_programs(&chosen(targets).map(built).collect::<Result<Vec<_>>>()?)
}

/// Runs the programs of platforms where that is possible. A table says what was run.
pub fn try_programs(programs: &[(Platform, PathBuf)]) -> Result<()> {
    let columns: Vec<_> =
        programs.iter().map(|(platform, program)| tries::of(platform, program)).collect::<Result<_>>()?;
    let table = tries::table(&columns);
    let file = folder()?.join("table.md");
    fs::write(&file, &table).with_context(|| format!("cannot write {}", file.display()))?;
    step::say(&format!("what was run on each platform, also in {}:\n{table}", file.display()));
    let failed: Vec<String> = columns.iter().flat_map(tries::Column::failures).collect();
    ensure!(failed.is_empty(), "{} of the runs failed:\n{}", failed.len(), failed.join("\n"));
    Ok(())
}

/// Type-checks the program for these platforms. Without any, it checks what `cargo xtask all` does: for Windows and macOS, the crates that need
/// no wasmtime, whose check takes twelve minutes of processor time. What differs between systems is in the first of them.
pub fn check(targets: &[String], changed_only: bool) -> Result<()> {
    if !targets.is_empty() {
        return chosen(targets).try_for_each(|platform| build::check(&platform, &["arena"]));
    }
    let Some(begun) = passed::PLATFORMS.begin(changed_only)? else { return Ok(()) };
    for target in CHECKED {
        build::check(&Platform::named(target).context("it is a platform")?, &CHECKED_CRATES)?;
    }
    begun.passed()
}

/// The platforms that are type-checked in all checks. Linux on arm64 differs from that on x86-64 by its processor only.
const CHECKED: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// The crates that are type-checked there: that with what differs between systems, and those above it without wasmtime.
const CHECKED_CRATES: [&str; 6] =
    ["arena-platform", "arena-files", "arena-resources", "arena-net", "arena-store", "arena-tui"];

/// The platforms with these names, or all.
fn chosen(targets: &[String]) -> impl Iterator<Item = Platform> {
    let is_chosen =
        |platform: &Platform| targets.is_empty() || targets.iter().any(|name| name == platform.target);
    PLATFORMS.into_iter().filter(is_chosen)
}
