//! The contract: which components are games, what they say about themselves, and how a trial of one goes.

use crate::common::{admit, fault, game, sandbox};
use arena_loaded::{Answer, FaultKind, Order, run, trial};
use arena_rules::{GameKind, Seat};
use arena_sandbox::{AdmitError, RefusalKind};

#[test]
fn a_game_describes_itself() {
    let game = game("");
    let about = game.about();
    assert_eq!((about.name.as_str(), about.version.as_str()), ("matches", "1.0.0"));
    assert_eq!(about.defaults(), [("matches".to_owned(), 10)]);
    assert!(game.lists_actions() && game.resamples());
    assert_eq!(game.bot_types().interface, "zoo:matches/bot@0.1.0");
}

#[test]
fn a_game_is_played_to_its_end() {
    let game = game("");
    let mut state = game.start(&[("matches".to_owned(), 4)], 7, Seat::Second).unwrap().unwrap();
    assert_eq!(state.current_player().unwrap(), Some(Seat::Second));
    assert_eq!(state.picture(None).unwrap(), "||||");
    for (action, left) in [("{take: 3}", "1"), ("{take: 1}", "0")] {
        let action = state.parse_action(action).unwrap();
        let arena_loaded::Applied::Done(effect) = state.apply(action).unwrap() else {
            panic!("it is legal");
        };
        assert_eq!(effect.and_then(|effect| effect.text()).as_deref(), Some(left));
    }
    assert_eq!(state.current_player().unwrap(), None);
    assert_eq!(state.outcome().unwrap().winner, Some(Seat::First));
    assert!(state.parse_action("{take: -1}").is_err() && state.parse_action("3").is_err());
}

#[test]
fn a_trial_plays_all_games_and_counts_what_happened_in_them() {
    let trial = trial::play(&game(""), 400, &[], |_| true).expect("the host does not fail");
    assert_eq!((trial.games, &trial.fault), (400, &None));
    assert_eq!(trial.wins.iter().sum::<u32>() + trial.draws, 400);
    let on_the_board: u32 = trial.endings.iter().sum();
    assert_eq!(on_the_board + trial.lost + trial.overrun_games, 400);
    for (what, count) in [
        ("taken", trial.odd_actions),
        ("retried", trial.retries),
        ("overruns", trial.overrun_turns),
        ("drawn again", trial.resampled),
    ] {
        assert!(count > 0, "{what}: {trial:?}");
    }
    assert!(trial.turns.iter().all(|turns| (1..=100).contains(turns)));
    for function in ["describe", "observe", "apply-action", "legal-actions", "resample-from-infostate"] {
        let is_there = trial.fuel.get(function).is_some_and(|fuel| fuel.max > 0);
        // It is asked once, before the trial.
        assert_eq!(is_there, function != "describe", "{function}");
    }
    assert_eq!(trial, trial::play(&game(""), 400, &[], |_| true).expect("the host does not fail"));
}

#[test]
fn half_of_a_trial_has_other_options_unless_they_are_given() {
    let trial = trial::play(&game(""), 100, &[], |_| true).expect("the host does not fail");
    assert_eq!((trial.other_options, &trial.other_values[..]), (50, &[50][..]));
    let one = [("matches".to_owned(), 1)];
    let given = trial::play(&game(""), 100, &one, |_| true).expect("the host does not fail");
    assert_eq!((given.games, given.other_options), (100, 0));
    // The first to move takes the only match.
    assert!(given.turns[50] == 1 && trial.turns[50] > 1, "{:?} {:?}", given.turns, trial.turns);
}

#[test]
fn a_trial_counts_how_often_others_saw_what_was_drawn_again() {
    // Seat 1 alone sees the number at 12, so only a state that is drawn again for seat 2 can differ.
    let hides = r"
        (func $observe (param $state i32) (param $viewer i32) (result i32)
            (i32.store (i32.const 0) (i32.load (local.get $state)))
            (i32.store (i32.const 4)
                (select (i32.const 0) (i32.load offset=12 (local.get $state)) (local.get $viewer)))
            (i32.const 0))
        (func $resample (param $state i32) (param $viewer i32) (param $seed i64) (result i32)
            (local $other i32)
            (local.set $other
                (call $state (i32.load (local.get $state)) (i32.load offset=4 (local.get $state))))
            (i32.store offset=12 (local.get $other)
                (select (i32.wrap_i64 (local.get $seed)) (i32.load offset=12 (local.get $state))
                    (local.get $viewer)))
            (call $new-handle (local.get $other)))";
    let play = |parts| trial::play(&game(parts), 40, &[], |_| true).expect("the host does not fail");
    let (open, hiding) = (play(""), play(hides));
    assert_eq!((&open.fault, open.resampled_otherwise, &hiding.fault), (&None, 0, &None));
    assert!(open.resampled > 0);
    assert_eq!((hiding.resampled_otherwise, hiding.resampled), (open.resampled / 2, open.resampled));
}

#[test]
fn a_trial_ends_when_it_is_asked_to() {
    let trial =
        trial::play(&game(""), 1_000, &[], |progress| progress.played < 3).expect("the host does not fail");
    assert_eq!((trial.games, trial.fault), (3, None));
}

#[test]
fn a_sandbox_without_processes_does_the_work_here() {
    let component = crate::common::component("");
    let Answer { about, trial, contract, .. } =
        run(sandbox(), &component, Order::Trial(5, Vec::new()), |_| true)
            .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((about.name.as_str(), trial.map(|trial| trial.games), contract), ("matches", Some(5), None));
}

/// The fault of the game whose WIT is edited.
fn edited(from: &str, to: &str) -> String {
    let bytes = arena_testkit::game_component_with("", |wit| wit.replace(from, to))
        .unwrap_or_else(|error| panic!("{error:?}"));
    let fault = fault(admit(&bytes).unwrap_or_else(|refusal| panic!("it is refused: {refusal}")));
    assert_eq!(fault.kind, FaultKind::WrongTypes, "{fault}");
    fault.to_string()
}

#[test]
fn a_function_of_another_type_is_named_with_both_types() {
    assert_eq!(
        edited("result<u32, refusal>", "result<u32, string>"),
        "`apply-action` returns result<u32, string>; it must return result<u32, variant { retry(string), lost(string) }>"
    );
    assert_eq!(
        edited("viewer: seat) -> observation", "viewer: bool) -> observation"),
        "`observe` takes (borrow<state>, bool); it must take (borrow<state>, enum { one, two })"
    );
    assert_eq!(
        edited(
            "legal-actions: func(of: borrow<state>) -> list<action>",
            "legal-actions: func(of: borrow<state>) -> string"
        ),
        "`legal-actions` returns string; it must return list<record { take: u32 }>"
    );
}

#[test]
fn types_that_grow_with_each_level_are_refused() {
    let mut levels = String::from("record t0 { a: u8, b: u8 }\n");
    for level in 1..14 {
        let below = level - 1;
        levels += &format!("record t{level} {{ a: t{below}, b: t{below} }}\n");
    }
    let text = format!("{levels} record observation {{ left: t13,");
    let found = edited("record observation {\n        left: u32,", &text);
    assert!(found.contains("its types have more than 10000 parts in total"), "{found}");
}

/// The refusal of the game whose WIT is edited.
fn refused(parts: &str, from: &str, to: &str) -> (RefusalKind, String) {
    let bytes = arena_testkit::game_component_with(parts, |wit| wit.replace(from, to))
        .unwrap_or_else(|error| panic!("{error:?}"));
    let refusal = admit(&bytes).expect_err("it is refused");
    (refusal.kind, refusal.message)
}

#[test]
fn a_game_defines_no_resource_besides_its_state_and_imports_nothing_but_types() {
    let (kind, message) = refused("", "interface moves {", "interface moves {\n    resource other;");
    assert_eq!(
        (kind, message.as_str()),
        (RefusalKind::Feature, "defines more resources than the state of the game")
    );
    let import = r#"(import "zoo:matches/types@0.1.0" "more" (func $more))
        (func $pass (param $state i32) (call $more))"#;
    let (kind, message) = refused(import, "record action {", "more: func();\n    record action {");
    assert_eq!(kind, RefusalKind::Import);
    assert!(
        message.contains("`zoo:matches/types@0.1.0` is of a game's own package and has more than types"),
        "{message}"
    );
}

#[test]
fn a_game_is_no_bot_and_a_bot_no_game() {
    match sandbox().admit(&arena_testkit::game_component("").unwrap()) {
        Err(AdmitError::Refused(refusal)) => assert_eq!(refusal.kind, RefusalKind::Game, "{refusal}"),
        other => panic!("it is not refused: {other:?}"),
    }
    let bot = sandbox().admit(&arena_testkit::game_bot_component("").unwrap()).unwrap();
    assert_eq!((bot.kind(), bot.component().map(|it| it.is_game())), (GameKind::Loaded, Some(false)));
    let refusal = admit(&arena_testkit::zoo("sweeper")).expect_err("it is a bot for a built-in game");
    assert_eq!(refusal.kind, RefusalKind::NotABot, "{refusal}");
    let fault = fault(admit(&arena_testkit::game_bot_component("").unwrap()).expect("it is admitted"));
    assert_eq!(fault.to_string(), "`rules` is missing: the game exports no `arena:game/rules@0.1.0`");
}

#[test]
fn a_text_is_the_same_action_each_time_it_is_read_however_many_there_are() {
    let game = game("");
    let state = game.start(&[("matches".to_owned(), 4)], 7, Seat::Second).unwrap().unwrap();
    for _ in 0..2 {
        // More than are kept.
        for number in 0..2_500 {
            let text = format!("{{take: {number}}}");
            assert_eq!(state.parse_action(&text).unwrap().text(), Some(text));
        }
        assert!(state.parse_action("{take: -1}").is_err());
    }
}
