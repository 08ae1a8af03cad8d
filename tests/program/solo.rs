//! The number of shots that the house bots need alone, as components, on common seeded boards: the figures of the ladder.

use crate::support::house_bot;
use arena_referee::{Solo, play_solo};
use arena_rules::Game;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_sandbox::{STACK_BYTES, Sandbox, SandboxLimits, TimeLimits, fuel_of_milliseconds};
use std::time::Duration;

const BOARDS: u32 = 2_000;

/// The limits of wall-clock time. Chosen: only a test that hangs reaches them.
const TIMES: TimeLimits = TimeLimits { turn: Duration::from_secs(60), game: Duration::from_secs(600) };

/// The mean number of shots of a house bot on boards by these rules. The fleets are drawn uniformly over legal fleets.
fn mean_shots(name: &str, rules: &Ruleset) -> f64 {
    let sandbox = Sandbox::new(SandboxLimits { workers: 1, ..SandboxLimits::default() }).unwrap();
    let bot = sandbox.admit_file(house_bot(name)).unwrap();
    let fuel = fuel_of_milliseconds(rules.turn_budget_ms.into());
    let shots: u32 = (0..BOARDS)
        .map(|board| {
            let seed = board.into();
            let info = Battleship::info(rules, fuel, seed);
            let game = Battleship::draw_solo(rules, seed).expect("the fleet fits");
            let mut player = bot.player::<Battleship>(seed, TIMES).unwrap();
            match play_solo(&info, game, fuel, &mut player) {
                Ok(Solo::Cleared { turns, .. }) => turns,
                other => panic!("{name} on board {board}: {other:?}"),
            }
        })
        .sum();
    f64::from(shots) / f64::from(BOARDS)
}

#[track_caller]
#[expect(clippy::disallowed_macros, reason = "a test shows it if it fails")]
fn check(name: &str, rules: &Ruleset, expected: f64) {
    // On a thread with less stack, each call would start one of its own.
    let mean = arena_resources::on_stack("solo", STACK_BYTES, || mean_shots(name, rules));
    let mean = mean.expect("there is room");
    println!("{name} on {}: {mean:.2} shots on average over {BOARDS} boards", rules.name);
    assert!((mean - expected).abs() <= 1.0, "{name} needs {mean:.2} shots, not {expected} ± 1");
}

#[test]
fn random_needs_96_shots_by_the_guide() {
    check("random", &Ruleset::guide(), 96.0);
}

#[test]
fn hunter_needs_67_shots_by_the_guide() {
    check("hunter", &Ruleset::guide(), 67.0);
}

#[test]
fn hunter_needs_51_shots_by_classic_rules() {
    check("hunter", &Ruleset::classic(), 51.3);
}

#[test]
fn hunter_needs_44_shots_by_the_pirates_rules() {
    check("hunter", &Ruleset::pirates(), 44.4);
}
