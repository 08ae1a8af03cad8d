//! The built-in opponents: they are the bots that are built from `bots/`, and run in the same sandbox.

use crate::support::{Place, SEED};
use std::fs;

#[test]
fn built_in_opponents_decide_as_the_house_bots_do() {
    for (place, bots) in [
        (Place::with_house_bots(), ["hunter", "random"]),
        (Place::with_submarine_bots(), ["sub-tracker", "sub-random"]),
    ] {
        let [one, other] = bots;
        place
            .arena(&format!(
                "run builtin:{one} builtin:{other} --games 2 --seed {SEED} --strict --transcripts games"
            ))
            .expect_code(0);
        // A bot's seed is drawn from its component, and the component depends on the toolchain. So the house bot is asked at the
        // recorded turns, with the recorded seeds.
        for game in [
            format!("1-builtin_{one}-vs-builtin_{other}.jsonl"),
            format!("2-builtin_{other}-vs-builtin_{one}.jsonl"),
        ] {
            for bot in bots {
                let seat = if game[2..].starts_with(&format!("builtin_{bot}-vs")) { 1 } else { 2 };
                let asked = place
                    .arena(&format!("rerun games/{game} {bot}.wasm --seat {seat} -o json"))
                    .expect_code(0)
                    .json();
                let turns = asked["turns"].as_array().expect("a list").len();
                assert!(turns >= 10, "{game}: {turns}");
                assert_eq!(
                    asked["differing"], 0,
                    "{bot} has changed: host/crates/engine/builtin/README.md says how to update the built-in one"
                );
            }
        }
    }
}

#[test]
fn a_built_in_opponent_can_be_named_like_any_bot_and_keeps_its_name_in_results() {
    let place = Place::with_house_bots();
    fs::copy(place.path("sweeper.wasm"), place.path("builtin:sweeper")).unwrap();
    let table =
        place.arena(&format!("run hunter.wasm builtin:random ./builtin:sweeper --seed {SEED} -o csv"));
    let table = table.expect_code(0).stdout;
    for name in ["hunter,", "builtin:random,", "builtin:sweeper,"] {
        assert!(table.contains(name), "{table}");
    }
    for words in [
        "check builtin:hunter",
        "bench builtin:hunter sweeper.wasm --boards 4 --seed 7",
        "sprt builtin:hunter builtin:random --seed 7 --max-pairs 20",
    ] {
        let run = place.arena(words);
        assert!([0, 5].contains(&run.code), "{words}: {} {}", run.code, run.stderr);
        assert!(
            words.starts_with("sprt") || run.stdout.contains("builtin:hunter"),
            "{words}: {}",
            run.stdout
        );
    }
}

#[test]
fn a_season_with_a_built_in_opponent_is_recorded_and_verified() {
    let place = Place::with_house_bots();
    place.arena(&format!("run sweeper.wasm builtin:hunter --seed {SEED} --journal a.db")).expect_code(0);
    assert_eq!(place.files("a.db.bots").len(), 2);
    place.arena("verify --journal a.db").expect_code(0);
}

#[test]
fn an_unknown_built_in_opponent_is_an_error_that_lists_the_known_ones() {
    let run = Place::with_house_bots().arena("run hunter.wasm builtin:oracle").expect_code(2);
    assert_eq!(
        run.stderr,
        "arena: builtin:oracle: there is no such built-in opponent\n  next: name one of builtin:random, builtin:hunter, \
         builtin:sub-random, builtin:sub-tracker, builtin:game-random, or a file as ./builtin:oracle\n"
    );
}
