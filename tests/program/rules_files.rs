//! Rules files: games are played by the rules in them, with the budgets and the random seeds that follow from those rules.

use crate::support::{Place, Run};
use arena_rules::battleship::Battleship;
use arena_rules::submarine::Submarine;
use serde_json::Value;

#[test]
fn the_built_in_rules_of_all_games_are_listed() {
    let listed = Place::empty().arena("rules list").expect_code(0).stdout;
    assert_eq!(listed, "guide\nclassic\npirates\nsubmarine\n");
}

#[test]
fn a_rules_file_changes_the_rules_that_it_names() {
    let place = Place::with_house_bots();
    place.write("my.toml", "name = \"small\"\nwidth = 6\nheight = 8\nfleet = [3, 2, 2, 1]\n");
    let document =
        place.arena("run hunter.wasm random.wasm --rules my.toml --games 4 -o json").expect_code(0).json();
    assert_eq!(document["rules"]["name"], "small");
    for game in document["games"].as_array().unwrap() {
        assert_eq!((&game["reason"], &game["faults"]), (&"fleet-sunk".into(), &Value::Array(vec![])));
        assert!(game["turns"].as_array().unwrap().iter().all(|turns| turns.as_u64() <= Some(48)));
    }
}

#[test]
fn the_rules_that_are_shown_load_back_as_the_same() {
    let place = Place::with_house_bots();
    let shown = place.arena("rules show guide").expect_code(0).stdout;
    place.write("my.toml", &shown);
    assert_eq!(place.arena("rules show my.toml").expect_code(0).stdout, shown);
    let by_name = place.arena("run hunter.wasm random.wasm --games 2 --seed 1 -o json").expect_code(0).stdout;
    let by_file = place
        .arena("run hunter.wasm random.wasm --games 2 --seed 1 -o json --rules my.toml")
        .expect_code(0)
        .stdout;
    assert_eq!(by_name, by_file);
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!("rules_guide", shown);
    });
}

#[test]
fn the_rules_of_submarine_are_shown_as_a_file_too() {
    let place = Place::with_submarine_bots();
    let shown = place.arena("rules show submarine").expect_code(0).stdout;
    place.write("my.toml", &shown);
    assert_eq!(place.arena("rules show my.toml").expect_code(0).stdout, shown);
    let args = "run sub-random.wasm sub-tracker.wasm --games 2 --seed 1 -o json";
    let by_name = place.arena(args).expect_code(0).stdout;
    assert_eq!(place.arena(&format!("{args} --rules my.toml")).expect_code(0).stdout, by_name);
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!("rules_submarine", shown);
    });
}

#[test]
fn a_rules_file_of_submarine_changes_the_fuel_and_the_number_of_actions() {
    let place = Place::with_submarine_bots();
    place.write("sitter.wasm", arena_testkit::submarine_zoo("sub-sitter"));
    place.write("brief.toml", "like = \"submarine\"\nturn-budget-ms = 700\nactions-max = 30\n");
    let args = "run sitter.wasm sitter.wasm --games 1 --rules brief.toml -o json --transcripts t";
    let document = place.arena(args).expect_code(0).json();
    let game = &document["games"][0];
    assert_eq!((&game["outcome"], &game["turns"]), (&"draw".into(), &serde_json::json!([15, 15])));
    for transcript in place.replayed::<Submarine>("t") {
        assert_eq!(transcript.header.conditions.limits.fuel_per_turn, 70_000_000);
    }
}

/// Checks that games by rules with another name are the same games, event for event, with the same seeds.
#[track_caller]
fn check_renamed(place: &Place, bots: &str, rules: &str) {
    let shown = place.arena(&format!("rules show {rules}")).expect_code(0).stdout;
    let renamed = shown.replace(&format!("name = \"{rules}\""), "name = \"ours\"");
    assert_ne!(renamed, shown);
    place.write("ours.toml", renamed);
    for (rules, folder) in [(rules, "before"), ("ours.toml", "after")] {
        place
            .arena(&format!("run {bots} --games 4 --seed 1 --rules {rules} --transcripts {folder}"))
            .expect_code(0);
    }
    let (before, after) = (place.files("before"), place.files("after"));
    assert_eq!(before.len(), 4);
    for (name, game) in before {
        let [mut game, mut other] = [game, after[&name].clone()].map(|bytes| lines(&bytes));
        assert_eq!(game[0]["rules"]["name"], rules);
        assert_eq!(other[0]["rules"]["name"], "ours");
        for header in [&mut game[0], &mut other[0]] {
            header["rules"]["name"] = Value::Null;
        }
        assert!(game == other, "{name} is another game");
    }
}

/// The lines of a transcript.
fn lines(transcript: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(transcript).expect("a transcript is text");
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn rules_with_another_name_play_the_same_games() {
    check_renamed(&Place::with_house_bots(), "hunter.wasm random.wasm", "pirates");
    check_renamed(&Place::with_submarine_bots(), "sub-random.wasm sub-tracker.wasm", "submarine");
}

/// Fuel for more than a second of loads that miss the caches. Chosen: longer than the watchdog of [`BRIEF_MS`] waits, also
/// on a machine that is several times as fast as the one that the price of a load was measured on.
const FUEL: &str = "--fuel 100000000";

/// A turn's budget in milliseconds. Its watchdog waits ten times as long.
const BRIEF_MS: u32 = 10;

/// Checks the class of the first bot's fault by rules with [`BRIEF_MS`], and by rules with the usual budget.
#[track_caller]
fn check_watchdog(place: &Place, bots: &str, rules: &str) {
    place.write("usual.toml", rules);
    place.write("brief.toml", format!("{rules}turn-budget-ms = {BRIEF_MS}\n"));
    for (file, class, reproducible) in [("usual", "out-of-fuel", true), ("brief", "wall-clock", false)] {
        let args = format!("run {bots} --games 1 {FUEL} --rules {file}.toml --transcripts {file} -o json");
        let Run { stdout, .. } = place.arena(&args).expect_code(0);
        let document: Value = serde_json::from_str(&stdout).unwrap();
        let game = &document["games"][0];
        assert_eq!(
            (&game["faults"][0]["class"], &game["reproducible"]),
            (&class.into(), &reproducible.into())
        );
        assert_eq!(game["faults"][0]["bot"], "misses-caches");
    }
}

#[test]
fn a_rules_file_with_a_brief_turn_has_a_watchdog_of_its_own() {
    let place = Place::with_specimens(&["misses-caches", "sweeper"]);
    check_watchdog(&place, "misses-caches.wasm sweeper.wasm", "overrun = \"lose\"\n");
    assert_eq!(place.replayed::<Battleship>("brief").len(), 1);
}

#[test]
fn a_rules_file_of_submarine_with_a_brief_turn_has_a_watchdog_of_its_own() {
    let place = Place::empty();
    let text = arena_testkit::zoo_text("misses-caches");
    place.write("misses-caches.wasm", arena_testkit::submarine_component(&text).unwrap());
    place.write("sub-sitter.wasm", arena_testkit::submarine_zoo("sub-sitter"));
    check_watchdog(&place, "misses-caches.wasm sub-sitter.wasm", "like = \"submarine\"\n");
    assert_eq!(place.replayed::<Submarine>("brief").len(), 1);
}
