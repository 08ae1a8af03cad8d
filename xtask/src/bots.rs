//! The house bots: from their crates to `bots/*.wasm`, and to `bots/submarine/*.wasm` for those that play submarine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::environment;
use crate::step;
use crate::toolchain::{self, TARGET, Toolchain};

/// The house bots that play Battleship, sorted by name. Each is a crate in the folder of that name under `bots/`.
pub const BATTLESHIP_BOTS: [&str; 3] = ["hunter", "random", "sweeper"];

/// Those that play submarine, sorted by name; their crates lie there too.
pub const SUBMARINE_BOTS: [&str; 2] = ["sub-random", "sub-tracker"];

/// All house bots.
pub fn all() -> impl Iterator<Item = &'static str> {
    BATTLESHIP_BOTS.into_iter().chain(SUBMARINE_BOTS)
}

/// How every component starts: the magic number, then the version and layer that tell it from a core module.
const COMPONENT_HEADER: [u8; 8] = *b"\0asm\x0d\0\x01\0";

/// How a core module starts, which is what is left if nothing made a component of it.
const MODULE_HEADER: [u8; 8] = *b"\0asm\x01\0\0\0";

/// Where a house bot's component lies, seen from the root: a folder for each game, so that `bots/*.wasm` in a shell can
/// play each other.
pub fn path(bot: &str) -> PathBuf {
    let folder = if SUBMARINE_BOTS.contains(&bot) { "bots/submarine" } else { "bots" };
    Path::new(folder).join(bot).with_extension("wasm")
}

/// Builds the house bots and puts their components where a match looks for them.
pub fn build() -> Result<Toolchain> {
    let toolchain = toolchain::prepare(TARGET)?;
    let target_dir = toolchain::target_dir()?;
    let mut command = toolchain.build(TARGET, &target_dir)?;
    for bot in all() {
        command.args(["-p", bot]);
    }
    step::say(&format!("bots are built {}", toolchain.described()));
    step::run("building the house bots", &mut command)?;
    for bot in all() {
        let built = toolchain::artifact(&target_dir, TARGET, Path::new(bot));
        install(&built, &environment::root().join(path(bot)))?;
    }
    Ok(toolchain)
}

/// Reads a built file and makes sure that it is a component.
pub fn read_component(path: &Path) -> Result<Vec<u8>> {
    let bytes =
        fs::read(path).with_context(|| format!("the build left nothing to read at {}", path.display()))?;
    if bytes.starts_with(&MODULE_HEADER) {
        bail!(
            "{} is a core module, not a component: does the crate export a bot with `export!`?",
            path.display()
        );
    }
    if !bytes.starts_with(&COMPONENT_HEADER) {
        bail!("{} is not a WebAssembly component", path.display());
    }
    Ok(bytes)
}

/// Copies a component to its place, unless it is there already.
fn install(from: &Path, to: &Path) -> Result<()> {
    let bytes = read_component(from)?;
    let shown = to.strip_prefix(environment::root()).unwrap_or(to).display();
    if fs::read(to).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    write_whole(to, &bytes).with_context(|| format!("cannot write {}", to.display()))?;
    step::say(&format!("{shown}: {} KiB", bytes.len().div_ceil(1024)));
    Ok(())
}

/// Writes a file so that whoever opens it sees the old one or the new one, never a part.
fn write_whole(to: &Path, bytes: &[u8]) -> Result<()> {
    let name = to.file_stem().unwrap_or_default().to_string_lossy();
    // Hidden from `bots/*.wasm` in a shell, and ignored by git like the components themselves.
    let half = to.with_file_name(format!(".{name}.{}.wasm", std::process::id()));
    fs::write(&half, bytes)?;
    fs::rename(&half, to).inspect_err(|_| {
        // The error that matters is the rename's; a leftover file is only untidy.
        let _ = fs::remove_file(&half);
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_house_bot_has_its_crate() {
        for bot in all() {
            let manifest = environment::root().join("bots").join(bot).join("Cargo.toml");
            assert!(manifest.is_file(), "{}", manifest.display());
        }
    }

    #[test]
    fn the_house_bots_are_sorted_by_name() {
        assert!(BATTLESHIP_BOTS.is_sorted() && SUBMARINE_BOTS.is_sorted());
    }

    #[test]
    fn bots_of_one_game_lie_in_one_folder() {
        let paths: Vec<PathBuf> = ["hunter", "sub-random"].map(path).to_vec();
        assert_eq!(paths, [Path::new("bots/hunter.wasm"), Path::new("bots/submarine/sub-random.wasm")]);
    }

    #[test]
    fn a_core_module_is_not_taken_for_a_component() {
        let dir = std::env::temp_dir().join(format!("xtask-bots-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let file = dir.join("bot.wasm");
        write_whole(&file, &MODULE_HEADER).unwrap();
        assert!(read_component(&file).unwrap_err().to_string().contains("is a core module"));
        write_whole(&file, &COMPONENT_HEADER).unwrap();
        assert_eq!(read_component(&file).unwrap(), COMPONENT_HEADER);
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "a part was left behind");
        fs::remove_dir_all(dir).unwrap();
    }
}
