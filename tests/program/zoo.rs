//! Hostile and clumsy bots, against a well-behaved one: each gets what the rules say, and the run goes on.

use crate::support::Place;
use serde_json::Value;
use std::collections::BTreeMap;

/// The verdict on each specimen of the zoo.
const VERDICTS: &str = include_str!("../zoo/verdicts.txt");

/// What comes of a specimen in seat 1 against the well-behaved sweeper.
fn verdict(place: &Place, name: &str) -> String {
    let run = place.arena(&format!("run {name}.wasm sweeper.wasm --games 1 -o json"));
    if run.code == 3 {
        let finding = place.arena(&format!("check {name}.wasm -o json")).expect_code(3).json();
        return format!("refused | {}", finding["kind"].as_str().unwrap());
    }
    let game = run.expect_code(0).json()["games"][0].clone();
    let result = match (game["outcome"].as_str().unwrap(), game["winner"].as_str()) {
        ("win", Some("sweeper")) => "loses",
        ("win", _) => "wins",
        (other, _) => other,
    };
    let fault = |fault: &Value| {
        assert_ne!(fault["bot"], "sweeper", "{name} makes the other bot fault");
        format!("{} ×{}", fault["class"].as_str().unwrap(), fault["count"])
    };
    let faults: Vec<String> = game["faults"].as_array().unwrap().iter().map(fault).collect();
    let faults = if faults.is_empty() { "no fault".into() } else { faults.join(", ") };
    format!("{result} | {} | {faults}", game["reason"].as_str().unwrap())
}

#[test]
fn every_specimen_gets_its_verdict_and_the_arena_goes_on() {
    let written: BTreeMap<&str, &str> = VERDICTS.lines().filter_map(|line| line.split_once(" | ")).collect();
    let mut names = arena_testkit::zoo_names();
    // Against itself, the well-behaved bot would be its own opponent.
    names.retain(|name| name != "sweeper");
    let mut everyone: Vec<&str> = names.iter().map(String::as_str).collect();
    everyone.push("sweeper");
    let place = Place::with_specimens(&everyone);
    place
        .arena("run sweeper.wasm repeats-once-then-valid.wasm --games 2 --transcripts before")
        .expect_code(0);
    let mut wrong = Vec::new();
    for name in &names {
        let found = verdict(&place, name);
        if written.get(name.as_str()) != Some(&found.as_str()) {
            wrong.push(format!("{name} | {found}"));
        }
    }
    assert!(wrong.is_empty(), "found, where other verdicts are written:\n{}", wrong.join("\n"));
    place.arena("run sweeper.wasm repeats-once-then-valid.wasm --games 2 --transcripts after").expect_code(0);
    assert!(place.files("before") == place.files("after"), "a clean match is what it was");
}

#[test]
fn a_crowd_of_hostile_bots_does_not_keep_the_others_from_their_results() {
    let hostile =
        ["loops-in-play", "traps-in-play", "illegal-fleet", "off-board-forever", "recursion", "grow-bomb"];
    let mut names = hostile.to_vec();
    names.extend(["sweeper", "repeats-once-then-valid"]);
    let place = Place::with_specimens(&names);
    let bots: Vec<String> = names.iter().map(|name| format!("{name}.wasm")).collect();
    let run = place.arena(&format!("run {} --games 2 -o json", bots.join(" "))).expect_code(0);
    let document = run.json();
    assert_eq!(document["games"].as_array().unwrap().len(), 2 * 28);
    let best: Vec<&str> = document["standings"].as_array().unwrap()[..2]
        .iter()
        .map(|row| row["bot"].as_str().unwrap())
        .collect();
    assert!(best.contains(&"sweeper") && best.contains(&"repeats-once-then-valid"), "{best:?}");
}

#[test]
fn two_illegal_fleets_are_no_contest_and_two_bots_that_only_skip_draw() {
    let place = Place::with_specimens(&["illegal-fleet", "short-fleet", "always-skips"]);
    let game = |words: &str| place.arena(words).expect_code(0).json()["games"][0].clone();
    let no_contest = game("run illegal-fleet.wasm short-fleet.wasm --games 1 -o json");
    assert_eq!((&no_contest["outcome"], &no_contest["winner"]), (&"no-contest".into(), &Value::Null));
    let draw = game("run always-skips.wasm always-skips.wasm --games 1 -o json");
    assert_eq!((&draw["outcome"], &draw["reason"]), (&"draw".into(), &"both-skipped".into()));
}

#[test]
fn a_bots_name_never_reaches_the_terminal_raw() {
    let place = Place::with_specimens(&["escape-name", "sweeper"]);
    for words in [
        "check escape-name.wasm",
        "run escape-name.wasm sweeper.wasm --games 1 --transcripts t",
        "run escape-name.wasm sweeper.wasm --games 1 -o json",
    ] {
        let run = place.arena(words).expect_code(0);
        let plain = |c: char| c == '\n' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
        assert!(run.stdout.chars().all(plain), "{words}:\n{:?}", run.stdout);
    }
}
