//! Games by the rules of `arena-rules`, with code in this process.

use crate::common::{component, game};
use arena_loaded::trial::{self, ScoresSeen};
use arena_loaded::{Game, with_code_here};
use arena_rules::loaded::{Loaded, Rules};
use arena_rules::{Failure, Game as _, Ruling, Seat, scores};

/// The rules of a game with these parts replaced.
fn rules(parts: &str) -> Rules {
    let component = component(parts);
    let about = Game::new(component.clone()).expect("it is a game").about().clone();
    with_code_here(Rules::new(about, component.hash()), &component).expect("its code is here")
}

/// A game with these parts replaced.
fn begin(parts: &str) -> Loaded {
    Loaded::new(&rules(parts), [7; 2], Seat::First)
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

/// A game with scores from 0 to 10: the winner has 10, and the other player the number of matches it took last, 0.
const SCORES: &str = r#"
    (data $range (i32.const 1064) "\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\0a\00\00\00\00\00\00\00")
    (func $outcome (param $state i32) (result i32)
        (local $winner i32)
        (local.set $winner (i32.load offset=8 (local.get $state)))
        (i32.store8 (i32.const 0) (i32.const 1))
        (i32.store8 (i32.const 1) (local.get $winner))
        (call $text (i32.const 4) (i32.const 144) (i32.const 10))
        (i32.store8 (i32.const 16) (i32.const 1))
        (i64.store (i32.const 24) (select (i64.const 0) (i64.const 10) (local.get $winner)))
        (i64.store (i32.const 32) (select (i64.const 10) (i64.const 0) (local.get $winner)))
        (i32.const 0))
    (func $overrun (param $state i32) (result i32) (i32.const 1))"#;

#[test]
fn scores_are_those_of_the_outcome_and_a_fault_costs_all_that_there_are() {
    let rules = rules(SCORES);
    let mut game = Loaded::new(&rules, [7; 2], Seat::First);
    let of = |game: &Loaded| scores(&rules, Some(game), game.end().expect("it is over"));
    for action in ["{take: 3}", "{take: 3}", "{take: 3}"] {
        let _ = act(&mut game, action);
    }
    let (mut lost, mut late, mut gone) = (game.clone(), game.clone(), game.clone());
    assert_eq!(act(&mut game, "{take: 1}"), Ruling::Done("0".into()));
    assert_eq!((game.failure(), of(&game)), (None, Some([0, 10])));
    assert!(matches!(act(&mut lost, "{take: 2}"), Ruling::Lost(_)));
    assert!(!late.overrun(Seat::Second));
    gone.forfeit(Seat::Second);
    for game in [lost, late, gone] {
        assert_eq!((game.failure(), of(&game)), (None, Some([10, 0])));
    }
}

#[test]
fn a_trial_has_the_scores_that_were_seen() {
    let trial = trial::play(&game(SCORES), 40, &[], |_| true).expect("the host does not fail");
    let ScoresSeen { lowest, highest, sums } = trial.scores.expect("it has scores");
    assert_eq!(
        (&trial.fault, lowest, highest, sums),
        (&None, 0, 10, trial.wins.map(|wins| 10 * i64::from(wins)))
    );
    let without = trial::play(&game(""), 4, &[], |_| true).expect("the host does not fail");
    assert_eq!(without.scores, None);
}
