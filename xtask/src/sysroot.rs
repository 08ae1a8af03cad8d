//! A sysroot built here, with which Debian's Rust serves tools that expect an installed target.
//!
//! cargo-component asks the `rustc` on `PATH` for its libraries, and calls rustup if the target is missing. So the
//! standard library is built once and laid out as rustup installs it. All of it is in the target directory: Debian's
//! sysroot and rustup's are not changed.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::debian;
use crate::environment;
use crate::step;
use crate::toolchain::{self, Toolchain};

/// Builds a sysroot for a target, and returns Debian's cargo with a compiler that uses it, also for tools that look for
/// `rustc` on `PATH`. `linkers` is the folder of [`debian::cargo`].
pub fn cargo(linkers: &Path, target: &str) -> Result<Command> {
    let dir = toolchain::target_dir()?;
    let empty = dir.join("empty-crate");
    write_empty_crate(&empty)
        .with_context(|| format!("cannot write an empty crate to {}", empty.display()))?;
    // A separate target directory, which contains the standard library and nothing else.
    let built = dir.join("std");
    let mut build = Toolchain::Debian { linkers: linkers.to_path_buf() }.build(target, &built)?;
    step::run(&format!("building the standard library for {target}"), build.current_dir(&empty))?;

    let sysroot = dir.join("sysroot");
    lay_out(&sysroot, &built.join(target).join("release/deps"), target)
        .with_context(|| format!("cannot make a sysroot in {}", sysroot.display()))?;
    let bin = sysroot.join("bin");
    let mut command = debian::cargo(linkers)?;
    // With the target in place, nothing unstable is needed.
    command.env_remove("RUSTC_BOOTSTRAP").env("RUSTC", bin.join("rustc"));
    environment::extend_path(&mut command, Some(&bin), None)?;
    Ok(command)
}

fn write_empty_crate(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir.join("src"))?;
    fs::write(dir.join("src/lib.rs"), "")?;
    // A separate workspace, because it is inside another one.
    let manifest = "[package]\nname = \"empty-crate\"\nedition = \"2024\"\n\n[workspace]\n";
    fs::write(dir.join("Cargo.toml"), manifest)
}

fn lay_out(sysroot: &Path, built: &Path, target: &str) -> io::Result<()> {
    // From scratch, so that no library of an earlier compiler remains next to its successor.
    if sysroot.exists() {
        fs::remove_dir_all(sysroot)?;
    }
    let libraries = sysroot.join("lib/rustlib");
    let of_target = libraries.join(target).join("lib");
    let self_contained = of_target.join("self-contained");
    fs::create_dir_all(&self_contained)?;
    for file in fs::read_dir(built)? {
        let file = file?;
        if file.path().extension().is_some_and(|extension| extension == "rlib") {
            fs::copy(file.path(), of_target.join(file.file_name()))?;
        }
    }
    for name in ["crt1-command.o", "crt1-reactor.o", "libc.a"] {
        fs::copy(Path::new(debian::WASI_LIBC).join(name), self_contained.join(name))?;
    }
    // Build scripts and macros run on the host, with Debian's libraries for it.
    for of_host in fs::read_dir(Path::new(debian::SYSROOT).join("lib/rustlib"))? {
        let of_host = of_host?;
        symlink(of_host.path(), libraries.join(of_host.file_name()))?;
    }
    let script = sysroot.join("bin/rustc");
    fs::create_dir_all(sysroot.join("bin"))?;
    let (rustc, sysroot) = (debian::RUSTC, step::quoted(&sysroot.to_string_lossy()));
    fs::write(&script, format!("#!/bin/sh\nexec {rustc} --sysroot {sysroot} \"$@\"\n"))?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
}
