//! How many shots the house bots need alone, as components, on common seeded boards: the ladder's figures.

use crate::support::house_bot;
use arena_referee::{Solo, play_solo};
use arena_rules::{FleetSpec, Ruleset, random, uniform};
use arena_sandbox::{Sandbox, SandboxLimits, fuel_of_milliseconds};

const BOARDS: u32 = 2_000;

/// The mean shots of a house bot on the rules' boards: fleets drawn uniformly over legal fleets.
fn mean_shots(name: &str, rules: &Ruleset) -> f64 {
    let sandbox = Sandbox::new(SandboxLimits { workers: 1, ..SandboxLimits::default() }).unwrap();
    let bot = sandbox.admit_file(house_bot(name)).unwrap();
    let spec = FleetSpec::of(rules);
    let mut rng = random::seeded(1);
    let mut draw = || uniform(&spec, &mut rng).expect("the fleet fits");
    let shots: u32 = (0..BOARDS)
        .map(|board| {
            let fleets = [draw(), draw()];
            let fuel = fuel_of_milliseconds(rules.turn_budget_ms.into());
            match play_solo(rules, fuel, board.into(), &mut bot.player(board.into()), fleets) {
                Ok(Solo::Cleared { shots, .. }) => shots,
                other => panic!("{name} on board {board}: {other:?}"),
            }
        })
        .sum();
    f64::from(shots) / f64::from(BOARDS)
}

fn check(name: &str, rules: &Ruleset, expected: f64) {
    let mean = mean_shots(name, rules);
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
