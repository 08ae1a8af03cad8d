//! Practice games against random actions, natively: `cargo run --example practice` prints the score of the bot. With `-- --help` it
//! prints its options.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena_sdk::submarine::practice::main::<first_bot::MyBot>()
}
