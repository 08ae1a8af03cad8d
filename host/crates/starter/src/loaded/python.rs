//! Any action in Python, with the names that componentize-py gives to types.

use super::types_of_action;
use crate::template::File;
use arena_rules::loaded::{BotContract, Definition, NamedType, Part, Plain};
use heck::{ToSnakeCase, ToUpperCamelCase};

/// The words of Python with a capital, to which componentize-py adds `_`.
const KEYWORDS: [&str; 3] = ["False", "None", "True"];

const HEAD: &str = r#""""Any action, legal or not, drawn at random: a beginning for a bot, made from the types of the game.

This file needs no edit, and can go when `bot.py` chooses its actions itself.
"""

# pyright: reportMissingImports=false

from random import SystemRandom

from componentize_py_types import Err, Ok, Some
from wit_world.exports import bot as game

_random = SystemRandom()
"""Random numbers from the seed of this side in the arena: the same in every run of a game."""


def _natural(bits: int) -> int:
    """A number that is small most of the time, as rows and columns are."""
    return _random.randrange(_random.choice((10, 10, 10, 100, 2**bits)))


def _whole(bits: int) -> int:
    """The same with negative numbers."""
    return _random.choice((1, 1, -1)) * _natural(bits - 1)


def _coin() -> bool:
    return _random.random() < 0.5


def _letter() -> str:
    return _random.choice("abcdefghijklmnopqrstuvwxyz")


def _times() -> range:
    return range(_random.randrange(4))
"#;

/// The module with any action.
pub fn files(contract: &BotContract) -> Vec<File> {
    let functions = types_of_action(contract).into_iter().map(|index| function(contract, index));
    let text: String = std::iter::once(HEAD.to_owned()).chain(functions).collect();
    vec![File::text("anything.py", text)]
}

fn name(it: &NamedType) -> String {
    escaped(it.name.to_upper_camel_case())
}

fn escaped(name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

fn function(contract: &BotContract, index: usize) -> String {
    let it = &contract.types[index];
    let ty = format!("game.{}", name(it));
    let body = match &it.definition {
        // The fields in their order: their names need not be those of Python.
        Definition::Record(fields) => {
            let fields: String =
                fields.iter().map(|(_, of)| format!("        {},\n", part(contract, of))).collect();
            format!("    return {ty}(\n{fields}    )\n")
        }
        Definition::Variant(cases) => {
            let case = |(name, of): &(String, Option<Part>)| {
                let content = of.as_ref().map_or_else(String::new, |of| part(contract, of));
                format!("        lambda: {ty}_{}({content}),\n", escaped(name.to_upper_camel_case()))
            };
            let cases: String = cases.iter().map(case).collect();
            format!("    cases = (\n{cases}    )\n    return _random.choice(cases)()\n")
        }
        Definition::Enum(_) => format!("    return _random.choice(list({ty}))\n"),
        Definition::Flags(_) => {
            format!(
                "    some = {ty}(0)\n    for flag in {ty}:\n        some |= flag if _coin() else {ty}(0)\n    return some\n"
            )
        }
        Definition::Alias(of) => format!("    return {}\n", part(contract, of)),
    };
    format!("\n\ndef any_{}():\n{body}", it.name.to_snake_case())
}

fn part(contract: &BotContract, of: &Part) -> String {
    let inner = |of: &Part| part(contract, of);
    match of {
        Part::Plain(plain) => match plain {
            Plain::Bool => "_coin()".to_owned(),
            Plain::U8 | Plain::U16 | Plain::U32 | Plain::U64 => format!("_natural({})", &plain.name()[1..]),
            Plain::S8 | Plain::S16 | Plain::S32 | Plain::S64 => format!("_whole({})", &plain.name()[1..]),
            Plain::F32 | Plain::F64 => "float(_whole(16))".to_owned(),
            Plain::Char => "_letter()".to_owned(),
            Plain::String => "\"\".join(_letter() for _ in _times())".to_owned(),
        },
        Part::List(element) if **element == Part::Plain(Plain::U8) => {
            format!("bytes({} for _ in _times())", inner(element))
        }
        Part::List(element) => format!("[{} for _ in _times()]", inner(element)),
        Part::FixedList(element, length) => format!("[{} for _ in range({length})]", inner(element)),
        // An option in an option is marked, because `None` could be either.
        Part::Option(some) if matches!(**some, Part::Option(_)) => {
            format!("Some({}) if _coin() else None", inner(some))
        }
        Part::Option(some) => format!("({}) if _coin() else None", inner(some)),
        Part::Tuple(parts) => {
            let parts: String = parts.iter().map(|of| format!("{}, ", inner(of))).collect();
            format!("({})", parts.trim_end())
        }
        Part::Result(ok, err) => {
            let content =
                |of: &Option<Box<Part>>| of.as_ref().map_or_else(|| "None".to_owned(), |of| inner(of));
            format!("Ok({}) if _coin() else Err({})", content(ok), content(err))
        }
        Part::Named(index) => format!("any_{}()", contract.types[*index].name.to_snake_case()),
    }
}
