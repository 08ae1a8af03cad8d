//! Contests in games that are components: the example games with their bots in Rust, which `cargo xtask bots` builds. Those in Python
//! play in `cargo xtask languages python`.

mod bench;
mod commands;
mod contests;
mod failures;
mod screens;

use crate::support::{Place, SEED};

/// A folder with Connect Four, its bot in Rust, and the journal of a match of four games in `j.db`.
fn with_journal() -> Place {
    let place = Place::with_game("connect-four", "one-ahead");
    let run = format!(
        "run --game connect-four.wasm one-ahead.wasm builtin:random --games 4 --seed {SEED} --journal j.db"
    );
    place.arena(&run).expect_code(0);
    place
}
