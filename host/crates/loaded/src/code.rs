//! The code of a loaded game, as the arena calls it.

use arena_rules::Seat;
use arena_text::Line;
use std::collections::BTreeMap;

/// A failure of a game's own code: the call that failed, and why. It may quote the code, in at most 400 characters. Chosen: five lines of a
/// terminal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub Line<400>);

impl<T: Into<Line<400>>> From<T> for Failure {
    fn from(why: T) -> Self {
        Self(why.into())
    }
}

/// The code of a game. It is shared by all games that are played with it.
pub trait Code: Send + Sync + 'static {
    /// A state at the beginning of a game: with a value for each parameter, with a seed for everything that is drawn, and the seat that
    /// moves first.
    ///
    /// # Errors
    /// The code failed, or refuses these values together.
    fn begin(
        &self,
        settings: &BTreeMap<String, i64>,
        seed: u64,
        starter: Seat,
    ) -> Result<Box<dyn State>, Failure>;
}

/// A state of a game. After a call that failed, none follows.
///
/// Calls that ask take the state mutably, too, because an instance that runs code changes.
pub trait State: Send {
    /// The seat to move; `None` after the end.
    ///
    /// # Errors
    /// The code failed.
    fn to_move(&mut self) -> Result<Option<Seat>, Failure>;

    /// The winner and the name of the ending. It is asked only after the end.
    ///
    /// # Errors
    /// The code failed.
    fn outcome(&mut self) -> Result<(Option<Seat>, String), Failure>;

    /// The part of the state that a side may know. It is asked only before the end.
    ///
    /// # Errors
    /// The code failed.
    fn observe(&mut self, viewer: Seat) -> Result<String, Failure>;

    /// Applies an action of the side to move. Text that is no action of the game is refused.
    ///
    /// # Errors
    /// The code failed.
    fn apply(&mut self, action: &str) -> Result<Applied<String>, Failure>;

    /// Records that the side to move overran its turn's budget.
    ///
    /// # Errors
    /// The code failed.
    fn overrun(&mut self) -> Result<Penalty, Failure>;

    /// A legal action of the side to move, drawn with a seed.
    ///
    /// # Errors
    /// The code failed.
    fn random_action(&mut self, seed: u64) -> Result<String, Failure>;
}

/// The consequence of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied<Effect> {
    /// It took the turn, with this effect.
    Done(Effect),
    /// It is not legal, for this reason, and the same side is asked again.
    Retry(String),
    /// It is not legal, for this reason, and the side has lost.
    Lost(String),
}

/// The consequence of an overrun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// The turn is lost.
    Turn,
    /// The game is lost.
    Game,
}
