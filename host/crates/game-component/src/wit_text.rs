//! The contract between a game and its bots, as a WIT document.

use crate::contract::path_of;
use crate::game::{BotTypes, Game};
use arena_sandbox::ValueType;
use std::fmt::Write;

/// Words of WIT that an identifier has to mark.
const KEYWORDS: [&str; 38] = [
    "as",
    "async",
    "bool",
    "borrow",
    "char",
    "constructor",
    "enum",
    "export",
    "f32",
    "f64",
    "flags",
    "from",
    "func",
    "future",
    "import",
    "include",
    "interface",
    "list",
    "map",
    "option",
    "own",
    "package",
    "record",
    "resource",
    "result",
    "s16",
    "s32",
    "s64",
    "s8",
    "static",
    "stream",
    "string",
    "tuple",
    "type",
    "u16",
    "u32",
    "use",
    "variant",
];

/// Returns the contract of a game with its bots, read out of its component: the types, the interface that a bot exports, and its world. The
/// comments of the author are not in a component.
///
/// All types are in the interface of the bot. A component has the same types, and no import, if it is built against this document.
pub fn wit_text(game: &Game) -> String {
    let BotTypes { interface, observation, action } = game.bot_types();
    let (path, version) = (path_of(&interface), &interface[path_of(&interface).len()..]);
    let package = path.strip_suffix("/bot").unwrap_or(path);
    let mut types = Types { game, defined: Vec::new(), text: String::new() };
    let observation = types.named("observation", &observation);
    let action = types.named("action", &action);
    let about = game.about();
    format!(
        "/// The contract between the game {} {} and its bots.\npackage {package}{version};\n\n\
         /// The interface that a bot exports.\ninterface bot {{\n{}    \
         /// Returns a name to display.\n    name: func() -> string;\n\n    \
         /// Returns the action of this bot, whose turn it is.\n    \
         play: func(observation: {observation}) -> {action};\n}}\n\n\
         /// A bot for the game.\nworld player {{\n    export bot;\n}}\n",
        about.name, about.version, types.text,
    )
}

/// The definitions of types.
struct Types<'a> {
    game: &'a Game,
    /// The types that are defined, with their names.
    defined: Vec<(String, ValueType)>,
    text: String,
}

impl Types<'_> {
    /// The name of a type, which is defined if it is not yet, if possible with this name.
    fn named(&mut self, wish: &str, ty: &ValueType) -> String {
        if let Some((name, _)) = self.defined.iter().find(|(_, defined)| defined == ty) {
            return identifier(name);
        }
        let is_taken = |name: &str| self.defined.iter().any(|(other, _)| other == name);
        let free = (2..).map(|number| format!("{wish}-{number}")).find(|name| !is_taken(name));
        let name =
            if is_taken(wish) { free.expect("there is always another number") } else { wish.to_owned() };
        self.define(&name, ty);
        identifier(&name)
    }

    fn define(&mut self, name: &str, ty: &ValueType) {
        // The name is taken before its parts are named.
        self.defined.push((name.to_owned(), ty.clone()));
        let title = identifier(name);
        let body = match ty {
            ValueType::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, ty)| format!("{}: {}", identifier(field), self.part(field, ty)))
                    .collect();
                block("record", &title, &fields)
            }
            ValueType::Variant(cases) => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|(case, content)| match content {
                        Some(ty) => format!("{}({})", identifier(case), self.part(case, ty)),
                        None => identifier(case),
                    })
                    .collect();
                block("variant", &title, &cases)
            }
            ValueType::Enum(names) => block("enum", &title, &identifiers(names)),
            ValueType::Flags(names) => block("flags", &title, &identifiers(names)),
            other => {
                let part = self.part(name, other);
                format!("    type {title} = {part};\n\n")
            }
        };
        // Parts come first, because they were defined while the body was made.
        let _ = write!(self.text, "{body}");
    }

    /// A type within another one.
    fn part(&mut self, wish: &str, ty: &ValueType) -> String {
        match ty {
            ValueType::Plain(name) => (*name).to_owned(),
            ValueType::List(element) => format!("list<{}>", self.part(wish, element)),
            ValueType::FixedList(element, length) => format!("list<{}, {length}>", self.part(wish, element)),
            ValueType::Option(some) => format!("option<{}>", self.part(wish, some)),
            ValueType::Tuple(types) => {
                let types: Vec<String> = types.iter().map(|ty| self.part(wish, ty)).collect();
                format!("tuple<{}>", types.join(", "))
            }
            ValueType::Result(ok, err) => {
                let ok = ok.as_ref().map(|ty| self.part(wish, ty));
                match (ok, err) {
                    (None, None) => "result".to_owned(),
                    (Some(ok), None) => format!("result<{ok}>"),
                    (ok, Some(err)) => {
                        format!("result<{}, {}>", ok.unwrap_or("_".into()), self.part(wish, err))
                    }
                }
            }
            ty => {
                let known = self.game.named_types().find(|(_, _, known)| *known == ty);
                let name = known.map_or_else(|| wish.to_owned(), |(_, name, _)| name.to_owned());
                self.named(&name, ty)
            }
        }
    }
}

fn block(word: &str, title: &str, lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("        {line},\n")).collect();
    format!("    {word} {title} {{\n{lines}    }}\n\n")
}

fn identifiers(names: &[String]) -> Vec<String> {
    names.iter().map(|name| identifier(name)).collect()
}

fn identifier(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("%{name}") } else { name.to_owned() }
}
