//! The part of the report that differs from game to game.

use arena_pictures::Pictured;
use arena_rules::Coord;

/// A game that the report can show. Each game implements it in a file of this crate; all other code is the same for all games.
pub trait Reported: Pictured {
    /// The name of a shot, in the plural, with a capital letter.
    const SHOTS: &'static str;

    /// The signs on the boards of a replay with their meanings.
    const SIGNS: &'static [(&'static str, &'static str)];

    /// The cell that an action shoots at, if it is a shot. It may be off the board.
    fn shot(action: &Self::Action) -> Option<Coord>;

    /// The cells on which a side's ships begin the game.
    fn ship_cells(setup: &Self::Setup) -> Vec<Coord>;
}
