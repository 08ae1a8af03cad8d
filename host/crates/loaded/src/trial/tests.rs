//! The law of a trial, which has the judge of a match, and its progress.

use super::{FUEL_MAX, Progress, Trial, play_and_tell};
use crate::code::with_code_here;
use crate::fault::FaultKind;
use crate::game::Game;
use crate::state::CallFuel;
use arena_rules::Game as _;
use arena_rules::loaded::{Loaded, Reproduction, Rules};
use arena_rules::random::seeded;
use arena_sandbox::{Sandbox, SandboxLimits};
use rand::RngExt;

/// A game that is drawn from a seed: players take 1 to 3 of what lies there. A table says for each place and action who moves next and
/// how long the effect is. Some games are over at once, never end, say too much, pass the turn when they refuse an action, or have scores that
/// they do not announce.
fn generated(seed: u64) -> String {
    let mut rng = seeded(seed);
    let mut pick = |weights: &[u32]| {
        let mut at = rng.random_range(0..weights.iter().sum());
        let place = weights.iter().position(|weight| at.checked_sub(*weight).map(|less| at = less).is_none());
        place.expect("it is below the sum")
    };
    let first = ["(local.get $starter)", "(i32.xor (local.get $starter) (i32.const 1))", "(i32.const 2)"]
        [pick(&[4, 4, 1])];
    let goes_on = [
        "(i32.lt_u (local.get $place) (i32.const 40))",
        "(i32.lt_u (local.get $place) (i32.const 150))",
        "(i32.const 1)",
    ][pick(&[5, 2, 1])];
    let loudness = [0, 1, 1_000][pick(&[3, 2, 2])];
    let refusal = ["", "(call $pass (local.get $state))"][pick(&[5, 1])];
    let overrun = [
        "(call $pass (local.get $state)) (i32.const 0)",
        "(i32.const 0)",
        "(i32.const 1)",
        "(i32.store offset=4 (local.get $state) (i32.const 2)) (i32.const 0)",
    ][pick(&[1, 1, 1, 1])];
    let table: String = (0..=u8::MAX).map(|_| format!("\\{:02x}", pick(&[1; 256]))).collect();
    // Whether there is a range of scores, 0 to 10, and those of seat 2.
    let (has_range, score) =
        [(0, None), (1, Some(10)), (0, Some(10)), (1, None), (1, Some(11)), (1, Some(-1))]
            [pick(&[6, 6, 1, 1, 1, 1])];
    let (has_score, score) = (u8::from(score.is_some()), score.unwrap_or(0));
    format!(
        r#"
        (memory $memory 8)
        (data (i32.const 2048) "{table}")
        (data (i32.const 1064) "\0{has_range}")
        (data (i32.const 1080) "\0a")
        (func $outcome (param $state i32) (result i32)
            (i32.store8 (i32.const 0) (i32.const 1))
            (i32.store8 (i32.const 1) (i32.load offset=8 (local.get $state)))
            (call $text (i32.const 4) (i32.const 144) (i32.const 10))
            (i32.store8 (i32.const 16) (i32.const {has_score}))
            (i64.store (i32.const 24) (i64.const 0))
            (i64.store (i32.const 32) (i64.const {score}))
            (i32.const 0))
        (func $new-initial-state (param $settings i32) (param $count i32) (param $seed i64) (param $starter i32) (result i32)
            (memory.fill (i32.const 131072) (i32.const 97) (i32.const 262144))
            (i32.store8 (i32.const 0) (i32.const 0))
            (i32.store (i32.const 4) (call $new-handle (call $state
                (i32.wrap_i64 (i64.load offset=8 (local.get $settings))) {first})))
            (i32.const 0))
        (func $overrun (param $state i32) (result i32) {overrun})
        (func $picture (param $state i32) (param $some i32) (param $viewer i32) (result i32)
            (call $text (i32.const 0) (i32.const 224) (i32.const 1))
            (i32.const 0))
        (func $most (param $state i32) (result i32) (i32.const 3))
        (func $apply-action (param $state i32) (param $take i32) (result i32)
            (local $place i32) (local $entry i32)
            (if (i32.gt_u (i32.sub (local.get $take) (i32.const 1)) (i32.const 2))
                (then {refusal} (return (call $refuse (i32.const 0) (i32.const 192) (i32.const 17)))))
            (local.set $place (i32.add (i32.load (local.get $state)) (local.get $take)))
            (local.set $entry (i32.load8_u offset=2048 (i32.and (local.get $place) (i32.const 255))))
            (i32.store (local.get $state) (local.get $place))
            (i32.store offset=8 (local.get $state) (i32.and (local.get $entry) (i32.const 1)))
            (i32.store offset=4 (local.get $state) (select
                (i32.and (i32.shr_u (local.get $entry) (i32.const 1)) (i32.const 1))
                (i32.const 2)
                {goes_on}))
            (i32.store8 (i32.const 0) (i32.const 0))
            (call $text (i32.const 4) (i32.const 131072) (i32.mul (local.get $entry) (i32.const {loudness})))
            (i32.const 0))
        "#
    )
}

/// Its effects are texts.
fn with_text_effects(wit: &str) -> String {
    wit.replace("result<u32, refusal>", "result<string, refusal>")
}

/// Plays a game of a trial by the rules of a match, and returns its failure.
fn match_failure(rules: &Rules, game: &Reproduction) -> Option<String> {
    let Reproduction { settings, seed, starter, turns, left_out, .. } = game;
    assert_eq!(*left_out, 0, "a game is short");
    let rules = settings.iter().fold(rules.clone(), |rules, (name, value)| rules.with(name, *value));
    let mut game = Loaded::new(&rules, [*seed; 2], *starter);
    for turn in turns {
        if game.failure().is_some() {
            break;
        }
        let seat = game.to_move().expect("it goes on");
        if turn == "overrun" {
            game.overrun(seat);
        } else {
            let _ = game.act(seat, turn);
        }
    }
    assert!(game.failure().is_some() || game.end().is_some(), "the trial has played it to its end");
    game.failure().map(|failure| failure.to_string())
}

#[test]
fn a_game_without_a_fault_in_its_trial_does_not_fail_in_a_match_with_the_same_actions() {
    let sandbox = Sandbox::new(SandboxLimits::default()).expect("a sandbox can be made");
    let (mut sound, mut endless, mut over, mut loud, mut unscored) = (0, 0, 0, 0, 0);
    for seed in 0..48 {
        let bytes = arena_testkit::game_component_with(&generated(seed), with_text_effects);
        let bytes = bytes.unwrap_or_else(|error| panic!("{seed}: {error:?}"));
        let component = sandbox.admit_component(&bytes).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let game = Game::new(component.clone()).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let rules = Rules::new(game.about().clone(), component.hash());
        let rules = with_code_here(rules, &component).expect("its code is here");
        let told = |game: Reproduction| assert_eq!(match_failure(&rules, &game), None, "{seed}: {game}");
        let Trial { fault, .. } =
            play_and_tell(&game, 8, &[], |_| true, told).expect("the host does not fail");
        let Some(found) = fault else {
            sound += 1;
            continue;
        };
        let is_long = found.fault.what.contains("effects and reasons");
        endless += u32::from(found.fault.kind == FaultKind::Endless);
        over += u32::from(found.fault.call.as_str() == "new-initial-state");
        loud += u32::from(is_long);
        unscored += u32::from(found.fault.call.as_str() == "outcome");
        // What a game answers to a bot's mistake is not among its turns.
        if !found.fault.what.contains("retry") {
            assert_eq!(match_failure(&rules, &found.reproduction), Some(found.fault.to_string()), "{seed}");
        }
    }
    let all = [endless, over, loud, unscored];
    assert!(sound >= 10 && !all.contains(&0), "{sound}, {all:?}");
}

#[test]
fn a_trial_foretells_for_how_many_games_it_has_fuel() {
    for (games, share_used, expected) in
        [(0, 0, 1_000), (10, 2, 20), (10, 1_000, 1_000), (999, 1_000, 1_000), (20, 1, 20)]
    {
        let total = FUEL_MAX.checked_div(share_used).unwrap_or(0);
        let fuel = [("observe".to_owned(), CallFuel { calls: 1, total, max: total })].into();
        let trial = Trial { games, fuel, ..Trial::default() };
        assert_eq!(trial.progress(1_000), Progress { played: games, expected }, "{games}, {share_used}");
    }
}
