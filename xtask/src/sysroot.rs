//! A sysroot made here, where Debian's Rust is to serve tools that expect a target to be installed.
//!
//! cargo-component asks `rustc` on `PATH` where its libraries are, and would send for rustup if the target were not
//! there. So the standard library is built once and laid out as rustup would have done. Everything lies in the target
//! directory: neither Debian's own sysroot nor rustup's is touched.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::debian::{self, DebianRust};
use crate::step;
use crate::toolchain::{self, Toolchain};

/// Builds the standard library for a target and lays it out; says where.
pub fn build(rust: &DebianRust, target: &str) -> Result<PathBuf> {
    let dir = toolchain::target_dir()?;
    let empty = dir.join("empty-crate");
    write_empty_crate(&empty)
        .with_context(|| format!("cannot write an empty crate to {}", empty.display()))?;
    // A target directory of its own: what lies there is the standard library and nothing else.
    let built = dir.join("std");
    let mut command = Toolchain::Debian(rust.clone()).build(target, &built)?;
    step::run(&format!("building the standard library for {target}"), command.current_dir(&empty))?;

    let sysroot = dir.join("sysroot");
    lay_out(&sysroot, &built.join(target).join("release/deps"), target)
        .with_context(|| format!("cannot make a sysroot in {}", sysroot.display()))?;
    Ok(sysroot)
}

/// Debian's cargo with a compiler that uses the sysroot, both for cargo and for whoever asks `PATH`.
pub fn cargo(rust: &DebianRust, sysroot: &Path) -> Result<Command> {
    let mut command = rust.cargo()?;
    let bin = sysroot.join("bin");
    // With the target in place nothing unstable is needed.
    command.env_remove("RUSTC_BOOTSTRAP").env("RUSTC", bin.join("rustc"));
    let path = rust.path()?;
    let path = env::join_paths([bin].into_iter().chain(env::split_paths(&path)))
        .with_context(|| format!("{} cannot be on PATH", sysroot.display()))?;
    command.env("PATH", path);
    Ok(command)
}

fn write_empty_crate(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir.join("src"))?;
    write_if_other(&dir.join("src/lib.rs"), "")?;
    // A workspace of its own, as it lies inside ours.
    write_if_other(
        &dir.join("Cargo.toml"),
        "[package]\nname = \"empty-crate\"\nedition = \"2024\"\n\n[workspace]\n",
    )
}

/// Leaves a file's time stamp alone where nothing changes, so that cargo sees no reason to build again.
fn write_if_other(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) { Ok(()) } else { fs::write(path, text) }
}

#[cfg(unix)]
fn lay_out(sysroot: &Path, built: &Path, target: &str) -> io::Result<()> {
    use std::os::unix::fs::{PermissionsExt, symlink};

    // From nothing, so that no library of an earlier compiler is found beside its successor.
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
    // Build scripts and macros run on the host, with the libraries that Debian has for it.
    for of_host in fs::read_dir(Path::new(debian::SYSROOT).join("lib/rustlib"))? {
        let of_host = of_host?;
        symlink(of_host.path(), libraries.join(of_host.file_name()))?;
    }
    let bin = sysroot.join("bin");
    fs::create_dir_all(&bin)?;
    let script = bin.join("rustc");
    let rustc = debian::RUSTC;
    let quoted = sysroot.to_string_lossy().replace('\'', r"'\''");
    fs::write(&script, format!("#!/bin/sh\nexec {rustc} --sysroot '{quoted}' \"$@\"\n"))?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn lay_out(_: &Path, _: &Path, _: &str) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
