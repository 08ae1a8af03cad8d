//! Games by the rules of `arena-rules`, with code in this process.

use crate::common::component;
use arena_loaded::{Game, with_code_here};
use arena_rules::loaded::{Loaded, Rules};
use arena_rules::{Failure, Game as _, Ruling, Seat};

/// A game with these parts replaced.
fn begin(parts: &str) -> Loaded {
    let component = component(parts);
    let about = Game::new(component.clone()).expect("it is a game").about().clone();
    let rules = with_code_here(Rules::new(about, component.hash()), &component).expect("its code is here");
    Loaded::new(&rules, [7; 2], Seat::First)
}

fn act(game: &mut Loaded, action: &str) -> Ruling<Loaded> {
    let seat = game.to_move().expect("it goes on");
    game.act(seat, &action.to_owned())
}

#[test]
fn copies_of_a_game_go_on_by_themselves_though_its_code_has_the_latest_state_only() {
    let mut game = begin("");
    let [mut first, mut second] = [game.clone(), game.clone()];
    assert_eq!(game.objection("{take: 4}").unwrap().as_deref(), Some("take one to three"));
    assert_eq!(game.objection("{take: 3}").unwrap(), None);
    assert_eq!(act(&mut game, "{take: 3}"), Ruling::Done("7".into()));
    assert_eq!(act(&mut first, "{take: 1}"), Ruling::Done("9".into()));
    assert_eq!(act(&mut second, "{take: 2}"), Ruling::Done("8".into()));
    assert_eq!(act(&mut first, "{take: 2}"), Ruling::Done("7".into()));
    assert!(second.overrun(Seat::Second));
    for (game, left) in [(&game, 7), (&first, 7), (&second, 8)] {
        assert_eq!(game.picture(None).unwrap(), "|".repeat(left));
        assert_eq!(game.failure(), None);
    }
    for left in ["4", "1", "0"] {
        let action = if left == "0" { "{take: 1}" } else { "{take: 3}" };
        assert_eq!(act(&mut game, action), Ruling::Done(left.into()));
    }
    assert!(game.end().is_some() && game.clone() == game);
}

#[test]
fn a_text_that_is_no_action_is_answered_with_what_is_wrong_a_legal_action_and_the_type() {
    let mut game = begin("");
    for (text, problem) in [
        ("3", "3: invalid value type"),
        ("{take: -1}", "-1: invalid value"),
        ("{give: 1}", "{give: 1}: missing field \"take\""),
        ("{take: 1", "unexpected end of input"),
        ("{take: 1} 2", "2: trailing characters after value"),
    ] {
        let why = game.objection(text).unwrap().expect("it is no action");
        let expected = format!("{problem}; write it like {{take: ");
        assert!(
            why.starts_with(&expected) && why.ends_with("}, of the type record { take: u32 }"),
            "{text}: {why}"
        );
        let example =
            why.split_once("like ").and_then(|(_, rest)| rest.split_once(", of")).expect("it has one").0;
        assert_eq!(game.objection(example).unwrap(), None, "{example}");
    }
    assert!(matches!(act(&mut game, "3"), Ruling::Lost(why) if why.starts_with("3: invalid value type; ")));
}

#[test]
fn code_that_takes_an_action_which_it_refuses_fails_in_that_turn() {
    let passes = r"
        (func $apply-action (param $state i32) (param $take i32) (result i32)
            (call $pass (local.get $state))
            (call $refuse (i32.const 0) (i32.const 192) (i32.const 17)))";
    let mut game = begin(passes);
    let _ = act(&mut game, "{take: 3}");
    let why = "`apply-action` answers {take: 3} with `retry`, and it is no longer the player's turn";
    assert_eq!(game.failure(), Some(Failure::Game(why.into())));
}
