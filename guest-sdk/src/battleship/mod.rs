//! The Battleship games, for bots that play under the rules `guide`, `classic` or `pirates`, or those of a file.

pub mod bindings;
mod chart;
mod game;
pub mod practice;
mod tracked_board;

#[doc(inline)]
pub use crate::__export_battleship as export;
pub use arena_rules::battleship::inference::{Chances, Effort, Fleets};
pub use arena_rules::battleship::{Mark, OwnCell};
pub use chart::Chart;
pub use game::{Game, View};
pub use tracked_board::TrackedBoard;

use arena_rules::{Coord, Placement};

/// A Battleship bot.
///
/// One value plays one game. It is made with [`Default`] before the first call, and keeps its state between the calls.
/// Use the state only as a cache: a bot that overran its budget continues as a fresh value in the middle of the game.
/// Everything needed to continue is in [`Game`] and [`View`], so the safest bot is a function of them.
///
/// ```
/// use arena_sdk::{Bot, Coord, Direction, Game, Placement, View};
///
/// /// Counts its turns, places its ships in rows of their own where they fit, and shoots row by row.
/// #[derive(Default)]
/// struct Counting {
///     turns: u32,
/// }
///
/// impl Bot for Counting {
///     const NAME: &'static str = "counting";
///
///     fn deploy(&mut self, game: &Game) -> Vec<Placement> {
///         let rows = (0..game.size.height).step_by(2).map(|row| Coord::new(row, 0));
///         let fleet: Vec<Placement> = rows.map(|anchor| Placement::new(anchor, Direction::East)).collect();
///         if game.is_legal_fleet(&fleet) { fleet } else { game.random_fleet(&mut game.rng(0)) }
///     }
///
///     fn play(&mut self, _: &Game, view: &View) -> Option<Coord> {
///         self.turns += 1;
///         println!("call {} in turn {}", self.turns, view.turn);
///         view.targets().next()
///     }
/// }
/// # let rules = arena_sdk::practice::Ruleset::guide();
/// # arena_sdk::practice::solo::<Counting>(&rules, 2, 7)?;
/// # Ok::<(), arena_sdk::practice::Foul>(())
/// ```
pub trait Bot: Default + 'static {
    /// The name to display. It is cut to 64 characters.
    const NAME: &'static str;

    /// Returns the placements of the fleet: one for each length in `game.fleet`, in the same order.
    ///
    /// It is called once, before the first turn, unless the arena places the fleets. An illegal fleet loses the game.
    /// The default implementation returns a legal random fleet, a different one in each game.
    fn deploy(&mut self, game: &Game) -> Vec<Placement> {
        game.random_fleet(&mut game.rng(0))
    }

    /// Returns the next shot, or `None` to skip the turn.
    ///
    /// A shot at a cell of `view.targets()` is legal under all rules. For other shots, depending on the rules, the bot
    /// is asked again, or the turn is wasted, or the bot loses the game. A skip passes the turn or loses the game.
    fn play(&mut self, game: &Game, view: &View) -> Option<Coord>;
}

/// Exports a type that implements [`Bot`] as the component's `arena:battleship/bot`. This makes the crate a bot.
///
/// Use it once in a crate, with `crate-type = ["cdylib"]`. In a native build, such as for `cargo test`, it only checks
/// that the type is a bot.
#[doc(hidden)]
#[macro_export]
macro_rules! __export_battleship {
    ($bot:ty) => {
        $crate::__export!($bot, battleship);
    };
}
