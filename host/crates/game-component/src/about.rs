//! The facts about a game, as it describes itself.

use crate::fault::{FaultKind, GameFault};
use arena_loaded::{Ending, NAME_CHARS_MAX, Parameter};
use arena_rules::{OwnReason, Reason};
use arena_sandbox::Value;
use arena_text::Line;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The largest number of parameters, and of endings. A part of the contract.
const LIST_MAX: usize = 64;

/// The largest number of turns. A part of the contract.
const GAME_LENGTH_MAX: i64 = 100_000;

/// The largest budget of a turn, in milliseconds. A part of the contract.
const TURN_MILLISECONDS_MAX: i64 = 60_000;

/// The function that returns the facts.
const CALL: &str = "describe";

/// The facts about a game. They keep the contract: names are plain and different, and numbers are in their ranges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its name.
    pub name: Line<NAME_CHARS_MAX>,
    /// The version of its rules.
    pub version: Line<NAME_CHARS_MAX>,
    /// Its options.
    pub parameters: Vec<Parameter>,
    /// The reasons for which it ends.
    pub endings: Vec<Ending>,
    /// The largest number of turns of both players together.
    pub max_game_length: u32,
    /// The budget of a turn, in milliseconds of the reference machine.
    pub turn_milliseconds: u32,
}

impl About {
    /// Reads the facts from the answer of `describe`, whose type has been checked, and checks them.
    pub(crate) fn read(value: &Value) -> Result<Self, GameFault> {
        let parameters = items(value, "parameters")?.iter().map(parameter).collect::<Result<_, _>>()?;
        let endings = items(value, "endings")?.iter().map(ending).collect::<Result<_, _>>()?;
        let about = Self {
            name: Line::new(&name(value)?),
            version: Line::new(&text(value, "version")?),
            parameters,
            endings,
            max_game_length: ranged(value, "max-game-length", GAME_LENGTH_MAX)?,
            turn_milliseconds: ranged(value, "turn-milliseconds", TURN_MILLISECONDS_MAX)?,
        };
        if about.version.as_str().is_empty() {
            return Err(bad("returns an empty `version`; name one such as `1.0.0`"));
        }
        different(about.parameters.iter().map(|parameter| parameter.name.as_str()), "parameters")?;
        different(about.endings.iter().map(|ending| ending.name.as_str()), "endings")?;
        Ok(about)
    }

    /// The default of each option.
    pub fn defaults(&self) -> Vec<(String, i64)> {
        self.parameters.iter().map(|it| (it.name.as_str().to_owned(), it.default)).collect()
    }
}

fn bad(what: impl AsRef<str>) -> GameFault {
    GameFault::new(FaultKind::BadValue, CALL, what)
}

fn parameter(value: &Value) -> Result<Parameter, GameFault> {
    let parameter = Parameter {
        name: Line::new(&name(value)?),
        help: Line::new(&text(value, "help")?),
        default: number(value, "default")?,
        minimum: number(value, "minimum")?,
        maximum: number(value, "maximum")?,
    };
    let Parameter { name, default, minimum, maximum, .. } = &parameter;
    if minimum > default || default > maximum {
        let range = format!("{minimum} to {maximum}");
        return Err(bad(format!(
            "returns the parameter `{name}` with the default {default}, outside of {range}"
        )));
    }
    Ok(parameter)
}

fn ending(value: &Value) -> Result<Ending, GameFault> {
    let name = name(value)?;
    // The result of a game has it as its reason.
    if !Reason::try_from(name.clone()).is_ok_and(Reason::is_own) {
        return Err(bad(format!(
            "returns the ending `{name}`; choose a name of {} characters at most that is not that of a reason of all games",
            OwnReason::LENGTH_MAX
        )));
    }
    Ok(Ending { name: Line::new(&name), text: Line::new(&text(value, "text")?) })
}

fn field(value: &Value, name: &str) -> Result<Value, GameFault> {
    value.field(name).ok_or_else(|| bad(format!("returns no `{name}`")))
}

fn text(value: &Value, field_name: &str) -> Result<String, GameFault> {
    let field = field(value, field_name)?;
    Ok(field.as_str().ok_or_else(|| bad(format!("returns a `{field_name}` that is no text")))?.to_owned())
}

fn number(value: &Value, field_name: &str) -> Result<i64, GameFault> {
    field(value, field_name)?
        .as_number()
        .ok_or_else(|| bad(format!("returns a `{field_name}` that is no number")))
}

fn ranged(value: &Value, field_name: &str, max: i64) -> Result<u32, GameFault> {
    let number = number(value, field_name)?;
    let in_range = (1..=max).contains(&number).then(|| u32::try_from(number).ok()).flatten();
    in_range.ok_or_else(|| bad(format!("returns the `{field_name}` {number}; it can be 1 to {max}")))
}

fn items(value: &Value, field_name: &str) -> Result<Vec<Value>, GameFault> {
    let items = field(value, field_name)?
        .items()
        .ok_or_else(|| bad(format!("returns `{field_name}` that are no list")))?;
    if items.len() > LIST_MAX {
        return Err(bad(format!("returns {} {field_name}; there can be {LIST_MAX}", items.len())));
    }
    Ok(items)
}

/// The field `name`: lower-case letters, digits and single hyphens, beginning with a letter.
fn name(value: &Value) -> Result<String, GameFault> {
    let name = text(value, "name")?;
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    if begins && name.len() <= NAME_CHARS_MAX && name.split('-').all(is_plain) {
        return Ok(name);
    }
    Err(bad(format!(
        "returns the name `{}`; use lower-case letters, digits and single hyphens, beginning with a letter, and {NAME_CHARS_MAX} \
         characters at most",
        Line::<NAME_CHARS_MAX>::new(&name)
    )))
}

fn different<'a>(mut names: impl Iterator<Item = &'a str>, of: &str) -> Result<(), GameFault> {
    let mut seen = HashSet::new();
    match names.find(|name| !seen.insert(*name)) {
        Some(twice) => Err(bad(format!("returns two {of} with the name `{twice}`"))),
        None => Ok(()),
    }
}
