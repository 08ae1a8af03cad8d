//! The contract of a loaded game with its bots: the interface that a bot exports, and the types in it.

use super::{About, Parameter};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The largest number of names and parts of all types. Chosen: the sandbox reads as many of a component.
const PARTS_MAX: usize = 10_000;

/// The longest name of a package, a type, a field or a case, in bytes. Chosen: far more than anybody types.
const NAME_BYTES_MAX: usize = 256;

/// Words of WIT that an identifier has to mark.
const KEYWORDS: &str = "as async bool borrow char constructor enum export f32 f64 flags from func future import include \
    interface list map option own package record resource result s16 s32 s64 s8 static stream string \
    tuple type u16 u32 u64 u8 use variant with error-context";

/// The contract of a game with its bots: they export the interface `bot` of its package, with the functions `name` and `play`, which
/// takes an observation and returns an action.
///
/// It comes from a game's component, so [`check`](Self::check) it before a name of it becomes a part of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotContract {
    /// The name of the package: `games:nim`.
    pub package: String,
    /// Its version; empty when it has none.
    pub version: String,
    /// The types with names. Each comes after those that are parts of it.
    pub types: Vec<NamedType>,
    /// The index of the type of an observation.
    pub observation: usize,
    /// The index of the type of an action.
    pub action: usize,
}

/// A type with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedType {
    /// The name, in the notation of WIT: `from-row`.
    pub name: String,
    /// What it stands for.
    pub definition: Definition,
}

/// What the name of a type stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Definition {
    /// A record, with its fields.
    Record(Vec<(String, Part)>),
    /// A variant, with its cases.
    Variant(Vec<(String, Option<Part>)>),
    /// An enum, with its cases.
    Enum(Vec<String>),
    /// Flags, with their names.
    Flags(Vec<String>),
    /// Another type.
    Alias(Part),
}

/// A type within another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// A type without parts.
    Plain(Plain),
    /// A list.
    List(Box<Self>),
    /// A list of a fixed length.
    FixedList(Box<Self>, u32),
    /// An option.
    Option(Box<Self>),
    /// A tuple.
    Tuple(Vec<Self>),
    /// A result.
    Result(Option<Box<Self>>, Option<Box<Self>>),
    /// A type with a name, by its index.
    Named(usize),
}

/// A type without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are those of WIT")]
pub enum Plain {
    Bool,
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    S64,
    U64,
    F32,
    F64,
    Char,
    String,
}

/// A contract that cannot be one: a text that reads on from "the contract with bots".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BotContractError(pub &'static str);

impl Plain {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Bool,
        Self::S8,
        Self::U8,
        Self::S16,
        Self::U16,
        Self::S32,
        Self::U32,
        Self::S64,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::Char,
        Self::String,
    ];

    /// The name in WIT.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::S8 => "s8",
            Self::U8 => "u8",
            Self::S16 => "s16",
            Self::U16 => "u16",
            Self::S32 => "s32",
            Self::U32 => "u32",
            Self::S64 => "s64",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Char => "char",
            Self::String => "string",
        }
    }
}

impl Part {
    /// The parts directly within it.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Plain(_) | Self::Named(_) => Vec::new(),
            Self::List(element) | Self::FixedList(element, _) | Self::Option(element) => vec![element],
            Self::Tuple(parts) => parts.iter().collect(),
            Self::Result(ok, err) => [ok, err].into_iter().flatten().map(AsRef::as_ref).collect(),
        }
    }
}

impl Definition {
    /// The parts directly within it.
    pub fn parts(&self) -> Vec<&Part> {
        match self {
            Self::Record(fields) => fields.iter().map(|(_, part)| part).collect(),
            Self::Variant(cases) => cases.iter().filter_map(|(_, part)| part.as_ref()).collect(),
            Self::Enum(_) | Self::Flags(_) => Vec::new(),
            Self::Alias(part) => vec![part],
        }
    }

    /// The names of its fields, cases or flags.
    fn names(&self) -> Vec<&str> {
        match self {
            Self::Record(fields) => fields.iter().map(|(name, _)| name.as_str()).collect(),
            Self::Variant(cases) => cases.iter().map(|(name, _)| name.as_str()).collect(),
            Self::Enum(names) | Self::Flags(names) => names.iter().map(String::as_str).collect(),
            Self::Alias(_) => Vec::new(),
        }
    }
}

impl BotContract {
    /// Checks that all names are identifiers of WIT, and that types come after their parts.
    ///
    /// # Errors
    /// The first problem.
    pub fn check(&self) -> Result<(), BotContractError> {
        let wrong = |what| Err(BotContractError(what));
        let is_version = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
        let package = self.package.split_once(':').filter(|(space, name)| is_label(space) && is_label(name));
        if package.is_none() || !self.version.bytes().all(is_version) || self.version.len() > NAME_BYTES_MAX {
            return wrong("has a package that is not named `NAMESPACE:NAME@VERSION`");
        }
        if self.observation.max(self.action) >= self.types.len() {
            return wrong("has no type of an observation or an action");
        }
        let mut count = 0;
        for (index, NamedType { name, definition }) in self.types.iter().enumerate() {
            let names = definition.names();
            if !is_label(name) || !names.iter().all(|name| is_label(name)) {
                return wrong("has a name that is not words of letters and digits with `-` between them");
            }
            if names.is_empty() && !matches!(definition, Definition::Alias(_)) {
                return wrong("has a type without fields or cases");
            }
            let mut waiting = definition.parts();
            count += 1 + names.len();
            while let Some(part) = waiting.pop() {
                count += 1;
                if matches!(part, Part::Named(other) if *other >= index) {
                    return wrong("has a type before one of its parts");
                }
                waiting.extend(part.parts());
            }
            if count > PARTS_MAX {
                return wrong("has more parts than a component can have");
            }
        }
        Ok(())
    }

    /// The document in WIT: the types, the interface that a bot exports, and its world, with facts about the game in front. The comments of
    /// the game's author are not in a component, and the document says so.
    ///
    /// All types are in the interface of the bot. A component has the same types, and no import, if it is built against this document.
    pub fn wit(&self, about: &About) -> String {
        let Self { package, version, types, observation, action } = self;
        let mut text = String::new();
        types.iter().for_each(|it| self.define(it, &mut text));
        let name = |index: &usize| identifier(&types[*index].name);
        format!(
            "{}package {};\n\n\
             /// The interface that a bot exports.\ninterface bot {{\n{text}    \
             /// Returns a name to display.\n    name: func() -> string;\n\n    \
             /// Returns the action of this bot, whose turn it is.\n    \
             play: func(observation: {}) -> {};\n}}\n\n\
             /// A bot for the game.\nworld player {{\n    export bot;\n}}\n",
            header(about),
            package_name(package, version),
            name(observation),
            name(action),
        )
    }

    /// The package with its version: `games:nim@1.0.0`.
    pub fn package_name(&self) -> String {
        package_name(&self.package, &self.version)
    }

    fn define(&self, NamedType { name, definition }: &NamedType, text: &mut String) {
        let title = identifier(name);
        let (word, lines): (_, Vec<String>) = match definition {
            Definition::Record(fields) => {
                let field =
                    |(name, part): &(String, Part)| format!("{}: {}", identifier(name), self.part(part));
                ("record", fields.iter().map(field).collect())
            }
            Definition::Variant(cases) => {
                let case = |(name, part): &(String, Option<Part>)| match part {
                    Some(part) => format!("{}({})", identifier(name), self.part(part)),
                    None => identifier(name),
                };
                ("variant", cases.iter().map(case).collect())
            }
            Definition::Enum(names) => ("enum", names.iter().map(|name| identifier(name)).collect()),
            Definition::Flags(names) => ("flags", names.iter().map(|name| identifier(name)).collect()),
            Definition::Alias(part) => {
                let _ = write!(text, "    type {title} = {};\n\n", self.part(part));
                return;
            }
        };
        let lines: String = lines.iter().map(|line| format!("        {line},\n")).collect();
        let _ = write!(text, "    {word} {title} {{\n{lines}    }}\n\n");
    }

    fn part(&self, part: &Part) -> String {
        match part {
            Part::Plain(plain) => plain.name().to_owned(),
            Part::List(element) => format!("list<{}>", self.part(element)),
            Part::FixedList(element, length) => format!("list<{}, {length}>", self.part(element)),
            Part::Option(some) => format!("option<{}>", self.part(some)),
            Part::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.part(part)).collect();
                format!("tuple<{}>", parts.join(", "))
            }
            Part::Result(None, None) => "result".to_owned(),
            Part::Result(Some(ok), None) => format!("result<{}>", self.part(ok)),
            Part::Result(ok, Some(err)) => {
                let ok = ok.as_ref().map_or_else(|| "_".to_owned(), |ok| self.part(ok));
                format!("result<{ok}, {}>", self.part(err))
            }
            Part::Named(index) => identifier(&self.types[*index].name),
        }
    }
}

/// The comment at the top of the document. It has the names and numbers of the game only: WIT does not allow all characters in a comment.
fn header(About { name, version, parameters, max_game_length, turn_milliseconds, .. }: &About) -> String {
    let option = |it: &Parameter| {
        format!("/// Option {}: {} to {}, by default {}.\n", it.name, it.minimum, it.maximum, it.default)
    };
    let options: String = parameters.iter().map(option).collect();
    format!(
        "/// The contract between the game {name} {version} and its bots, read out of the game's component. A component has no comments: for\n\
         /// the meaning of the types, ask the game's author for its `wit/game.wit`.\n///\n\
         /// A turn has the fuel of {turn_milliseconds} ms. A game has at most {max_game_length} turns, those of both players together.\n\
         {options}"
    )
}

fn package_name(package: &str, version: &str) -> String {
    if version.is_empty() { package.to_owned() } else { format!("{package}@{version}") }
}

/// True for an identifier of WIT: words of small or of capital letters and digits, with hyphens between them, beginning with a letter.
fn is_label(name: &str) -> bool {
    let is_small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let is_word =
        |word: &str| !word.is_empty() && (word.bytes().all(is_small) || word.bytes().all(is_capital));
    name.len() <= NAME_BYTES_MAX
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.split('-').all(is_word)
}

fn identifier(name: &str) -> String {
    if KEYWORDS.split(' ').any(|word| word == name) { format!("%{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract(types: Vec<(&str, Definition)>) -> BotContract {
        let types = types.into_iter().map(|(name, definition)| NamedType { name: name.into(), definition });
        BotContract {
            package: "games:nim".into(),
            version: "1.0.0".into(),
            types: types.collect(),
            observation: 0,
            action: 0,
        }
    }

    #[test]
    fn words_of_wit_are_marked_and_types_have_their_parts() {
        let whole = contract(vec![
            ("enum", Definition::Enum(vec!["from".into(), "to".into()])),
            (
                "take",
                Definition::Record(vec![(
                    "list".into(),
                    Part::Tuple(vec![
                        Part::Named(0),
                        Part::Result(None, Some(Box::new(Part::Plain(Plain::U8)))),
                    ]),
                )]),
            ),
        ]);
        whole.check().unwrap();
        let misere =
            Parameter { name: "misere".into(), help: String::new(), default: 0, minimum: 0, maximum: 1 };
        let text = whole.wit(&About {
            name: "nim".into(),
            version: "2".into(),
            parameters: vec![misere],
            max_game_length: 30,
            turn_milliseconds: 1_000,
            ..About::default()
        });
        for line in [
            "/// The contract between the game nim 2 and its bots, read out of the game's component.",
            "/// A turn has the fuel of 1000 ms. A game has at most 30 turns, those of both players together.",
            "/// Option misere: 0 to 1, by default 0.\npackage games:nim@1.0.0;",
            "    enum %enum {\n        %from,\n        to,\n    }",
            "    record take {\n        %list: tuple<%enum, result<_, u8>>,\n    }",
            "    play: func(observation: %enum) -> %enum;",
        ] {
            assert!(text.contains(line), "{line} is not in:\n{text}");
        }
    }

    #[test]
    fn each_name_of_a_type_is_a_word_of_wit() {
        for word in Plain::ALL.map(Plain::name).into_iter().chain(["with", "error-context", "result"]) {
            assert_eq!(identifier(word), format!("%{word}"));
        }
        assert_eq!(identifier("u128"), "u128");
    }

    #[test]
    fn names_that_are_no_identifiers_and_types_before_their_parts_are_refused() {
        let of = |name: &str| contract(vec![("it", Definition::Enum(vec![name.into()]))]);
        for name in ["a", "a-b", "URL", "a-URL-2", "x1"] {
            assert_eq!(of(name).check(), Ok(()), "{name}");
        }
        for name in
            ["", "-", "a-", "1a", "aB", "a_b", "a;b", "a\n", "é", "a--b", "../a", "a b", &"a".repeat(300)]
        {
            assert!(of(name).check().is_err(), "{name}");
        }
        let alias = |part| contract(vec![("it", Definition::Alias(part))]);
        assert!(alias(Part::Named(0)).check().is_err());
        assert!(alias(Part::List(Box::new(Part::Named(7)))).check().is_err());
        assert!(alias(Part::Tuple(vec![Part::Plain(Plain::U8); 20_000])).check().is_err());
        assert!(contract(vec![("it", Definition::Record(Vec::new()))]).check().is_err());
        assert!(BotContract { package: "games".into(), ..of("a") }.check().is_err());
        assert!(BotContract { version: "1;".into(), ..of("a") }.check().is_err());
        assert!(BotContract { action: 1, ..of("a") }.check().is_err());
    }
}
