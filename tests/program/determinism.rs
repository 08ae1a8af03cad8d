//! The same seed plays the same match.

use crate::support::Place;
use arena_rules::battleship::Battleship;
use serde_json::Value;
use std::collections::BTreeMap;

const BOTS: &str = "hunter.wasm random.wasm sweeper.wasm";

/// The transcripts of a tournament, and its JSON document.
fn play(place: &Place, folder: &str, options: &str) -> (BTreeMap<String, Vec<u8>>, String) {
    let run =
        place.arena(&format!("run {BOTS} --games 4 -o json --transcripts {folder} {options}")).expect_code(0);
    (place.files(folder), run.stdout)
}

#[test]
fn the_same_seed_plays_the_same_games_byte_for_byte_for_any_number_of_jobs() {
    let place = Place::with_house_bots();
    let (games, report) = play(&place, "a", "--seed 7 --jobs 1");
    assert_eq!(games.len(), 12);
    for (folder, options) in
        [("b", "--seed 7 --jobs 1"), ("c", "--seed 7 --jobs 2"), ("d", "--seed 7 --jobs 9")]
    {
        let (again, same_report) = play(&place, folder, options);
        assert!(games == again, "{options}");
        assert_eq!(report, same_report, "{options}");
    }
}

#[test]
fn another_seed_plays_other_games() {
    let place = Place::with_house_bots();
    let (one, _) = play(&place, "one", "--seed 1");
    let (two, _) = play(&place, "two", "--seed 2");
    assert!(one.iter().all(|(name, game)| two[name] != *game));
}

#[test]
fn a_seed_of_64_hexadecimal_digits_plays_the_same_games_again_and_they_are_verified() {
    let place = Place::with_house_bots();
    let seed = "0123456789abcdef".repeat(4);
    let (games, report) = play(&place, "a", &format!("--seed {seed} --jobs 1"));
    let (again, same_report) = play(&place, "b", &format!("--seed {seed} --jobs 2"));
    assert!(games == again);
    assert_eq!(report, same_report);
    let document: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(document["seed"], seed);
    let files: Vec<String> = games.keys().map(|name| format!("a/{name}")).collect();
    place.arena(&format!("verify {} .", files.join(" "))).expect_code(0);
    let (other, _) = play(&place, "c", &format!("--seed {}", seed.replace('f', "e")));
    assert!(games.iter().all(|(name, game)| other[name] != *game));
}

#[test]
fn a_number_and_its_64_hexadecimal_digits_are_one_seed() {
    let place = Place::with_house_bots();
    // The digits are those of the bytes, the lowest first.
    let digits = format!("2a{}", "0".repeat(62));
    assert!(play(&place, "number", "--seed 42") == play(&place, "digits", &format!("--seed {digits}")));
}

#[test]
fn a_match_is_the_same_in_any_tournament() {
    let place = Place::with_house_bots();
    let (tournament, _) = play(&place, "all", "--seed 1");
    place.arena("run random.wasm sweeper.wasm --games 4 --seed 1 --transcripts two").expect_code(0);
    let of_these = |(name, game): (String, Vec<u8>)| name.contains("random-vs-sweeper").then_some(game);
    let in_tournament: Vec<_> = tournament.into_iter().filter_map(of_these).collect();
    let alone: Vec<_> = place.files("two").into_iter().filter_map(of_these).collect();
    assert_eq!(alone.len(), 2);
    assert!(in_tournament == alone);
}

#[test]
fn a_recorded_game_replays_by_the_rules() {
    let place = Place::with_house_bots();
    play(&place, "games", "");
    assert_eq!(place.replayed::<Battleship>("games").len(), 12);
}
