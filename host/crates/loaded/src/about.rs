//! The facts about a game, as it describes itself.

use crate::fault::{FaultKind, GameFault};
use arena_rules::ScoreRange;
use arena_rules::loaded::{About, Ending, NAME_CHARS_MAX, Parameter, TEXT_CHARS_MAX};
use arena_sandbox::Value;

/// The function that returns the facts.
const CALL: &str = "describe";

/// Reads the facts from the answer of `describe`, whose type has been checked, and checks them.
pub(crate) fn read(value: &Value) -> Result<About, GameFault> {
    let about = About {
        name: text(value, "name")?,
        version: line(value, "version", NAME_CHARS_MAX)?,
        parameters: items(value, "parameters")?.iter().map(parameter).collect::<Result<_, _>>()?,
        endings: items(value, "endings")?.iter().map(ending).collect::<Result<_, _>>()?,
        max_game_length: count(value, "max-game-length")?,
        turn_milliseconds: count(value, "turn-milliseconds")?,
        scores: score_range(field(value, "scores")?)?,
    };
    about.check().map_err(|wrong| bad(wrong.to_string()))?;
    Ok(about)
}

fn bad(what: impl AsRef<str>) -> GameFault {
    GameFault::new(FaultKind::BadValue, CALL, what)
}

fn parameter(value: &Value) -> Result<Parameter, GameFault> {
    Ok(Parameter {
        name: text(value, "name")?,
        help: line(value, "help", TEXT_CHARS_MAX)?,
        default: number(value, "default")?,
        minimum: number(value, "minimum")?,
        maximum: number(value, "maximum")?,
    })
}

fn ending(value: &Value) -> Result<Ending, GameFault> {
    Ok(Ending { name: text(value, "name")?, text: line(value, "text", TEXT_CHARS_MAX)? })
}

fn score_range(value: Value) -> Result<Option<ScoreRange>, GameFault> {
    let range = value.into_option().ok_or_else(|| bad("returns `scores` that are no option"))?;
    let read = |range: Value| {
        Ok(ScoreRange { minimum: number(&range, "minimum")?, maximum: number(&range, "maximum")? })
    };
    range.map(read).transpose()
}

fn field(value: &Value, name: &str) -> Result<Value, GameFault> {
    value.field(name).ok_or_else(|| bad(format!("returns no `{name}`")))
}

fn text(value: &Value, field_name: &str) -> Result<String, GameFault> {
    let field = field(value, field_name)?;
    Ok(field.as_str().ok_or_else(|| bad(format!("returns a `{field_name}` that is no text")))?.to_owned())
}

/// A text for people, made plain and cut to its length.
fn line(value: &Value, field_name: &str, chars_max: usize) -> Result<String, GameFault> {
    Ok(arena_text::line(&text(value, field_name)?, chars_max))
}

fn number(value: &Value, field_name: &str) -> Result<i64, GameFault> {
    field(value, field_name)?
        .as_number()
        .ok_or_else(|| bad(format!("returns a `{field_name}` that is no number")))
}

fn count(value: &Value, field_name: &str) -> Result<u32, GameFault> {
    let number = number(value, field_name)?;
    u32::try_from(number).map_err(|_| bad(format!("returns the `{field_name}` {number}")))
}

fn items(value: &Value, field_name: &str) -> Result<Vec<Value>, GameFault> {
    field(value, field_name)?
        .into_items()
        .ok_or_else(|| bad(format!("returns `{field_name}` that are no list")))
}
