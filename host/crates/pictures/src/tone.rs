//! Text and cells with their meaning.

use std::borrow::Cow;

/// The meaning of a piece of text or a cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Text.
    Text,
    /// Text that should not catch the eye: labels, water.
    Faint,
    /// Text that should catch the eye: titles, the side to move.
    Strong,
    /// A key, in a footer or in the help.
    Key,
    /// Part of a ship that has not been hit.
    Ship,
    /// Water that was shot at.
    Miss,
    /// Part of a ship that was hit.
    Hit,
    /// Part of a ship that is sunk.
    Sunk,
    /// A fault, or an input that is not legal.
    Fault,
    /// Something good: a legal input, a ship that can be placed.
    Good,
    /// The last shot or move.
    Last,
    /// The cell with the cursor.
    Cursor,
    /// The result of the game.
    Result,
}

/// A piece of text with its tone.
pub type Piece<'a> = (Cow<'a, str>, Tone);

/// A piece of a line.
pub fn piece<'a>(text: impl Into<Cow<'a, str>>, tone: Tone) -> Piece<'a> {
    (text.into(), tone)
}
