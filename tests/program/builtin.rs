//! The opponents inside the program: the same bots as those that are built from `bots/`, in the same sandbox.

use crate::support::{Place, SEED};
use serde_json::Value;
use std::fs;

/// The events of four games between two bots, without the fuel, which depends on the toolchain that a bot was built with.
fn events(place: &Place, bots: [&str; 2], folder: &str) -> Vec<Vec<Value>> {
    let [one, other] = bots;
    place
        .arena(&format!("run {one} {other} --games 4 --seed {SEED} --strict --transcripts {folder}"))
        .expect_code(0);
    let event = |line: &str| {
        let mut event: Value = serde_json::from_str(line).expect("each line is JSON");
        event.as_object_mut().expect("an event has fields").remove("fuel");
        event
    };
    let of_game = |text: Vec<u8>| {
        let text = String::from_utf8(text).expect("it is text");
        text.lines().skip(1).map(event).collect::<Vec<_>>()
    };
    place.files(folder).into_values().map(of_game).collect()
}

#[test]
fn the_built_in_opponents_play_as_the_house_bots_that_they_were_built_from() {
    for (place, bots) in [
        (Place::with_house_bots(), ["hunter", "random"]),
        (Place::with_submarine_bots(), ["sub-tracker", "sub-random"]),
    ] {
        let files = bots.map(|bot| format!("{bot}.wasm"));
        let built_in = bots.map(|bot| format!("builtin:{bot}"));
        let from_files = events(&place, files.each_ref().map(String::as_str), "files");
        let from_program = events(&place, built_in.each_ref().map(String::as_str), "program");
        assert!(from_files.len() == 4 && from_files.iter().all(|game| game.len() > 20), "{bots:?}");
        assert!(
            from_files == from_program,
            "{bots:?}: the house bots have changed: host/crates/engine/builtin/README.md says how to follow"
        );
    }
}

#[test]
fn a_built_in_opponent_is_named_wherever_a_bot_is_and_keeps_its_name_in_results() {
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
fn a_season_with_a_built_in_opponent_is_kept_and_verified() {
    let place = Place::with_house_bots();
    place.arena(&format!("run sweeper.wasm builtin:hunter --seed {SEED} --journal a.db")).expect_code(0);
    assert_eq!(place.files("a.db.bots").len(), 2);
    place.arena("verify --journal a.db").expect_code(0);
}

#[test]
fn an_opponent_that_is_not_built_in_is_an_error_with_the_names_of_those_that_are() {
    let run = Place::with_house_bots().arena("run hunter.wasm builtin:oracle").expect_code(2);
    assert_eq!(
        run.stderr,
        "arena: builtin:oracle: there is no such built-in opponent\n  next: name one of builtin:random, builtin:hunter, \
         builtin:sub-random, builtin:sub-tracker, or a file as ./builtin:oracle\n"
    );
}
