//! The house bots: their crates, and their components next to them, in `bots/` and a folder for each further game.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::environment;
use crate::step;
use crate::toolchain::{self, TARGET, Toolchain};

/// The folders of the house bots' crates, relative to the root, sorted: those in `bots/` play Battleship, those of another
/// game are in a folder of its name.
pub fn crates() -> Result<Vec<PathBuf>> {
    let mut crates = Vec::new();
    let mut folders = vec![PathBuf::from("bots")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(environment::root().join(&folder))
            .with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.path().join("Cargo.toml").is_file() {
                crates.push(path);
            } else if entry.path().is_dir() {
                folders.push(path);
            }
        }
    }
    crates.sort();
    Ok(crates)
}

/// The first bytes of a component: the magic number, then a version and layer that no core module has.
const COMPONENT_HEADER: [u8; 8] = *b"\0asm\x0d\0\x01\0";

/// The first bytes of a core module, which remains if no component was made from it.
const MODULE_HEADER: [u8; 8] = *b"\0asm\x01\0\0\0";

/// The path of a house bot's component, relative to the root: next to its crate, so that the bots in `bots/*.wasm` can
/// play each other.
pub fn component(crate_dir: &Path) -> PathBuf {
    crate_dir.with_extension("wasm")
}

/// The specimen of the tests that is written in Rust. Its component is next to its crate, too.
const SPECIMEN: &str = "tests/foreseer";

/// Builds the house bots, and copies their components to their places.
pub fn build() -> Result<Toolchain> {
    let toolchain = toolchain::prepare(TARGET)?;
    build_crates(&crates()?, &toolchain, step::run)?;
    Ok(toolchain)
}

/// Builds the house bots, and what only tests need: the specimen, and the example games with their bots in Rust.
pub fn build_with_specimen() -> Result<Toolchain> {
    let toolchain = build()?;
    build_crates(&[SPECIMEN.into()], &toolchain, step::run)?;
    build_games(&toolchain, step::run)?;
    Ok(toolchain)
}

/// The folder of the example games.
pub const GAMES: &str = "examples/games";

/// The folders of the example games and of their bots, in one language: those with this file, relative to the root, sorted.
pub fn games_and_bots(file: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for game in folders_in(Path::new(GAMES))? {
        found.extend(folders_in(&game.join("bots"))?);
        found.push(game);
    }
    found.retain(|folder| environment::root().join(folder).join(file).is_file());
    found.sort();
    Ok(found)
}

/// The folders in a folder, relative to the root.
pub fn folders_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(environment::root().join(folder))
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.path().is_dir() {
            folders.push(folder.join(entry.file_name()));
        }
    }
    Ok(folders)
}

/// Builds the example games and their bots in Rust. Each is a workspace of its own, and its component is in its folder, as `arena build`
/// puts it.
fn build_games(toolchain: &Toolchain, run: fn(&str, &mut Command) -> Result<()>) -> Result<()> {
    let target_dir = toolchain::target_dir()?;
    for folder in games_and_bots("Cargo.toml")? {
        let name = folder.file_name().unwrap_or_default();
        let mut command = toolchain.build_component(TARGET, &target_dir)?;
        command
            .arg("--locked")
            .arg("--manifest-path")
            .arg(environment::root().join(&folder).join("Cargo.toml"));
        run(&format!("building {} with {}", name.display(), toolchain.name()), &mut command)?;
        install(
            &toolchain::artifact(&target_dir, TARGET, &folder),
            &folder.join(name).with_extension("wasm"),
        )?;
    }
    Ok(())
}

/// Builds the house bots, and what only tests need, at the same time as something else: output is shown only if a build fails.
pub fn build_all_hidden(toolchain: &Toolchain) -> Result<()> {
    let mut crates = crates()?;
    crates.push(SPECIMEN.into());
    build_crates(&crates, toolchain, step::run_hidden)?;
    build_games(toolchain, step::run_hidden)
}

/// Builds crates of bots, each by itself: together they would share the features of their dependencies, and each would be another file.
pub fn build_crates(
    crates: &[PathBuf],
    toolchain: &Toolchain,
    run: fn(&str, &mut Command) -> Result<()>,
) -> Result<()> {
    let target_dir = toolchain::target_dir()?;
    for bot in crates {
        let name = bot.file_name().unwrap_or_default();
        let mut command = toolchain.build_component(TARGET, &target_dir)?;
        command.arg("-p").arg(name);
        run(&format!("building {} with {}", name.display(), toolchain.name()), &mut command)?;
        install(&toolchain::artifact(&target_dir, TARGET, bot), &component(bot))?;
    }
    Ok(())
}

/// Reads a built file and checks that it is a component.
pub fn read_component(path: &Path) -> Result<Vec<u8>> {
    let shown = path.display();
    let bytes = fs::read(path).with_context(|| format!("the build did not write {shown}"))?;
    if bytes.starts_with(&MODULE_HEADER) {
        bail!("{shown} is a core module, not a component: does the crate export a bot with `export!`?");
    }
    if !bytes.starts_with(&COMPONENT_HEADER) {
        bail!("{shown} is not a WebAssembly component");
    }
    Ok(bytes)
}

/// Copies a component to its place, relative to the root, unless it is already there.
fn install(from: &Path, place: &Path) -> Result<()> {
    let bytes = read_component(from)?;
    let to = environment::root().join(place);
    if fs::read(&to).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    write_whole(&to, &bytes).with_context(|| format!("cannot write {}", to.display()))?;
    step::say(&format!("{}: {} KiB", place.display(), bytes.len().div_ceil(1024)));
    Ok(())
}

/// Writes a file, and its folder if it is missing. A reader sees the old file or the new one, never a part.
fn write_whole(to: &Path, bytes: &[u8]) -> Result<()> {
    let name = to.file_stem().unwrap_or_default().display();
    // Hidden from `bots/*.wasm` in a shell, and ignored by git like the components.
    let part = to.with_file_name(format!(".{name}.{}.wasm", std::process::id()));
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::write(&part, bytes)?;
    fs::rename(&part, to).inspect_err(|_| {
        // The error of the rename matters; a leftover file is only untidy.
        let _ = fs::remove_file(&part);
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_bots_are_found_with_the_place_of_their_components() {
        let components: Vec<PathBuf> = crates().unwrap().iter().map(|bot| component(bot)).collect();
        assert!(components.is_sorted());
        for component in ["bots/hunter.wasm", "bots/submarine/sub-random.wasm"] {
            assert!(components.contains(&component.into()), "{component}: {components:?}");
        }
    }

    #[test]
    fn every_house_bot_has_a_row_in_the_ladder_that_leads_to_its_first_page() {
        let ladder = fs::read_to_string(environment::root().join("bots/README.md")).unwrap();
        let rows = ladder.lines().filter_map(|line| line.strip_prefix("| [`"));
        let mut rows: Vec<&str> = rows.map(|row| row.split(") |").next().unwrap()).collect();
        rows.sort_unstable();
        let row = |bot: &PathBuf| {
            let name = bot.file_name().unwrap().display();
            format!("{name}`]({}/src/lib.rs", bot.strip_prefix("bots").unwrap().display())
        };
        let mut expected: Vec<String> = crates().unwrap().iter().map(row).collect();
        expected.sort_unstable();
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_core_module_is_not_accepted_as_a_component() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("bot.wasm");
        write_whole(&file, &MODULE_HEADER).unwrap();
        assert!(read_component(&file).unwrap_err().to_string().contains("is a core module"));
        write_whole(&file, &COMPONENT_HEADER).unwrap();
        assert_eq!(read_component(&file).unwrap(), COMPONENT_HEADER);
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "a temporary file was left behind");
    }
}
