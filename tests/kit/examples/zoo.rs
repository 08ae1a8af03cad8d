//! Writes the zoo's specimens as components into a folder, for trying the arena by hand:
//! `cargo run --release -p arena-testkit --example zoo -- FOLDER`.

use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "zoo".into()));
    std::fs::create_dir_all(&folder)?;
    for name in arena_testkit::zoo_names() {
        std::fs::write(folder.join(&name).with_extension("wasm"), arena_testkit::zoo(&name))?;
    }
    Ok(())
}
