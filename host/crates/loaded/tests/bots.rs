//! Bots for a game: their types are those of the game, and its WIT says what they are.

use crate::common::{admit, component, game};
use arena_loaded::{Game, bot_contract};
use arena_sandbox::Component;

fn bot_with(edit: impl Fn(&str) -> String) -> Component {
    let bytes = arena_testkit::game_bot_component_with("", edit).unwrap_or_else(|error| panic!("{error:?}"));
    admit(&bytes).unwrap_or_else(|refusal| panic!("it is refused: {refusal}"))
}

/// The contract of a game with its bots, as a WIT document.
fn wit_text(game: &Game) -> String {
    bot_contract(game).wit(game.about())
}

fn check(bot: &Component) -> Result<(), String> {
    game("").check_bot(bot).expect("the host does not fail")
}

#[test]
fn a_bot_with_the_types_of_the_game_fits() {
    let bot = bot_with(str::to_owned);
    assert_eq!(bot.contract(), "arena:game/bot@0.1.0");
    assert_eq!(check(&bot), Ok(()));
}

#[test]
fn a_bot_with_other_types_does_not_fit_and_the_first_difference_is_named() {
    for (from, to, expected) in [
        ("take: u32", "take: s32", "`action.take` is u32 in the game and s32 in the bot"),
        ("take: u32", "count: u32", "`action` has the fields take in the game and count in the bot"),
        (
            "left: u32,\n        mine: u32,",
            "mine: u32,\n        left: u32,",
            "`observation` has the fields left, mine in the game and mine, left in the bot",
        ),
        ("interface bot", "interface bot", ""),
    ] {
        let found = check(&bot_with(|wit| wit.replace(from, to)));
        let expected = match expected {
            "" => Ok(()),
            difference => Err(format!("has other types than the game: {difference}")),
        };
        assert_eq!(found, expected);
    }
    assert_eq!(check(&component("")), Err("exports no `zoo:matches/bot@0.1.0`".to_owned()));
}

#[test]
fn the_contract_of_a_game_with_its_bots_is_read_out_of_its_component() {
    insta::assert_snapshot!(wit_text(&game("")));
}

#[test]
fn a_bot_that_is_built_against_the_printed_contract_fits() {
    let printed = wit_text(&game(""));
    // Its interface has the types itself, and its world another name in front.
    let bot = bot_with(|_| printed.clone());
    assert_eq!(check(&bot), Ok(()));
    assert_eq!(bot.imports(), [""; 0]);
}

#[test]
fn types_of_all_kinds_are_printed_and_each_random_answer_is_one_of_them() {
    let edit = |wit: &str| {
        wit.replace(
            "record action {\n        take: u32,\n    }",
            "variant kind { some(u8), none, %list(list<string>) }
             enum word { ok, err, %true }
             flags marks { near, far }
             record action {
                 flag: bool, small: s8, large: u64, real: f32, letter: char, text: string,
                 %list: list<s16>, pair: tuple<u8, string>, maybe: option<s64>, either: result<u8, string>,
                 nothing: result, kind: kind, word: word, marks: marks,
             }",
        )
    };
    let wide = "(func $apply-action (param i32) (result i32)
            (i32.store8 (i32.const 0) (i32.const 1))
            (i32.store8 (i32.const 4) (i32.const 0))
            (call $text (i32.const 8) (i32.const 192) (i32.const 17))
            (i32.const 0))
        (func $random-action (param i32 i64) (result i32) (unreachable))
        (func $legal-actions (param i32) (result i32)
            (i32.store (i32.const 0) (i32.const 20480))
            (i32.store (i32.const 4) (i32.const 1))
            (i32.const 0))";
    let bytes = arena_testkit::game_component_with(wide, edit).unwrap_or_else(|error| panic!("{error:?}"));
    let game = Game::new(admit(&bytes).expect("it is admitted")).unwrap_or_else(|error| panic!("{error}"));
    insta::assert_snapshot!(wit_text(&game));
    let unreadable = arena_loaded::unreadable_answers(&game, 500).expect("the host does not fail");
    assert_eq!(unreadable, [""; 0]);
}
