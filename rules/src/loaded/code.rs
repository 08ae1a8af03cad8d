//! The code of a loaded game, as the arena calls it.

use crate::{Failure, Seat};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;

/// The code of a game. It is shared by all games that are played with it.
pub trait Code: Any + Send + Sync {
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

/// A state of a game. After a call that failed, none follows, except after [`picture`](State::picture) and
/// [`legal_actions`](State::legal_actions): no turn depends on them.
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
    fn observe(&mut self, viewer: Seat) -> Result<Box<dyn Sight>, Failure>;

    /// A picture of the state as text, of one or several plain lines, as a side, or for `None` an observer of both, may see it.
    ///
    /// # Errors
    /// The code failed.
    fn picture(&mut self, viewer: Option<Seat>) -> Result<String, Failure>;

    /// All legal actions of the side to move; `None` if the code cannot list them.
    ///
    /// # Errors
    /// The code failed.
    fn legal_actions(&mut self) -> Result<Option<Vec<String>>, Failure>;

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

    /// A copy of the state; `None` if the code cannot copy one. The arena then plays the game again.
    fn fork(&self) -> Option<Box<dyn State>> {
        None
    }
}

/// What a side sees, as its code has it: a text for everybody, and a type of its own for who shows it to a bot.
pub trait Sight: Any + Send + Sync {
    /// The text.
    ///
    /// # Errors
    /// The code failed.
    fn text(&self) -> Result<String, Failure>;
}

impl Sight for String {
    fn text(&self) -> Result<String, Failure> {
        Ok(self.clone())
    }
}

/// The consequence of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Applied<Effect> {
    /// It took the turn, with this effect.
    Done(Effect),
    /// It is not legal, for this reason, and the same side is asked again.
    Retry(String),
    /// It is not legal, for this reason, and the side has lost.
    Lost(String),
}

/// The consequence of an overrun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Penalty {
    /// The turn is lost.
    Turn,
    /// The game is lost.
    Game,
}
