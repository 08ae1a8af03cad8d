//! The form of an action of a game that is a component, from the action's type.

use arena_rules::loaded::{BotContract, Definition, Part, Plain};
use serde::Serialize;

/// The most levels of a form. Chosen: what lies deeper is typed; types cannot be recursive.
const DEPTH_MAX: usize = 8;

/// The form of a value of a type, as the page's script makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "kebab-case")]
pub(crate) enum Form {
    Record(Vec<(String, Self)>),
    Variant(Vec<(String, Option<Self>)>),
    Enum(Vec<String>),
    Flags(Vec<String>),
    Tuple(Vec<Self>),
    /// A list, or one of this length.
    List(Box<Self>, Option<u32>),
    Option(Box<Self>),
    Bool,
    /// A whole number from the first to the second.
    Whole(String, String),
    Float,
    Char,
    Text,
    /// A value that is typed as the game writes it.
    Any,
}

impl Form {
    /// The form of an action.
    pub(crate) fn of_action(contract: &BotContract) -> Self {
        Self::named(contract, contract.action, DEPTH_MAX)
    }

    fn named(contract: &BotContract, index: usize, depth: usize) -> Self {
        let Some((named, depth)) = contract.types.get(index).zip(depth.checked_sub(1)) else {
            return Self::Any;
        };
        let of = |part: &Part| Self::of(contract, part, depth);
        match &named.definition {
            Definition::Record(fields) => {
                Self::Record(fields.iter().map(|(name, part)| (name.clone(), of(part))).collect())
            }
            Definition::Variant(cases) => Self::Variant(
                cases.iter().map(|(name, part)| (name.clone(), part.as_ref().map(of))).collect(),
            ),
            Definition::Enum(cases) => Self::Enum(cases.clone()),
            Definition::Flags(names) => Self::Flags(names.clone()),
            Definition::Alias(part) => of(part),
        }
    }

    fn of(contract: &BotContract, part: &Part, depth: usize) -> Self {
        let Some(less) = depth.checked_sub(1) else { return Self::Any };
        let inner = |part: &Part| Box::new(Self::of(contract, part, less));
        match part {
            Part::Plain(plain) => Self::plain(*plain),
            Part::List(element) => Self::List(inner(element), None),
            Part::FixedList(element, length) => Self::List(inner(element), Some(*length)),
            Part::Option(element) => Self::Option(inner(element)),
            Part::Tuple(parts) => Self::Tuple(parts.iter().map(|part| *inner(part)).collect()),
            Part::Result(ok, err) => {
                let case = |name: &str, part: &Option<Box<Part>>| {
                    (name.to_owned(), part.as_deref().map(|part| *inner(part)))
                };
                Self::Variant(vec![case("ok", ok), case("err", err)])
            }
            Part::Named(index) => Self::named(contract, *index, depth),
        }
    }

    fn plain(plain: Plain) -> Self {
        let whole = |least: i128, most: i128| Self::Whole(least.to_string(), most.to_string());
        match plain {
            Plain::Bool => Self::Bool,
            Plain::S8 => whole(i8::MIN.into(), i8::MAX.into()),
            Plain::U8 => whole(0, u8::MAX.into()),
            Plain::S16 => whole(i16::MIN.into(), i16::MAX.into()),
            Plain::U16 => whole(0, u16::MAX.into()),
            Plain::S32 => whole(i32::MIN.into(), i32::MAX.into()),
            Plain::U32 => whole(0, u32::MAX.into()),
            Plain::S64 => whole(i64::MIN.into(), i64::MAX.into()),
            Plain::U64 => whole(0, u64::MAX.into()),
            Plain::F32 | Plain::F64 => Self::Float,
            Plain::Char => Self::Char,
            Plain::String => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::loaded::NamedType;

    #[test]
    fn a_form_has_each_part_of_an_action_and_is_as_deep_as_eight_levels() {
        let named = |name: &str, definition| NamedType { name: name.into(), definition };
        let field = |name: &str, part| (name.to_owned(), part);
        let u8s = Part::List(Box::new(Part::Plain(Plain::U8)));
        let types = vec![
            named("suit", Definition::Enum(vec!["clubs".into(), "hearts".into()])),
            named("bid", Definition::Record(vec![field("suit", Part::Named(0)), field("dice", u8s)])),
            named("action", Definition::Variant(vec![case("pass", None), case("bid", Some(Part::Named(1)))])),
        ];
        let contract = |types, action| BotContract {
            package: "a:b".into(),
            version: String::new(),
            types,
            observation: 0,
            action,
        };
        let form = serde_json::to_string(&Form::of_action(&contract(types, 2))).expect("it is plain data");
        assert_eq!(
            form,
            r#"{"kind":"variant","of":[["pass",null],["bid",{"kind":"record","of":[["suit",{"kind":"enum","of":["clubs","hearts"]}],["dice",{"kind":"list","of":[{"kind":"whole","of":["0","255"]},null]}]]}]]}"#
        );
        let mut deep = Part::Plain(Plain::Bool);
        for _ in 0..20 {
            deep = Part::Option(Box::new(deep));
        }
        let form = Form::of_action(&contract(vec![named("action", Definition::Alias(deep))], 0));
        let levels = serde_json::to_string(&form).expect("it is plain data").matches("kind").count();
        assert_eq!(levels, DEPTH_MAX);
    }

    fn case(name: &str, part: Option<Part>) -> (String, Option<Part>) {
        (name.to_owned(), part)
    }
}
