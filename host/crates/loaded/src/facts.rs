//! The facts that a game's code states about the game, once they are checked.

use arena_rules::{OwnReason, Reason};
use arena_text::Line;

/// An option of a game: a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The meaning of the value.
    pub help: Line<300>,
    /// The value unless another one is chosen.
    pub default: i64,
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub most: i64,
}

/// A reason of the game's own for its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The name, as [`OwnReason`] has it.
    pub name: String,
    /// A sentence about the end, without a full stop.
    pub text: Line<300>,
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
    pub(crate) sentences: Vec<Line<300>>,
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
    Ending(Line<64>),
    /// Two endings or two parameters have one name.
    #[error("\"{0}\" is there twice")]
    Twice(Line<64>),
    /// The default of a parameter is not in its range.
    #[error("the default of \"{0}\" is out of its range")]
    Default(Line<64>),
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
        for (index, Parameter { name, default, least, most, .. }) in parameters.iter().enumerate() {
            if parameters[..index].iter().any(|before| before.name == *name) {
                return Err(FactsError::Twice(name.into()));
            }
            if !(least..=most).contains(&default) {
                return Err(FactsError::Default(name.into()));
            }
        }
        let (mut reasons, mut sentences) = (Vec::new(), Vec::new());
        for Ending { name, text } in endings {
            let reason = Reason::try_from(name.clone()).ok().filter(|reason| reason.is_own());
            let reason = reason.ok_or_else(|| FactsError::Ending(name.as_str().into()))?;
            if reasons.contains(&reason) {
                return Err(FactsError::Twice(name.into()));
            }
            reasons.push(reason);
            sentences.push(text);
        }
        Ok(Self { name: name.to_owned(), parameters, reasons, sentences, turns_max, turn_budget_ms })
    }
}
