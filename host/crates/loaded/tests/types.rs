//! Laws of the comparison of types.

use arena_loaded::difference;
use arena_sandbox::ValueType;
use proptest::prelude::*;

/// One of a few names, so that two types often have the same ones.
fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned)
}

/// Any type without resources, of a few parts.
fn any_type() -> impl Strategy<Value = ValueType> {
    let plain = prop::sample::select(vec!["bool", "u8", "string"]).prop_map(ValueType::Plain);
    plain.prop_recursive(3, 12, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let optional = prop::option::of(inner.clone());
        let part = prop::option::of(boxed.clone());
        prop_oneof![
            boxed.clone().prop_map(ValueType::List),
            (boxed.clone(), 1..3_u32).prop_map(|(element, length)| ValueType::FixedList(element, length)),
            boxed.prop_map(ValueType::Option),
            prop::collection::vec((name(), inner.clone()), 1..3).prop_map(ValueType::Record),
            prop::collection::vec(inner, 1..3).prop_map(ValueType::Tuple),
            prop::collection::vec((name(), optional), 1..3).prop_map(ValueType::Variant),
            prop::collection::vec(name(), 1..3).prop_map(ValueType::Enum),
            prop::collection::vec(name(), 1..3).prop_map(ValueType::Flags),
            (part.clone(), part).prop_map(|(ok, err)| ValueType::Result(ok, err)),
        ]
    })
}

proptest! {
    #[test]
    fn two_types_differ_if_and_only_if_a_difference_is_named(game in any_type(), bot in any_type()) {
        prop_assert_eq!(difference("x", &game, &game.clone()), None);
        prop_assert_eq!(difference("x", &game, &bot).is_none(), game == bot);
    }

    #[test]
    fn a_difference_is_named_with_its_path_and_both_sides(game in any_type(), bot in any_type()) {
        if let Some(what) = difference("x", &game, &bot) {
            prop_assert!(what.starts_with("`x"), "{}", what);
            prop_assert!(what.contains("in the game and") && what.ends_with("in the bot"), "{}", what);
        }
    }
}
