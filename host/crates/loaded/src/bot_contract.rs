//! The contract between a game and its bots, read out of the game's component.

use crate::contract::path_of;
use crate::game::{BotTypes, Game};
use arena_rules::loaded::{BotContract, Definition, NamedType, Part, Plain};
use arena_sandbox::ValueType;

/// The contract of a game with its bots.
pub fn bot_contract(game: &Game) -> BotContract {
    let BotTypes { interface, observation, action } = game.bot_types();
    let (path, version) = (path_of(&interface), &interface[path_of(&interface).len()..]);
    let mut types = Types { game, taken: Vec::new(), defined: Vec::new() };
    let observation = types.named("observation", &observation);
    let action = types.named("action", &action);
    BotContract {
        package: path.strip_suffix("/bot").unwrap_or(path).to_owned(),
        version: version.trim_start_matches('@').to_owned(),
        types: types.defined.into_iter().map(|(it, _)| it).collect(),
        observation,
        action,
    }
}

/// The definitions of types.
struct Types<'a> {
    game: &'a Game,
    /// The names that are taken, also by types whose parts are being defined.
    taken: Vec<String>,
    /// The types that are defined.
    defined: Vec<(NamedType, ValueType)>,
}

impl Types<'_> {
    /// The index of a type, which is defined if it is not yet, if possible with this name.
    fn named(&mut self, wish: &str, ty: &ValueType) -> usize {
        if let Some(index) = self.defined.iter().position(|(_, defined)| defined == ty) {
            return index;
        }
        let is_free = |name: &String| !self.taken.contains(name);
        let numbered = (2..).map(|number| format!("{wish}-{number}"));
        let name = std::iter::once(wish.to_owned()).chain(numbered).find(is_free);
        let name = name.expect("there is always another number");
        // The name is taken before its parts are named, and the parts are defined before it.
        self.taken.push(name.clone());
        let definition = self.definition(&name, ty);
        self.defined.push((NamedType { name, definition }, ty.clone()));
        self.defined.len() - 1
    }

    fn definition(&mut self, name: &str, ty: &ValueType) -> Definition {
        match ty {
            ValueType::Record(fields) => {
                let field = |(name, ty): &(String, ValueType)| (name.clone(), self.part(name, ty));
                Definition::Record(fields.iter().map(field).collect())
            }
            ValueType::Variant(cases) => {
                let mut case = |(name, ty): &(String, Option<ValueType>)| {
                    (name.clone(), ty.as_ref().map(|ty| self.part(name, ty)))
                };
                Definition::Variant(cases.iter().map(&mut case).collect())
            }
            ValueType::Enum(names) => Definition::Enum(names.clone()),
            ValueType::Flags(names) => Definition::Flags(names.clone()),
            other => Definition::Alias(self.part(name, other)),
        }
    }

    /// A type within another one.
    fn part(&mut self, wish: &str, ty: &ValueType) -> Part {
        let mut boxed = |ty: &ValueType| Box::new(self.part(wish, ty));
        match ty {
            ValueType::Plain(name) => {
                let plain = Plain::ALL.into_iter().find(|plain| plain.name() == *name);
                Part::Plain(plain.expect("these are all"))
            }
            ValueType::List(element) => Part::List(boxed(element)),
            ValueType::FixedList(element, length) => Part::FixedList(boxed(element), *length),
            ValueType::Option(some) => Part::Option(boxed(some)),
            ValueType::Result(ok, err) => {
                let ok = ok.as_deref().map(&mut boxed);
                Part::Result(ok, err.as_deref().map(boxed))
            }
            ValueType::Tuple(types) => Part::Tuple(types.iter().map(|ty| self.part(wish, ty)).collect()),
            ty => {
                let known = self.game.named_types().find(|(_, _, known)| *known == ty);
                let name = known.map_or_else(|| wish.to_owned(), |(_, name, _)| name.to_owned());
                Part::Named(self.named(&name, ty))
            }
        }
    }
}
