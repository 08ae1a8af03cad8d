//! The check that bots also build with `cargo component build --release`, a command that many bot authors know.
//!
//! It is not part of `cargo xtask test` because cargo-component takes minutes to compile and nothing else needs it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::arena;
use crate::bots;
use crate::checks::EXAMPLE_BOT;
use crate::environment;
use crate::step;
use crate::sysroot;
use crate::toolchain::{self, Toolchain};
use crate::tools;

/// The target of `cargo component`: a core module, which it then turns into a component.
const TARGET: &str = "wasm32-wasip1";

/// The WASI that cargo-component's adapter imports, as written in a component. The host must support it as well as the
/// one that the target wasm32-wasip2 imports, so a change is worth noticing.
const WASI_IMPORTED: &str = "wasi:io/streams@0.2.3";

/// Builds the house bots and the example bot as an author would, and checks the components.
pub fn run() -> Result<()> {
    let arena = arena::build()?;
    let cargo_component =
        tools::find_or_install("cargo-component", "0.21.1", None, "more than five minutes")?;
    let mut command = match toolchain::prepare(TARGET)? {
        Toolchain::Installed => environment::cargo(),
        Toolchain::Debian { linkers } => sysroot::cargo(&linkers, TARGET)?,
    };
    environment::extend_path(&mut command, None, cargo_component.parent())?;
    let target_dir = environment::target_dir()?.join("component");
    command.args(["component", "build", "--release"]).env("CARGO_TARGET_DIR", &target_dir);
    // Flags for the host may break the build of a bot.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");

    for folder in bots::crates()?.into_iter().chain([PathBuf::from(EXAMPLE_BOT)]) {
        let name = format!("cargo component build --release in {}", folder.display());
        step::run(&name, command.current_dir(environment::root().join(&folder)))?;
        let built = toolchain::artifact(&target_dir, TARGET, &folder);
        ensure!(
            contains(&bots::read_component(&built)?, WASI_IMPORTED.as_bytes()),
            "{} does not import {WASI_IMPORTED}: has cargo-component's adapter changed?",
            built.display()
        );
        let name = format!("arena check {}.wasm", folder.file_name().unwrap_or_default().display());
        step::run(&name, Command::new(&arena).arg("check").arg(&built))?;
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
    fn a_part_is_found_at_any_position() {
        assert!(contains(b"\0asm wasi:io", b"wasi:io"));
        assert!(!contains(b"wasi:i", b"wasi:io"));
    }
}
