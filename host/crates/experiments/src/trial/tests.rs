//! The trial games of a bot.

use super::*;
use crate::testing;
use arena_referee::FaultClass;
use arena_sandbox::SandboxLimits;
use std::time::Duration;

/// The fuel of a turn.
const TURN: u64 = 100_000;

/// The fuel of a trial, in turns.
const TURNS: u64 = 10;

/// The trial of a bot that is like the well-behaved one but for these parts.
fn trial(parts: &str, turns_of_fuel: Option<u64>) -> Vec<TrialGame> {
    let sandbox = Sandbox::new(SandboxLimits::default()).expect("there is room");
    let component = arena_testkit::component(parts).expect("it is a component");
    let contestant = testing::contestant(&sandbox, "bot", &component);
    let options = TrialOptions {
        rules: vec![GameRules::built_in().swap_remove(0)],
        fuel_per_turn: Some(TURN),
        turns_of_fuel,
        ..TrialOptions::default()
    };
    play(&contestant, &sandbox, &options, || true).expect("the arena does not fail")
}

/// A bot that goes round a loop before each action.
fn slow(rounds: u32) -> String {
    format!(
        "(func $play (param $args i32) (result i32)
             (local $left i32)
             (local.set $left (i32.const {rounds}))
             (loop $again
                 (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
             (call $sweep (local.get $args)))"
    )
}

fn fuel(game: &TrialGame) -> u64 {
    game.fuel_of_turns.iter().sum::<u64>() + game.fuel_of_deployment.unwrap_or(0)
}

#[test]
fn a_bot_that_needs_little_fuel_plays_each_trial_game_to_its_end_twice() {
    for turns_of_fuel in [Some(TURNS), None] {
        let games = trial("", turns_of_fuel);
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_ne!(game.played.result.reason, FUEL_OF_TRIAL);
            assert!(game.is_repeated && game.differs.is_none() && game.faults.is_empty());
        }
    }
}

#[test]
fn the_trial_of_a_slow_legal_bot_has_a_limit_in_fuel() {
    let unlimited = trial(&slow(15_000), None);
    assert!(unlimited.iter().map(fuel).sum::<u64>() > 4 * TURNS * TURN, "it needs several times as much");
    let (mut repeated, mut cut) = (0, 0);
    for rounds in [1, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 19_000] {
        let games = trial(&slow(rounds), Some(TURNS));
        let mut sum = 0;
        for game in &games {
            let is_cut = game.played.result.reason == FUEL_OF_TRIAL;
            let most = TURNS * TURN / 2;
            assert!(game.faults.is_empty() && game.differs.is_none(), "{:?}", game.faults);
            assert_eq!(game.is_repeated, fuel(game) <= most / 2, "{rounds} rounds");
            // It has played for as long as it had the budget of a turn.
            assert!(fuel(game) <= most && (!is_cut || fuel(game) + TURN > most), "{rounds} rounds");
            assert_eq!(is_cut, game.played.result.outcome == Outcome::NoContest);
            sum += fuel(game) * if game.is_repeated { 2 } else { 1 };
            repeated += u32::from(game.is_repeated);
            cut += u32::from(is_cut);
        }
        assert!(sum <= TURNS * TURN, "{sum} for {rounds} rounds");
    }
    assert!(repeated >= 4 && cut >= 4, "both are tested: {repeated}, {cut}");
}

#[test]
fn a_bot_that_skips_each_turn_is_at_fault_and_one_that_shoots_once_is_not() {
    let skips = trial(&arena_testkit::zoo_text("always-skips"), None);
    let turns = skips.iter().map(|game| game.fuel_of_turns.len()).sum::<usize>();
    assert!(turns > 2 && has_faults(&skips));
    assert_eq!(turns_all_skipped(&skips), Some(turns));

    let once = "(global $has-shot (mut i32) (i32.const 0))
        (func $play (param $args i32) (result i32)
            (if (result i32) (global.get $has-shot)
                (then (i32.store8 (i32.const 512) (i32.const 0)) (i32.const 512))
                (else (global.set $has-shot (i32.const 1)) (call $sweep (local.get $args)))))";
    let shoots_once = trial(once, None);
    assert!(shoots_once.iter().all(|game| game.turns_skipped + 1 == game.fuel_of_turns.len()));
    assert!(!has_faults(&shoots_once));
    assert!(trial("", None).iter().all(|game| game.turns_skipped == 0));
    assert_eq!(turns_all_skipped(&[]), None);
}

#[test]
fn a_turn_without_an_answer_costs_its_whole_budget() {
    let games =
        trial("(func $play (param $args i32) (result i32) (loop $l (br $l)) (unreachable))", Some(TURNS));
    for game in &games {
        let turns = game.faults.iter().filter(|it| it.fault.class == FaultClass::OutOfFuel).count();
        // Five budgets of a turn, of which the deployment took a part.
        assert_eq!((turns, game.is_repeated), (4, false));
        assert_eq!(game.played.result.reason, FUEL_OF_TRIAL);
    }
}

#[test]
fn a_replay_with_a_prompt_ends_when_its_fuel_is_used_up() {
    let sandbox = Sandbox::new(SandboxLimits::default()).expect("there is room");
    let bot = sandbox.admit(&arena_testkit::zoo("log-half-lines")).expect("it is a bot");
    let games = trial(&arena_testkit::zoo_text("log-half-lines"), None);
    let transcript = games[0].played.recording::<arena_rules::battleship::Battleship>();
    let transcript = transcript.expect("it can be read").expect("it was recorded");
    let times = arena_sandbox::TimeLimits { turn: Duration::from_secs(60), game: Duration::from_secs(600) };
    let printed = |fuel_max| {
        let part = Part { last: Some(40), fuel_max };
        let prompt = arena_sandbox::Prompt::Trace;
        let replayed = rerun::prompted(&transcript, Seat::First, &bot, &sandbox, times, prompt, part);
        replayed.expect("the arena does not fail").1.len()
    };
    let (all, of_a_turn, some) = (printed(u64::MAX), printed(1), printed(5 * games[0].fuel_of_turns[0]));
    assert!(of_a_turn < some && some < all / 3, "{of_a_turn} {some} {all}");
}
