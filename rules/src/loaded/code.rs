//! The code of a loaded game, as the rules call it.

use crate::{Failure, Scores, Seat};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The code of a game. It is shared by all games that are played with it.
pub trait Code: Any + Send + Sync {
    /// A state at the beginning of a game: with a value for each parameter, with a seed for everything that is drawn, and the seat that
    /// begins, as far as that has a meaning in the game: the state decides who moves.
    ///
    /// # Errors
    /// The code failed, or refuses these values together.
    fn begin(&self, settings: &BTreeMap<String, i64>, seed: u64, starter: Seat) -> Result<AnyState, Failure>;
}

/// A state of some code.
pub type AnyState = Arc<dyn State>;

/// A state of a game. It is a value: an action leads to another state and leaves this one as it is, so an answer depends on nothing but
/// the state and the question.
///
/// The errors of all functions: the code failed.
#[expect(clippy::missing_errors_doc, reason = "it is the same for all of them")]
pub trait State: Send + Sync {
    /// The seat to move; `None` after the end.
    fn to_move(&self) -> Result<Option<Seat>, Failure>;

    /// The result. It is asked only after the end.
    fn outcome(&self) -> Result<BoardResult, Failure>;

    /// The part of the state that a side may know. It is asked only before the end.
    fn observe(&self, viewer: Seat) -> Result<Box<dyn Observed>, Failure>;

    /// A picture of the state as text, of one or several plain lines, as a side, or for `None` an observer of both, may see it.
    fn picture(&self, viewer: Option<Seat>) -> Result<String, Failure>;

    /// A drawing of the state as SVG that a page can show, as a side, or for `None` an observer of both, may see it; `None` if the code does
    /// not draw, or draws something else.
    fn drawing(&self, _viewer: Option<Seat>) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    /// All legal actions of the side to move; `None` if the code cannot list them.
    fn legal_actions(&self) -> Result<Option<Vec<String>>, Failure>;

    /// The effect of an action of the side to move, and the next state. Text that is no action of the game is refused.
    fn apply(&self, action: &str) -> Result<Applied<(String, AnyState)>, Failure>;

    /// The next state after the side to move has overrun its turn's budget; `None` if it has lost the game by that.
    fn overrun(&self) -> Result<Option<AnyState>, Failure>;

    /// A legal action of the side to move, drawn with a seed.
    fn random_action(&self, seed: u64) -> Result<String, Failure>;
}

/// The result of a game that has ended on the board: the contract's `outcome`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoardResult {
    /// The winner; `None` in a draw.
    pub winner: Option<Seat>,
    /// The name of the ending.
    pub reason: String,
    /// The scores, if there are any.
    pub scores: Option<Scores>,
}

/// The part of a state that a side sees, as the code has it: a text, and a typed value for bots.
pub trait Observed: Any + Send + Sync {
    /// The text.
    ///
    /// # Errors
    /// The code failed.
    fn text(&self) -> Result<String, Failure>;
}

impl Observed for String {
    fn text(&self) -> Result<String, Failure> {
        Ok(self.clone())
    }
}

/// The consequence of an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Applied<Effect> {
    /// It took the turn, with this effect.
    Done(Effect),
    /// It is not legal, for this reason, and the same side is asked again.
    Retry(String),
    /// It is not legal, for this reason, and the side has lost.
    Lost(String),
}
