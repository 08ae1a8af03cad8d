//! Writes the zoo's specimens and the other bots of `tests/corpus` as components into a folder, for trying the arena by hand:
//! `cargo run --release -p arena-testkit --example zoo -- FOLDER`.

use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "zoo".into()));
    for season in arena_testkit::corpus::seasons() {
        let folder = folder.join(season.name);
        std::fs::create_dir_all(&folder)?;
        for (name, bytes) in season.files {
            std::fs::write(folder.join(name).with_extension("wasm"), bytes)?;
        }
    }
    Ok(())
}
