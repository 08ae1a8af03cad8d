//! The SDK for writing a bot for the arena: a trait to implement and a macro to export it.
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
//! // The bot can be tried natively, without WebAssembly:
//! let score = arena_sdk::practice::solo::<MyBot>(&arena_sdk::practice::Ruleset::guide(), 20, 7)?;
//! println!("{score}");
//! assert!(score.mean_shots < 100.0);
//! # Ok::<(), arena_sdk::practice::Foul>(())
//! ```
//!
//! A stronger bot asks which fleets the opponent can have, and shoots where most of them have a ship:
//!
//! ```
//! use arena_sdk::battleship::{Effort, TrackedBoard};
//! use arena_sdk::practice::{self, Ruleset};
//! use arena_sdk::{Bot, Coord, Game, Grid, View};
//!
//! #[derive(Default)]
//! struct Likely {
//!     board: TrackedBoard,
//! }
//!
//! impl Bot for Likely {
//!     const NAME: &'static str = "likely";
//!
//!     fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
//!         let mut rng = game.rng(view.turn);
//!         let board = self.board.update(game, view);
//!         let fleets = game.possible_fleets::<2>(board, view, Effort::of(100), &mut rng);
//!         let Some(chances) = fleets.chances() else { return rng.pick(view.targets()) };
//!         let chances = Grid::from_cells(game.size, chances.cells);
//!         view.targets().max_by(|a, b| chances[*a].total_cmp(&chances[*b]))
//!     }
//! }
//!
//! let score = practice::solo::<Likely>(&Ruleset::classic(), 3, 7)?;
//! assert!(score.mean_shots < 75.0, "{score}");
//! # Ok::<(), practice::Foul>(())
//! ```
//!
//! In the other game, ships move. Its trait is in [`submarine`]:
//!
//! ```
//! use arena_sdk::submarine::{Action, Bot, Game, View, practice};
//!
//! /// Attacks a random cell within reach.
//! #[derive(Default)]
//! struct Hasty;
//!
//! impl Bot for Hasty {
//!     const NAME: &'static str = "hasty";
//!
//!     fn play(&mut self, game: &Game, view: &View) -> Action {
//!         let target = game.rng(view.turn).pick(view.reach());
//!         Action::Attack(target.expect("a ship is afloat, and reaches its own cell at least"))
//!     }
//! }
//!
//! let score = practice::play::<Hasty, Hasty>(20, 7)?;
//! assert_eq!(score.wins + score.draws + score.losses, 20);
//! # Ok::<(), practice::Foul>(())
//! ```
//!
//! `cargo build --release --target wasm32-wasip2` (once: `rustup target add wasm32-wasip2`) builds a component that the
//! arena runs. So does `cargo component build --release`.
//!
//! # Guarantees
//! - **One value per game.** The bot's value is made with `Default` for each game, and keeps its state between the
//!   calls. After an overrun of the budget the game may continue with a *fresh* value, so use the state only as a
//!   cache: every call has a complete [`Game`] and [`View`].
//! - **A default fleet.** Without a `deploy` of its own, a bot places a legal random fleet, a different one in each
//!   game; see [`Bot::deploy`].
//! - **Reproducible randomness.** [`Game::rng`] returns random numbers for a turn, from the game's seed. In the arena
//!   the clock and the system's random numbers are reproducible too: the same bots, rules and seed give the same game,
//!   move for move.
//! - **`println!` works.** Standard output and standard error go to the bot's log. Boards print as drawings:
//!   `println!("{}", view.attacks)`. A panic loses the game; its message is in the log too.
//! - **No access to the machine.** There are no files, no network and no environment variables.
//!
//! # Contents
//! - [`Bot`], [`Game`], [`View`] and [`export!`]: the [`battleship`] games. They are at the root because most bots play
//!   them.
//! - [`submarine`]: the same four for the other game, in which ships move.
//! - [`Grid`]: a board with a value for each cell. [`Coord`], [`Direction`], [`Placement`], [`Size`]: the geometry.
//! - [`CellSet`]: a set of cells as bits, for bots that compute a lot: union, neighbours, moves, counts in a few instructions.
//!   [`Ways`] has all ways to place a ship as sets, and [`for_board!`] lets a bot play on boards of any size.
//! - [`shot_board`]: what is known about the opponent's ships from the shots so far. [`battleship::TrackedBoard`] keeps it
//!   up to date from view to view.
//! - [`Game::possible_fleets`]: the opponent's fleets that agree with all shots, as a list or as a weighted sample.
//! - [`Rng`]: a small, seeded source of random numbers.
//! - [`practice`]: measures the number of shots that a bot needs, natively, for the bot's own `cargo test` and for a program.
#![warn(missing_docs)]

pub mod battleship;
mod call;
mod cells;
mod glue;
mod grid;
mod program;
mod rng;
pub mod submarine;

pub use arena_rules::battleship::shot_board;
pub use arena_rules::{CellSet, Cells, Coord, Direction, Placement, Size, Ways, for_board};
pub use battleship::{Bot, Game, Mark, OwnCell, View, export, practice};
pub use cells::CellsOf;
pub use grid::{DrawingError, Grid};
pub use rng::Rng;
