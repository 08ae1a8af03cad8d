//! Any action in Rust, with the names that wit-bindgen gives to types.

use super::types_of_action;
use crate::template::File;
use arena_rules::loaded::{BotContract, Definition, NamedType, Part, Plain};
use heck::{ToSnakeCase, ToUpperCamelCase};

/// The keywords of Rust to which wit-bindgen adds `_`.
const KEYWORDS: [&str; 50] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct",
    "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
    "while", "yield",
];

/// The beginning of the module.
const HEAD: &str = r#"//! Any action, legal or not, drawn at random: a beginning for a bot, made from the types of the game. It needs no edit, and can go when
//! `lib.rs` chooses its actions itself.
#![allow(dead_code, clippy::all)]

use crate::game;
use std::hash::{BuildHasher, RandomState};

/// A random number, from the seed of this side in the arena: the same in every run of a game.
fn number() -> u64 {
    RandomState::new().hash_one(0)
}

/// A number from 0 to `bound - 1`.
fn below(bound: u64) -> u64 {
    number() % bound
}

fn coin() -> bool {
    below(2) == 0
}

/// A number that is small most of the time, as rows and columns are.
fn natural() -> u64 {
    match below(8) {
        0 => number(),
        1 | 2 => below(100),
        _ => below(10),
    }
}

/// The same with negative numbers.
fn whole() -> i64 {
    natural().wrapping_sub(natural()) as i64
}

fn letter() -> char {
    char::from(b'a' + below(26) as u8)
}
"#;

/// The module with any action.
pub fn files(contract: &BotContract) -> Vec<File> {
    let functions = types_of_action(contract).into_iter().map(|index| function(contract, index));
    let text: String = std::iter::once(HEAD.to_owned()).chain(functions).collect();
    vec![File::text("src/any.rs", text)]
}

/// The path of the module with the game's types, and the names of the two types that every game has.
pub fn names(contract: &BotContract) -> Vec<(&'static str, String)> {
    let path: Vec<String> = contract.package.split(':').map(variable).collect();
    vec![
        ("first_path", path.join("::")),
        ("FirstObservation", name(&contract.types[contract.observation])),
        ("first_observation", contract.types[contract.observation].name.to_snake_case()),
        ("FirstAction", name(&contract.types[contract.action])),
        ("first_action", contract.types[contract.action].name.to_snake_case()),
    ]
}

/// A name that makes wit-bindgen write code that is not Rust, if there is one: it does not mark a keyword as the name of a package, or as
/// a case.
pub fn unsuited(contract: &BotContract) -> Option<&str> {
    let (_, package) = contract.package.split_once(':')?;
    let cases = contract.types.iter().flat_map(|it| match &it.definition {
        Definition::Variant(cases) => cases.iter().map(|(name, _)| name.as_str()).collect(),
        Definition::Enum(names) => names.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    });
    let names = contract.types.iter().map(|it| it.name.as_str()).chain(cases);
    let package = Some(package).filter(|package| KEYWORDS.contains(package));
    package.or_else(|| names.into_iter().find(|name| *name == "self"))
}

/// The name of a type.
fn name(it: &NamedType) -> String {
    // The trait that a bot implements has this name.
    if it.name == "guest" { "Guest_".to_owned() } else { it.name.to_upper_camel_case() }
}

/// The name of a field or a module.
fn variable(name: &str) -> String {
    let is_keyword = KEYWORDS.contains(&name);
    if is_keyword { format!("{name}_") } else { name.to_snake_case() }
}

fn function(contract: &BotContract, index: usize) -> String {
    let it = &contract.types[index];
    let ty = format!("game::{}", name(it));
    let body = match &it.definition {
        Definition::Record(fields) => {
            let field = |(name, of): &(String, Part)| {
                format!("        {}: {},\n", variable(name), part(contract, of))
            };
            format!("    {ty} {{\n{}    }}\n", fields.iter().map(field).collect::<String>())
        }
        Definition::Variant(cases) => {
            let case = |(name, of): &(String, Option<Part>)| {
                let content = of.as_ref().map_or_else(String::new, |of| format!("({})", part(contract, of)));
                format!("{ty}::{}{content}", name.to_upper_camel_case())
            };
            choice(cases.iter().map(case))
        }
        Definition::Enum(names) => {
            choice(names.iter().map(|name| format!("{ty}::{}", name.to_upper_camel_case())))
        }
        Definition::Flags(_) => format!("    {ty}::from_bits_truncate(number() as _)\n"),
        Definition::Alias(of) => format!("    {}\n", part(contract, of)),
    };
    format!("\npub fn any_{}() -> {ty} {{\n{body}}}\n", it.name.to_snake_case())
}

/// One of some values.
fn choice(values: impl ExactSizeIterator<Item = String>) -> String {
    let count = values.len();
    let arm = |(index, value): (usize, String)| {
        let pattern = if index + 1 == count { "_".to_owned() } else { index.to_string() };
        format!("        {pattern} => {value},\n")
    };
    format!("    match below({count}) {{\n{}    }}\n", values.enumerate().map(arm).collect::<String>())
}

fn part(contract: &BotContract, of: &Part) -> String {
    let inner = |of: &Part| part(contract, of);
    match of {
        Part::Plain(plain) => match plain {
            Plain::Bool => "coin()".to_owned(),
            Plain::U8 | Plain::U16 | Plain::U32 | Plain::U64 => format!("natural() as {}", plain.name()),
            Plain::S8 | Plain::S16 | Plain::S32 | Plain::S64 => {
                format!("whole() as {}", plain.name().replace('s', "i"))
            }
            Plain::F32 | Plain::F64 => format!("whole() as {}", plain.name()),
            Plain::Char => "letter()".to_owned(),
            Plain::String => "(0..below(4)).map(|_| letter()).collect()".to_owned(),
        },
        Part::List(element) => format!("(0..below(4)).map(|_| {}).collect()", inner(element)),
        Part::FixedList(element, _) => format!("std::array::from_fn(|_| {})", inner(element)),
        Part::Option(some) => format!("if coin() {{ Some({}) }} else {{ None }}", inner(some)),
        Part::Tuple(parts) => {
            let parts: String = parts.iter().map(|of| format!("{}, ", inner(of))).collect();
            format!("({})", parts.trim_end())
        }
        Part::Result(ok, err) => {
            let content =
                |of: &Option<Box<Part>>| of.as_ref().map_or_else(|| "()".to_owned(), |of| inner(of));
            format!("if coin() {{ Ok({}) }} else {{ Err({}) }}", content(ok), content(err))
        }
        Part::Named(index) => format!("any_{}()", contract.types[*index].name.to_snake_case()),
    }
}
