//! Tournaments of every format, and bots that are disqualified.

use crate::support::Place;
use serde_json::Value;
use std::collections::BTreeSet;

/// The pairs of bots that met, by label. The labels of a pair are sorted.
fn pairings(document: &Value) -> BTreeSet<[String; 2]> {
    let pair = |game: &Value| {
        let mut seats = [0, 1].map(|seat| game["seats"][seat].as_str().unwrap().to_owned());
        seats.sort();
        seats
    };
    document["games"].as_array().unwrap().iter().map(pair).collect()
}

/// A folder with six well-behaved bots that differ.
fn place_with_six() -> Place {
    Place::with_specimens(&[
        "sweeper",
        "repeats-once-then-valid",
        "off-board-once",
        "empty-name",
        "remembers",
        "writes-zeroes",
    ])
}

const SIX: &str = "sweeper.wasm repeats-once-then-valid.wasm off-board-once.wasm empty-name.wasm remembers.wasm \
                   writes-zeroes.wasm";

fn play(options: &str) -> Value {
    place_with_six().arena(&format!("run {SIX} --games 2 --seed 1 -o json {options}")).expect_code(0).json()
}

#[test]
fn in_a_gauntlet_the_challengers_play_all_others_and_not_each_other() {
    let document = play("--format gauntlet --challengers 2");
    let pairings = pairings(&document);
    assert_eq!(pairings.len(), 2 * 4);
    assert!(pairings.iter().all(|pair| {
        pair.iter().filter(|bot| ["sweeper", "repeats-once-then-valid"].contains(&bot.as_str())).count() == 1
    }));
}

#[test]
fn in_a_swiss_tournament_all_bots_play_each_round_and_no_two_meet_twice() {
    let document = play("--format swiss --rounds 3");
    assert_eq!(pairings(&document).len(), 3 * 3);
    assert_eq!(document["games"].as_array().unwrap().len(), 3 * 3 * 2);
    assert_eq!(document["placings"]["swiss"].as_array().unwrap().len(), 6);
}

#[test]
fn a_knockout_has_one_winner_that_lost_no_match() {
    let document = play("--format knockout");
    let places = document["placings"]["knockout"]["places"].as_array().unwrap();
    assert_eq!(places.iter().filter(|place| place["place"] == 1).count(), 1);
    let champion = places[0]["bot"].as_str().unwrap();
    let matches = document["placings"]["knockout"]["matches"].as_array().unwrap();
    let of_champion: Vec<_> = matches
        .iter()
        .filter(|it| it["bots"].as_array().unwrap().iter().any(|bot| bot == champion))
        .collect();
    assert!(of_champion.iter().all(|it| it["winner"] == champion));
    assert_eq!(matches.len(), 5);
}

#[test]
fn every_format_gives_the_same_results_for_any_number_of_jobs() {
    let place = place_with_six();
    for format in ["round-robin", "gauntlet", "swiss", "knockout"] {
        let play = |jobs: u32| {
            place
                .arena(&format!("run {SIX} --games 2 --seed 1 -o json --format {format} --jobs {jobs}"))
                .expect_code(0)
                .stdout
        };
        assert_eq!(play(1), play(5), "{format}");
    }
}

#[test]
fn options_of_another_format_are_refused_with_the_remedy() {
    let place = place_with_six();
    for (options, phrase) in [
        ("--challengers 2", "--challengers is for --format gauntlet"),
        ("--format swiss --challengers 2", "--challengers is for --format gauntlet"),
        ("--format knockout --rounds 2", "--rounds is for --format swiss"),
        ("--format gauntlet --challengers 6", "a gauntlet of 6 contestants must have 1 to 5 challengers"),
        ("--format knockout --games 3", "must have an even number"),
    ] {
        let run = place.arena(&format!("run {SIX} {options}")).expect_code(2);
        assert!(run.stderr.contains(phrase) && run.stderr.contains("next:"), "{options}: {}", run.stderr);
    }
}

#[test]
fn a_bot_that_keeps_failing_is_disqualified_and_a_recording_of_its_fault_is_named() {
    let place = Place::with_specimens(&["sweeper", "traps-in-play", "repeats-once-then-valid"]);
    let args = "run sweeper.wasm traps-in-play.wasm repeats-once-then-valid.wasm --games 10 --max-faults 3 \
                 --transcripts t";
    let document = place.arena(&format!("{args} -o json")).expect_code(0).json();
    let disqualified = document["disqualified"].as_array().unwrap();
    let [out] = &disqualified[..] else { panic!("it is one bot: {disqualified:?}") };
    assert_eq!((&out["bot"], &out["class"]), (&"traps-in-play".into(), &"trap".into()));
    // It plays in games 1, 2 and 5: a pair of games of each match comes before the next pair of any.
    assert_eq!(out["after-game"], 5);
    let games = document["games"].as_array().unwrap();
    let unplayed =
        games.iter().filter(|game| game["disqualified"].as_array().is_some_and(|it| !it.is_empty()));
    assert_eq!(unplayed.count(), 17);
    let row = |bot: &str| {
        let rows = document["standings"].as_array().unwrap();
        rows.iter().find(|row| row["bot"] == bot).unwrap().clone()
    };
    assert_eq!((&row("traps-in-play")["losses"], &row("traps-in-play")["faults"]), (&20.into(), &3.into()));
    // Only games that were played have a recording, and the recording that is named shows the fault.
    assert_eq!(place.files("t").len(), 10 + 3);
    let table = place.arena(args).expect_code(0).stdout;
    let line = table.lines().find(|line| line.contains("last fault")).expect("a line about the fault");
    let file = line.split_whitespace().find(|word| word.ends_with(".jsonl")).expect("it names a recording");
    let recording = std::fs::read_to_string(place.path(file)).unwrap();
    assert!(recording.contains(r#""class":"trap""#), "{file}");
    place.arena(&format!("verify {file} traps-in-play.wasm repeats-once-then-valid.wasm")).expect_code(0);
}
