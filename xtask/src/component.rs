//! The check that bots build with `cargo component build --release` too, the command that many bot authors know.
//!
//! It is a check of its own: cargo-component takes minutes to compile, and nothing else here needs it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::arena;
use crate::bots;
use crate::checks::EXAMPLE_BOT;
use crate::environment;
use crate::step;
use crate::sysroot;
use crate::toolchain::{self, Toolchain};
use crate::tools::Tool;

/// The target on which `cargo component` builds: a core module, which it then turns into a component.
const TARGET: &str = "wasm32-wasip1";

const CARGO_COMPONENT: Tool =
    Tool { name: "cargo-component", version: "0.21.1", takes: "more than five minutes of compiling" };

/// The WASI that cargo-component's adapter imports, as it stands in the component. The host must take it as well as
/// the one that the compiler's own target imports, so a change here is worth noticing.
const WASI_IMPORTED: &str = "wasi:io/streams@0.2.3";

/// Builds the house bots and the example bot as an author would, and checks what comes out.
pub fn run() -> Result<()> {
    let arena = arena::build()?;
    let tools = CARGO_COMPONENT.find_or_install()?;
    let toolchain = toolchain::prepare(TARGET)?;
    let target_dir = environment::target_dir()?.join("component");
    let mut command = cargo(&toolchain, &tools)?;
    command.args(["component", "build", "--release"]).env("CARGO_TARGET_DIR", &target_dir);
    // Meant for the host; a bot's build may break on them.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");

    let folders: Vec<PathBuf> = bots::all().map(|bot| Path::new("bots").join(bot)).collect();
    for folder in folders.iter().map(PathBuf::as_path).chain([Path::new(EXAMPLE_BOT)]) {
        let name = format!("cargo component build --release in {}", folder.display());
        step::run(&name, command.current_dir(environment::root().join(folder)))?;
        let built = toolchain::artifact(&target_dir, TARGET, folder);
        check_imports(&built)?;
        let name = format!("arena check {}.wasm", folder.file_name().unwrap_or_default().display());
        step::run(&name, Command::new(&arena).arg("check").arg(&built))?;
    }
    Ok(())
}

/// Cargo with cargo-component within its reach.
fn cargo(toolchain: &Toolchain, tools: &Path) -> Result<Command> {
    let mut command = match toolchain {
        Toolchain::AtHand => environment::cargo(),
        Toolchain::Debian(rust) => {
            let sysroot = sysroot::build(rust, TARGET)?;
            sysroot::cargo(rust, &sysroot)?
        }
    };
    let path = command
        .get_envs()
        .find(|(name, _)| *name == "PATH")
        .and_then(|(_, path)| path.map(ToOwned::to_owned));
    let path = path.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    command.env("PATH", environment::path_with(&path, tools)?);
    Ok(command)
}

/// Checks that a file is a component and imports the WASI that the host was told to expect.
fn check_imports(path: &Path) -> Result<()> {
    let bytes = bots::read_component(path)?;
    if !contains(&bytes, WASI_IMPORTED.as_bytes()) {
        bail!("{} does not import {WASI_IMPORTED}: has cargo-component's adapter changed?", path.display());
    }
    Ok(())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_wherever_it_lies() {
        assert!(contains(b"\0asm wasi:io", b"wasi:io"));
        assert!(!contains(b"wasi:i", b"wasi:io"));
    }
}
