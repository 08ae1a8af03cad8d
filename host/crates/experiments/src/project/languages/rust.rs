//! Builds in Rust: cargo's, for the target `wasm32-wasip2`, whose compiler writes a component.
//!
//! rustup adds the target when it may. Where it is not there, or may not install anything (`RUSTUP_AUTO_INSTALL=0`), Debian's Rust builds
//! the target's standard library from source.

use super::super::{BuildFailure, Project, Steps};
use super::tools::{Tool, output_of, run};
use super::{entries, unwritable};
use arena_platform::programs::{file_name, find};
use std::env;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

/// The target of bots and games.
const TARGET: &str = "wasm32-wasip2";

/// The flag with which cargo builds the standard library.
const BUILD_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features="];

/// The files of Debian's packages, from `/usr`.
const DEBIAN: [&str; 4] =
    ["bin/rustc", "bin/cargo", "lib/rustlib/src/rust/library/std/Cargo.toml", "lib/wasm32-wasi/libc.a"];

/// The next step without the target.
const ADD_TARGET: &str = "run `rustup target add wasm32-wasip2`; or, on Debian, as root: apt-get install \
                          --no-install-recommends rustc-web cargo-web rust-web-src lld wasi-libc";

/// Parts of the standard library that do not work in a bot. With Debian's Rust, the linker lacks functions of C, such as `pthread_create`.
const NOT_LINKED: [&str; 6] =
    ["thread::spawn", "thread::scope", "thread::Builder", "TcpStream", "TcpListener", "UdpSocket"];

/// The site of rustup.
const RUSTUP: &str = "Rust 1.95 or later, from https://rustup.rs";

pub(super) const CARGO: Tool = Tool { name: "cargo", what: "cargo", install: [RUSTUP; 3] };

/// The name of the crate in a folder.
pub(super) fn package(folder: &Path) -> Option<String> {
    named(folder, "package")
}

/// The name in a table of the manifest of a folder.
fn named(folder: &Path, table: &str) -> Option<String> {
    let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
    Some(manifest.get(table)?.get("name")?.as_str()?.to_owned())
}

/// Builds the crate as nothing but a component, so that it is optimised as a whole.
pub(super) fn build(project: &Project, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    let folder = &project.folder;
    let out = env::var_os("CARGO_TARGET_DIR").filter(|it| !it.is_empty()).unwrap_or_else(|| "target".into());
    let out = absolute(folder).map_err(unwritable(folder))?.join(out);
    let (mut cargo, builds_std) = prepare(steps)?;
    cargo.current_dir(folder).args(["rustc", "--release", "--lib", "--crate-type", "cdylib"]);
    cargo.args(["--target", TARGET, "--target-dir"]).arg(&out);
    let built = out.join(TARGET).join("release");
    if builds_std {
        cargo.args(BUILD_STD);
        if !has_std(&built.join("deps")) {
            steps.note("building Rust's standard library first, in some minutes; a CARGO_TARGET_DIR keeps it for other folders");
        }
    }
    run(steps, "cargo", &mut cargo).map_err(|why| or_not_linked(folder, why))?;
    let name = named(folder, "lib").or_else(|| package(folder)).unwrap_or_default();
    let built = built.join(name.replace('-', "_")).with_extension("wasm");
    let bytes = fs::read(&built).map_err(|_| BuildFailure::Missing {
        what: "cargo has built no library".to_owned(),
        next: "build it from the folder of a crate with a library, not of a workspace".to_owned(),
    })?;
    arena_files::write_whole(&project.component, &bytes).map_err(unwritable(&project.component))
}

/// Returns cargo with the target, which rustup adds if it may; true if the standard library has to be built, too.
pub(super) fn prepare(steps: &mut dyn Steps) -> Result<(Command, bool), BuildFailure> {
    let cargo = CARGO.find()?;
    let target_libraries = || rustc_path(&["target-libdir", "--target", TARGET]);
    let has_target = || target_libraries().is_some_and(|folder| has_std(&folder));
    let may_install = env::var_os("RUSTUP_AUTO_INSTALL").is_none_or(|value| value != "0");
    if !has_target()
        && may_install
        && let Some(rustup) = find("rustup")
    {
        run(steps, "rustup", Command::new(rustup).args(["target", "add", TARGET]))?;
    }
    if has_target() {
        return Ok((Command::new(cargo), false));
    }
    if DEBIAN.iter().any(|file| !Path::new("/usr").join(file).exists()) {
        return Err(BuildFailure::Missing {
            what: format!("this Rust lacks the target {TARGET}"),
            next: ADD_TARGET.to_owned(),
        });
    }
    // Debian packages neither wasm-component-ld nor rust-lld; both are in rustup's toolchain.
    let linkers = rustc_path(&["target-libdir"]).map(|folder| folder.with_file_name("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain(linkers).collect();
    let linker = file_name("wasm-component-ld");
    if !folders.iter().any(|folder| folder.join(&linker).is_file()) {
        return Err(BuildFailure::Missing {
            what: "wasm-component-ld is missing".to_owned(),
            next: format!("install {RUSTUP}"),
        });
    }
    let mut cargo = Command::new("/usr/bin/cargo");
    // Settings of rustup's toolchain must not reach Debian's.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env("RUSTC_BOOTSTRAP", "1").env("RUSTC", "/usr/bin/rustc");
    cargo.env("RUSTFLAGS", "-L native=/usr/lib/wasm32-wasi");
    cargo.env("PATH", env::join_paths(folders).unwrap_or(path));
    Ok((cargo, true))
}

/// True if a folder of libraries has the standard library.
fn has_std(folder: &Path) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
}

/// A path that the compiler prints.
fn rustc_path(print: &[&str]) -> Option<PathBuf> {
    output_of(Command::new("rustc").arg("--print").args(print)).map(PathBuf::from)
}

/// The failure of a build, with the first line that uses what a bot has not.
fn or_not_linked(folder: &Path, why: BuildFailure) -> BuildFailure {
    match (not_linked(&folder.join("src")), why) {
        (Some(used), BuildFailure::Failed { command, .. }) => BuildFailure::Missing {
            what: format!("{command} failed; {used}"),
            next: "repair the errors above; a bot has one thread and no network: do the work in `play` itself, and build data into it"
                .to_owned(),
        },
        (_, why) => why,
    }
}

/// The first use of [`NOT_LINKED`] in a folder of sources: `src/lib.rs:13 uses thread::spawn`.
fn not_linked(sources: &Path) -> Option<String> {
    entries(sources).filter(|(name, _)| name.ends_with(".rs")).find_map(|(name, path)| {
        let text = fs::read_to_string(path).ok()?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        let (index, used) = lines.find_map(|(index, line)| {
            Some((index, NOT_LINKED.into_iter().find(|used| line.contains(used))?))
        })?;
        Some(format!("src/{name}:{} uses {used}", index + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::build::BuildEnd;

    #[test]
    fn a_crate_has_the_name_of_its_manifest_and_a_folder_without_one_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert_eq!(package(folder), None);
        for (manifest, name) in [
            ("[package]\nname = \"my-bot\"\n[lib]\nname = \"other\"", Some("my-bot")),
            ("[workspace]", None),
            ("[package", None),
        ] {
            fs::write(folder.join("Cargo.toml"), manifest).unwrap();
            assert_eq!(package(folder).as_deref(), name, "{manifest}");
        }
    }

    #[test]
    fn a_crate_that_cannot_be_built_is_a_failed_build_also_beside_an_old_component() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("Cargo.toml"), "[package").unwrap();
        fs::write(folder.join("arena.toml"), "bot = \"bot.wasm\"").unwrap();
        fs::write(folder.join("bot.wasm"), "old").unwrap();
        let project = Project::read(folder).unwrap();
        let built = project.run_build(|| false).unwrap();
        assert!(matches!(built, BuildEnd::Failed { .. }), "{built:?}");
    }

    #[test]
    fn a_target_is_there_if_its_folder_has_the_standard_library() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert!(!has_std(&folder.join("missing")) && !has_std(folder));
        fs::write(folder.join("libcore-1.rlib"), "").unwrap();
        assert!(!has_std(folder));
        fs::write(folder.join("libstd-1.rlib"), "").unwrap();
        assert!(has_std(folder));
    }

    #[test]
    fn a_use_of_threads_or_sockets_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert_eq!(not_linked(&folder.join("src")), None);
        fs::write(folder.join("a.rs"), "// thread::spawn\nfn f() {}\n").unwrap();
        fs::write(folder.join("b.txt"), "TcpStream").unwrap();
        assert_eq!(not_linked(folder), None);
        fs::write(folder.join("lib.rs"), "mod a;\n    let t = std::thread::spawn(|| 3);\nUdpSocket\n")
            .unwrap();
        assert_eq!(not_linked(folder).as_deref(), Some("src/lib.rs:2 uses thread::spawn"));
    }
}
