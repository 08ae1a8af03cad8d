//! Everything for writing a bot for the arena: one trait, one macro line.
//!
//! A bot is a crate with `crate-type = ["cdylib"]` that depends on this one:
//!
//! ```
//! use arena_sdk::{Bot, Coord, Game, View};
//!
//! /// Shoots anywhere, but never twice at the same cell.
//! #[derive(Default)]
//! struct MyBot;
//!
//! impl Bot for MyBot {
//!     const NAME: &'static str = "my bot";
//!
//!     fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
//!         game.rng(view.turn).pick(view.targets())
//!     }
//! }
//!
//! arena_sdk::export!(MyBot);
//!
//! // And it can be tried right here, with no WebAssembly in sight:
//! let score = arena_sdk::practice::solo::<MyBot>(&arena_sdk::practice::Ruleset::guide(), 20, 7)?;
//! println!("{score}");
//! assert!(score.mean_shots < 100.0);
//! # Ok::<(), arena_sdk::practice::Foul>(())
//! ```
//!
//! `cargo build --release --target wasm32-wasip2` (once: `rustup target add wasm32-wasip2`) makes of it a component that
//! the arena runs, and so does `cargo component build --release`.
//!
//! # What a bot can count on
//! - **One value, one game.** The bot's value is made with `Default` for each game and keeps its memory between the calls.
//!   After an overrun of the budget the game may go on with a *fresh* value, so memory is a cache, not the truth:
//!   [`Game`] and [`View`] come whole with every call.
//! - **A fleet for nothing.** [`Bot::deploy`] has a default: a legal random fleet, another in each game.
//! - **Randomness that repeats.** [`Game::rng`] gives random numbers for a turn, from the game's seed. The clock and the
//!   system's random numbers stand still in the arena: the same bots, rules and seed give the same game, move for move.
//! - **`println!` works.** What a bot prints to standard output and error ends in its log, and boards print as drawings:
//!   `println!("{}", view.attacks)`. A panic loses the game; its message is in the log too.
//! - **Nothing else.** There are no files, no network, no environment.
//!
//! # What is here
//! - [`Bot`], [`Game`], [`View`] and [`export!`]: the [`battleship`] games, which are at the root since most bots play them.
//! - [`submarine`]: the same four for the other game, in which ships move.
//! - [`Grid`]: a board of anything, by row and column. [`Coord`], [`Direction`], [`Placement`], [`Size`]: the geometry.
//! - [`shot_board`]: what shooting has taught about the opponent's ships, and [`battleship::Lookout`], which keeps it up
//!   from view to view.
//! - [`Rng`]: small and seeded.
//! - [`practice`]: how many shots a bot needs, natively, from its own `cargo test`.
#![warn(missing_docs)]

pub mod battleship;
mod grid;
mod rng;
pub mod submarine;

pub use arena_rules::shot_board;
pub use arena_rules::{Coord, Direction, Placement, Size};
pub use battleship::{Bot, Game, Mark, OwnCell, View, export, practice};
pub use grid::{DrawingError, Grid};
pub use rng::Rng;
