//! The facts that a game's code states about the game.

use crate::{OwnReason, Reason, SCORE_MAX, ScoreRange};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The longest name of a game, an option or an ending, in characters. A part of the contract.
pub const NAME_CHARS_MAX: usize = 64;

/// The longest help of an option and sentence about an ending, in characters. A part of the contract.
pub const TEXT_CHARS_MAX: usize = 200;

/// The largest number of options, and of endings. A part of the contract.
pub const LIST_MAX: usize = 64;

/// The largest number of turns. A part of the contract. Chosen: the longest game of chess by its rules has some 17,700, and a game in
/// which each turn is a fault with its longest text fits a journal.
pub const GAME_LENGTH_MAX: u32 = 20_000;

/// The longest text of all actions of a side in a game together, in bytes. A part of the contract. Chosen: 400 bytes in each turn of the
/// longest game, and small beside what a journal takes.
pub const SIDE_TEXT_BYTES_MAX: usize = 4 << 20;

/// The longest text of all effects in a game, and of the reasons against actions, together, in bytes. A part of the contract. Chosen: an
/// effect may repeat all that both sides have said.
pub const GAME_TEXT_BYTES_MAX: usize = 8 << 20;

/// The largest budget of a turn, in milliseconds of the reference machine. A part of the contract.
pub const TURN_MILLISECONDS_MAX: u32 = 60_000;

/// The facts about a game, with the names of the contract. Those from a record or from a game's code are checked by [`About::check`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct About {
    /// Its name.
    pub name: String,
    /// The version of its rules.
    pub version: String,
    /// Its options.
    pub parameters: Vec<Parameter>,
    /// The reasons of its own for which it ends on the board.
    pub endings: Vec<Ending>,
    /// The largest number of turns of both players together.
    pub max_game_length: u32,
    /// The budget of a turn, in milliseconds of the reference machine.
    pub turn_milliseconds: u32,
    /// The range of the scores; `None` in a game without scores.
    pub scores: Option<ScoreRange>,
}

/// An option of a game: a whole number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The meaning of the value.
    pub help: String,
    /// The value unless another one is chosen.
    pub default: i64,
    /// The least value.
    pub minimum: i64,
    /// The greatest value.
    pub maximum: i64,
}

/// A reason of the game's own for its end on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// The name, as [`OwnReason`] has it.
    pub name: String,
    /// A sentence about the end, without a full stop.
    pub text: String,
}

/// A fact that is not as the contract requires: a text that reads on from "the game".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AboutError(pub String);

impl Ending {
    /// The reason; `None` if the name is none of a game's own.
    pub fn reason(&self) -> Option<Reason> {
        Reason::try_from(self.name.clone()).ok().filter(|reason| reason.is_own())
    }
}

impl About {
    /// Checks that names are plain and different, and numbers in their ranges.
    ///
    /// # Errors
    /// The first fact that is wrong.
    pub fn check(&self) -> Result<(), AboutError> {
        let wrong = |what: String| Err(AboutError(what));
        plain_name(&self.name)?;
        if self.version.is_empty() {
            return wrong("returns an empty `version`; name one such as `1.0.0`".into());
        }
        bounded("version", &self.version, NAME_CHARS_MAX)?;
        for (name, count) in [("parameters", self.parameters.len()), ("endings", self.endings.len())] {
            if count > LIST_MAX {
                return wrong(format!("returns {count} {name}; there can be {LIST_MAX}"));
            }
        }
        for Parameter { name, help, default, minimum, maximum } in &self.parameters {
            plain_name(name)?;
            bounded("help", help, TEXT_CHARS_MAX)?;
            if minimum > default || default > maximum {
                return wrong(format!(
                    "returns the parameter `{name}` with the default {default}, outside of {minimum} to {maximum}"
                ));
            }
        }
        for ending in &self.endings {
            plain_name(&ending.name)?;
            bounded("text", &ending.text, TEXT_CHARS_MAX)?;
            if ending.reason().is_none() {
                return wrong(format!(
                    "returns the ending `{}`; choose a name of {} characters at most that is not that of a reason of all games",
                    ending.name,
                    OwnReason::LENGTH_MAX
                ));
            }
        }
        for (name, number, max) in [
            ("max-game-length", self.max_game_length, GAME_LENGTH_MAX),
            ("turn-milliseconds", self.turn_milliseconds, TURN_MILLISECONDS_MAX),
        ] {
            if !(1..=max).contains(&number) {
                return wrong(format!("returns the `{name}` {number}; it can be 1 to {max}"));
            }
        }
        if let Some(ScoreRange { minimum, maximum }) = self.scores
            && !(-SCORE_MAX <= minimum && minimum < maximum && maximum <= SCORE_MAX)
        {
            return wrong(format!(
                "returns `scores` from {minimum} to {maximum}; choose a lower and a higher number from -{SCORE_MAX} to {SCORE_MAX}"
            ));
        }
        different(self.parameters.iter().map(|it| it.name.as_str()), "parameters")?;
        different(self.endings.iter().map(|it| it.name.as_str()), "endings")
    }

    /// The default of each option, in their order.
    pub fn defaults(&self) -> Vec<(String, i64)> {
        self.parameters.iter().map(|it| (it.name.clone(), it.default)).collect()
    }
}

/// Lower-case letters, digits and single hyphens, beginning with a letter.
fn plain_name(name: &str) -> Result<(), AboutError> {
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    if begins && name.len() <= NAME_CHARS_MAX && name.split('-').all(is_plain) {
        return Ok(());
    }
    let shown: String =
        name.chars().take(NAME_CHARS_MAX).filter(|character| !character.is_control()).collect();
    Err(AboutError(format!(
        "returns the name `{shown}`; use lower-case letters, digits and single hyphens, beginning with a letter, and {NAME_CHARS_MAX} \
         characters at most"
    )))
}

fn bounded(what: &str, text: &str, chars_max: usize) -> Result<(), AboutError> {
    if text.chars().count() <= chars_max && !text.chars().any(char::is_control) {
        return Ok(());
    }
    Err(AboutError(format!(
        "returns a `{what}` with a control character or more than {chars_max} characters; use one line of text"
    )))
}

fn different<'a>(mut names: impl Iterator<Item = &'a str>, of: &str) -> Result<(), AboutError> {
    let mut seen = HashSet::new();
    match names.find(|name| !seen.insert(*name)) {
        Some(twice) => Err(AboutError(format!("returns two {of} with the name `{twice}`"))),
        None => Ok(()),
    }
}
