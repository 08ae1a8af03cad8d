//! The facts that a game's code states about the game, once they are checked.

use arena_rules::{OwnReason, Reason};
use arena_text::Line;
use serde::{Deserialize, Serialize};

/// The longest name of a game, a parameter or an ending, in characters. A part of the contract.
pub const NAME_CHARS_MAX: usize = 64;

/// An option of a game: a whole number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name.
    pub name: Line<NAME_CHARS_MAX>,
    /// The meaning of the value.
    pub help: Line<200>,
    /// The value unless another one is chosen.
    pub default: i64,
    /// The least value.
    pub minimum: i64,
    /// The greatest value.
    pub maximum: i64,
}

/// A reason of the game's own for its end on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The name, as [`OwnReason`] has it.
    pub name: Line<NAME_CHARS_MAX>,
    /// A sentence about the end, without a full stop.
    pub text: Line<200>,
}

/// The facts about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The name of the game.
    pub(crate) name: String,
    /// Each with another name.
    pub(crate) parameters: Vec<Parameter>,
    /// The endings' reasons, and the sentence about each.
    pub(crate) reasons: Vec<Reason>,
    pub(crate) sentences: Vec<Line<200>>,
    /// The largest number of turns of both sides together.
    pub(crate) turns_max: u32,
    /// The budget of a turn in milliseconds of the reference machine.
    pub(crate) turn_budget_ms: u32,
}

/// A contradiction in what a game's code states about the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactsError {
    /// The name of a reason is not one, or is that of a shared reason.
    #[error(
        "the ending \"{0}\" needs another name: small letters, digits and single hyphens, at most {max}, and no reason of all games",
        max = OwnReason::LENGTH_MAX
    )]
    Ending(Line<NAME_CHARS_MAX>),
    /// Two endings or two parameters have one name.
    #[error("\"{0}\" is there twice")]
    Twice(Line<NAME_CHARS_MAX>),
    /// The default of a parameter is not in its range.
    #[error("the default of \"{0}\" is out of its range")]
    Default(Line<NAME_CHARS_MAX>),
    /// No turn is allowed, or no time for one.
    #[error("a game needs a turn at least, and a turn a millisecond")]
    Nothing,
}

impl Facts {
    /// The facts about a game: its name, parameters and endings, the largest number of turns of both sides together, and the budget of a
    /// turn in milliseconds of the reference machine.
    ///
    /// # Errors
    /// A contradiction.
    pub fn new(
        name: &str,
        parameters: Vec<Parameter>,
        endings: Vec<Ending>,
        turns_max: u32,
        turn_budget_ms: u32,
    ) -> Result<Self, FactsError> {
        if turns_max == 0 || turn_budget_ms == 0 {
            return Err(FactsError::Nothing);
        }
        for (index, Parameter { name, default, minimum, maximum, .. }) in parameters.iter().enumerate() {
            if parameters[..index].iter().any(|before| before.name == *name) {
                return Err(FactsError::Twice(name.clone()));
            }
            if !(minimum..=maximum).contains(&default) {
                return Err(FactsError::Default(name.clone()));
            }
        }
        let (mut reasons, mut sentences) = (Vec::new(), Vec::new());
        for Ending { name, text } in endings {
            let reason = Reason::try_from(name.to_string()).ok().filter(|reason| reason.is_own());
            let reason = reason.ok_or_else(|| FactsError::Ending(name.clone()))?;
            if reasons.contains(&reason) {
                return Err(FactsError::Twice(name));
            }
            reasons.push(reason);
            sentences.push(text);
        }
        Ok(Self { name: name.to_owned(), parameters, reasons, sentences, turns_max, turn_budget_ms })
    }
}
