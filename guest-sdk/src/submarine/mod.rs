//! Submarine: ships of one cell that move and shoot from where they are, on a board of 5 by 5.
//!
//! Each side has a battleship, a cruiser and a submarine, with 3, 2 and 1 hit points. A turn is an attack on a cell on
//! or within one step of an own ship, diagonals included, or a move of one ship along its row or column, over any
//! distance. Both sides receive a report: the ship that was hit and the ships next to the cell, or how far a ship went,
//! but not from where. An illegal action loses the game at once, and so does a turn that overruns its budget.
//!
//! A bot is written as for Battleship, with other `use` and `export!` lines:
//!
//! ```
//! use arena_sdk::submarine::{Action, Bot, Game, View};
//!
//! /// Attacks a random cell within reach.
//! #[derive(Default)]
//! struct MyBot;
//!
//! impl Bot for MyBot {
//!     const NAME: &'static str = "my bot";
//!
//!     fn play(&mut self, game: &Game, view: &View) -> Action {
//!         let target = game.rng(view.turn).pick(view.reach());
//!         Action::Attack(target.expect("a ship is afloat, and reaches its own cell at least"))
//!     }
//! }
//!
//! arena_sdk::submarine::export!(MyBot);
//!
//! // The bot can be tried against itself natively, without WebAssembly:
//! let score = arena_sdk::submarine::practice::play::<MyBot, MyBot>(20, 7)?;
//! println!("{score}");
//! assert_eq!(score.wins + score.draws + score.losses, 20);
//! # Ok::<(), arena_sdk::submarine::practice::Foul>(())
//! ```
//!
//! The [`Tracker`] draws conclusions from the reports: it has all possible positions of the enemy.

pub mod bindings;
mod game;
pub mod practice;

#[doc(inline)]
pub use crate::__export_submarine as export;
pub use arena_rules::submarine::{Action, EnemyShip, Illegal, OwnShip, Report, SIZE, Ship, Tracker, View};
pub use game::Game;

use arena_rules::Coord;

/// A submarine bot.
///
/// One value plays one game. It is made with [`Default`] before the first call, and keeps its state to the end of the
/// game. The state is never lost during a game, because an overrun of the budget loses at once.
///
/// ```
/// use arena_sdk::Coord;
/// use arena_sdk::submarine::{Action, Bot, Game, Tracker, View};
///
/// /// Begins in a row, and attacks a cell in reach on which the enemy's battleship may be.
/// #[derive(Default)]
/// struct Seeker {
///     enemy: Tracker,
/// }
///
/// impl Bot for Seeker {
///     const NAME: &'static str = "seeker";
///
///     fn deploy(&mut self, _: &Game) -> [Coord; 3] {
///         [Coord::new(2, 1), Coord::new(2, 2), Coord::new(2, 3)]
///     }
///
///     fn play(&mut self, game: &Game, view: &View) -> Action {
///         self.enemy.observe(view);
///         let may_be = |at: &Coord| self.enemy.states().any(|[battleship, ..]| battleship == Some(*at));
///         let mut rng = game.rng(view.turn);
///         let action = rng.pick(view.reach().filter(may_be)).map(Action::Attack);
///         action.or_else(|| rng.pick(view.legal_actions())).expect("there is always a legal action")
///     }
/// }
/// # arena_sdk::submarine::practice::play::<Seeker, Seeker>(2, 7)?;
/// # Ok::<(), arena_sdk::submarine::practice::Foul>(())
/// ```
pub trait Bot: Default + 'static {
    /// The name to display. It is cut to 64 characters.
    const NAME: &'static str;

    /// Returns the cells on which the battleship, the cruiser and the submarine begin. They must be different.
    ///
    /// It is called once, before the first turn. The default implementation returns random cells, different ones in
    /// each game.
    fn deploy(&mut self, game: &Game) -> [Coord; 3] {
        game.random_positions(&mut game.rng(0))
    }

    /// Returns the next action, one of `view.legal_actions()`. Any other action loses the game.
    fn play(&mut self, game: &Game, view: &View) -> Action;
}

/// Exports a type that implements [`Bot`] as the component's `arena:submarine/bot`. This makes the crate a bot.
///
/// Use it once in a crate, with `crate-type = ["cdylib"]`. In a native build, such as for `cargo test`, it only checks
/// that the type is a bot.
#[doc(hidden)]
#[macro_export]
macro_rules! __export_submarine {
    ($bot:ty) => {
        $crate::__export!($bot, submarine);
    };
}
