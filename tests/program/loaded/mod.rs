//! Contests in games that are components: the example games with their bots in Rust, which `cargo xtask bots` builds. Those in Python
//! play in `cargo xtask languages python`.

mod commands;
mod contests;
mod failures;
mod screens;

use crate::support::{Place, SEED};
use std::fs;
use std::path::Path;

/// The folder of the example games.
fn examples() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/games"))
}

/// A folder with a game and a bot for it, in files with their names.
fn place(game: &str, bot: &str) -> Place {
    let place = Place::empty();
    for (from, name) in
        [(format!("{game}/{game}.wasm"), game), (format!("{game}/bots/{bot}/{bot}.wasm"), bot)]
    {
        let from = examples().join(from);
        assert!(from.is_file(), "{} is missing: build it with `cargo xtask bots`", from.display());
        fs::copy(from, place.path(&format!("{name}.wasm"))).expect("it can be copied");
    }
    place
}

/// A folder with Connect Four, its bot in Rust, and the journal of a match of four games in `j.db`.
fn with_journal() -> Place {
    let place = place("connect-four", "one-ahead");
    let run = format!(
        "run --game connect-four.wasm one-ahead.wasm builtin:random --games 4 --seed {SEED} --journal j.db"
    );
    place.arena(&run).expect_code(0);
    place
}
