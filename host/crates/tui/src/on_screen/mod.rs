//! The part of the screens that differs from game to game.

mod input;

pub use input::{Choices, Click, Confirm, Input, Reaction};
pub(crate) use input::{Typed, move_cursor};

use crate::help::Keys;
use arena_pictures::{Moment, Pictured};
use arena_rules::{Coord, Seat};

/// A game that the screens can show, and that a person can play. Each game implements it in a folder of this crate; all other code is the
/// same for all games.
pub trait OnScreen: Pictured {
    /// The glyphs of the screens with their meanings, for the help.
    const GLYPHS: &'static Keys;

    /// The keys of a person who plays with their meanings, for the help.
    const PLAY_KEYS: &'static Keys;

    /// The input of a person's deployment.
    fn placing(info: &Self::Info) -> Box<dyn Input<Self>>;

    /// The input of a person's action at a moment. The cursor begins where it was last, on whichever board.
    fn turn(moment: &Moment<Self>, me: Seat, cursor: Coord) -> Box<dyn Input<Self>>;
}
