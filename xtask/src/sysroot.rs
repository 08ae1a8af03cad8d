//! A sysroot made here, with which Debian's Rust has an installed target.
//!
//! Debian packages the source of the standard library, but no build of it for WebAssembly. It is built once for each compiler, laid out as
//! rustup installs it, and kept in the user's cache, so that no workspace and no later clone builds it again. Debian's sysroot and
//! rustup's are not changed.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Error, Result};

use crate::debian;
use crate::environment;
use crate::step;
use crate::toolchain;

/// The folder of the sysroots in the user's cache.
const FOLDER: &str = "arena-toolchain";

/// The flag for code that bots can be optimised with as a whole, as rustup's standard library has it.
const FLAG: &str = "-Cembed-bitcode=yes";

/// The files of WASI's C library that programs are linked with.
const C_LIBRARY: [&str; 3] = ["crt1-command.o", "crt1-reactor.o", "libc.a"];

/// Returns the folder of a sysroot with a target, which is built if there is none. `linkers` is the folder of [`debian::cargo`].
pub fn provide(linkers: &Path, target: &str) -> Result<PathBuf> {
    let name = name(target)?;
    let cache = cache(env::var_os("XDG_CACHE_HOME").map(PathBuf::from), env::home_dir());
    let places =
        cache.into_iter().chain([toolchain::target_dir()?]).map(|place| place.join(FOLDER).join(&name));
    let places: Vec<PathBuf> = places.collect();
    if let Some(present) = places.iter().find(|place| place.is_dir()) {
        return Ok(present.clone());
    }
    let built = build(linkers, target)?;
    put_in_one(&places, |part, place| lay_out(part, place, &built, target))
}

/// Returns Debian's cargo with a compiler that has a target, also for tools that look for `rustc` on `PATH`. `linkers` is the folder of
/// [`debian::cargo`].
pub fn cargo(linkers: &Path, target: &str) -> Result<Command> {
    let bin = provide(linkers, target)?.join("bin");
    let mut command = debian::cargo(linkers)?;
    // With the target in place, nothing unstable is needed.
    command.env_remove("RUSTC_BOOTSTRAP").env("RUSTC", bin.join("rustc"));
    environment::extend_path(&mut command, Some(&bin), None)?;
    Ok(command)
}

/// The user's cache: by the variable, if it is a whole path, or else in the home folder.
fn cache(variable: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    variable.filter(|path| path.is_absolute()).or_else(|| Some(home?.join(".cache")))
}

/// The name of a sysroot, which has everything that decides its content: another compiler, C library or way to build has another name.
fn name(target: &str) -> Result<String> {
    let compiler = environment::output_of(Command::new(debian::RUSTC).arg("-vV"));
    let mut hasher = DefaultHasher::new();
    // The text of this file has the way.
    (compiler.context("Debian's rustc does not run")?, include_str!("sysroot.rs")).hash(&mut hasher);
    for file in C_LIBRARY {
        let file = Path::new(debian::WASI_LIBC).join(file);
        fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?.hash(&mut hasher);
    }
    Ok(format!("{target}-{:016x}", hasher.finish()))
}

/// Builds the standard library, and returns the folder with its files.
fn build(linkers: &Path, target: &str) -> Result<PathBuf> {
    let dir = toolchain::target_dir()?;
    let empty = dir.join("empty-crate");
    write_empty_crate(&empty)
        .with_context(|| format!("cannot write an empty crate to {}", empty.display()))?;
    // A separate target directory, which contains the standard library and nothing else.
    let built = dir.join("std");
    let mut flags = toolchain::remap(&Path::new(debian::SYSROOT).join("lib/rustlib/src/rust"), "rust");
    flags.extend(environment::cargo_home().into_iter().flat_map(|home| toolchain::remap(&home, "cargo")));
    flags.push(FLAG.to_owned());
    let mut build = debian::cargo(linkers)?;
    build.args(["build", "--release", debian::BUILD_STD, "--target", target, "--target-dir"]).arg(&built);
    build.current_dir(&empty).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    build.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    step::run_hidden(
        &format!("building the standard library for {target}, once on this machine"),
        &mut build,
    )?;
    Ok(built.join(target).join("release/deps"))
}

fn write_empty_crate(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir.join("src"))?;
    fs::write(dir.join("src/lib.rs"), "")?;
    // A separate workspace, because it is inside another one.
    let manifest = "[package]\nname = \"empty-crate\"\nedition = \"2024\"\n\n[workspace]\n";
    fs::write(dir.join("Cargo.toml"), manifest)
}

/// Makes a folder at the first of these places that can be written, and returns the place.
fn put_in_one(places: &[PathBuf], make: impl Fn(&Path, &Path) -> io::Result<()>) -> Result<PathBuf> {
    let mut refused = Error::msg("there is no place for a sysroot");
    for place in places {
        match put(place, |part| make(part, place)) {
            Ok(()) => return Ok(place.clone()),
            Err(error) => {
                refused = Error::from(error).context(format!("cannot make a sysroot in {}", place.display()));
            }
        }
    }
    Err(refused)
}

/// Makes a folder under another name, and gives it its own when it is whole. If another process was faster, its folder stays.
fn put(place: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let part = place.with_extension(format!("part-{}", std::process::id()));
    let made = fs::create_dir_all(&part).and_then(|()| make(&part)).and_then(|()| fs::rename(&part, place));
    made.or_else(|error| {
        // The error matters; a leftover folder is only untidy.
        let _ = fs::remove_dir_all(&part);
        if place.is_dir() { Ok(()) } else { Err(error) }
    })
}

/// Makes a sysroot in a folder, which will be at `place`.
fn lay_out(sysroot: &Path, place: &Path, built: &Path, target: &str) -> io::Result<()> {
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
    for name in C_LIBRARY {
        fs::copy(Path::new(debian::WASI_LIBC).join(name), self_contained.join(name))?;
    }
    // Build scripts and macros run on the host, with Debian's libraries for it.
    for of_host in fs::read_dir(Path::new(debian::SYSROOT).join("lib/rustlib"))? {
        let of_host = of_host?;
        symlink(of_host.path(), libraries.join(of_host.file_name()))?;
    }
    let script = sysroot.join("bin/rustc");
    fs::create_dir_all(sysroot.join("bin"))?;
    let (rustc, place) = (debian::RUSTC, step::quoted(&place.to_string_lossy()));
    fs::write(&script, format!("#!/bin/sh\nexec {rustc} --sysroot {place} \"$@\"\n"))?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_that_of_the_variable_or_of_the_home_folder() {
        let [home, own] = ["/home/me", "/cache"].map(|path| Some(PathBuf::from(path)));
        assert_eq!(cache(own.clone(), home.clone()), own);
        for variable in [None, Some("".into()), Some("relative".into())] {
            assert_eq!(cache(variable, home.clone()), Some("/home/me/.cache".into()));
        }
        assert_eq!(cache(None, None), None);
    }

    #[test]
    fn a_folder_has_its_name_only_when_it_is_whole_and_the_first_of_two_stays() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("sysroot");
        let write = |text: &'static str| move |part: &Path| fs::write(part.join("file"), text);
        put(&place, |part| write("half")(part).and(Err(io::Error::other("no space")))).unwrap_err();
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 0, "a part was left behind");
        put(&place, |part| {
            assert!(!place.exists(), "it has its name before it is whole");
            put(&place, write("the first")).unwrap();
            write("the second")(part)
        })
        .unwrap();
        assert_eq!(fs::read_to_string(place.join("file")).unwrap(), "the first");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "a part was left behind");
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_replaced_by_the_next_place() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "not a folder").unwrap();
        let [cache, target] = [file.join("arena-toolchain/std"), dir.path().join("missing/std")];
        let make = |part: &Path, place: &Path| fs::write(part.join("place"), place.to_str().unwrap());
        assert_eq!(put_in_one(&[cache.clone(), target.clone()], make).unwrap(), target);
        assert_eq!(fs::read_to_string(target.join("place")).unwrap(), target.to_str().unwrap());
        let error = put_in_one(&[cache], make).unwrap_err().to_string();
        assert!(error.contains(&format!("cannot make a sysroot in {}", file.display())), "{error}");
    }
}
