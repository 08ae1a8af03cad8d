//! Practice boards, natively: `cargo run --example practice` prints the number of shots that the bot needs. With `-- --help` it
//! prints its options.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena_sdk::practice::main::<first_bot::MyBot>()
}
