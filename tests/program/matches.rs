//! Matches and tournaments.

use crate::support::{Place, Run};
use arena_record::{Event, Transcript};
use arena_rules::battleship::Battleship;
use serde_json::Value;

/// The standings of a run, as label and points, best first.
fn standings(run: &Run) -> Vec<(String, f64)> {
    let document = run.json();
    let rows = document["standings"].as_array().unwrap();
    rows.iter()
        .map(|row| (row["bot"].as_str().unwrap().to_owned(), row["points"].as_f64().unwrap()))
        .collect()
}

fn seats(document: &Value) -> Vec<[&str; 2]> {
    let games = document["games"].as_array().unwrap();
    games
        .iter()
        .map(|game| [game["seats"][0].as_str().unwrap(), game["seats"][1].as_str().unwrap()])
        .collect()
}

#[test]
fn hunter_beats_random_and_sweeper() {
    let run = Place::with_house_bots()
        .arena("run hunter.wasm random.wasm sweeper.wasm --games 20 --seed 1 -o json")
        .expect_code(0);
    let document = run.json();
    let (best, points) = standings(&run).remove(0);
    assert_eq!(best, "hunter");
    assert!(points >= 38.0, "{points} of 40");
    assert!(
        document["games"]
            .as_array()
            .unwrap()
            .iter()
            .all(|game| game["faults"].as_array().unwrap().is_empty())
    );
}

#[test]
fn two_bots_play_a_match_in_pairs_with_the_seats_swapped() {
    let document = Place::with_specimens(&["sweeper", "always-skips"])
        .arena("run sweeper.wasm always-skips.wasm --games 3 -o json");
    let expected = [["sweeper", "always-skips"], ["always-skips", "sweeper"], ["sweeper", "always-skips"]];
    assert_eq!(seats(&document.expect_code(0).json()), expected);
}

#[test]
fn a_folder_stands_for_the_bots_in_it() {
    let place = Place::with_specimens(&["sweeper", "always-skips"]);
    place.write("notes.txt", "not a bot");
    let named = place.arena("run always-skips.wasm sweeper.wasm --seed 1 -o json").expect_code(0);
    assert_eq!(place.arena("run . --seed 1 -o json").expect_code(0).stdout, named.stdout);
}

#[test]
fn a_match_has_ten_games_unless_asked_otherwise() {
    let run =
        Place::with_specimens(&["sweeper"]).arena("run sweeper.wasm sweeper.wasm -o json").expect_code(0);
    assert_eq!(seats(&run.json()).len(), 10);
}

#[test]
fn three_bots_play_a_match_each() {
    let place = Place::with_house_bots();
    let run = place.arena("run hunter.wasm random.wasm sweeper.wasm --games 2 -o json").expect_code(0);
    let expected = [
        ["hunter", "random"],
        ["random", "hunter"],
        ["hunter", "sweeper"],
        ["sweeper", "hunter"],
        ["random", "sweeper"],
        ["sweeper", "random"],
    ];
    assert_eq!(seats(&run.json()), expected);
    assert!(standings(&run).iter().map(|(_, points)| points).sum::<f64>() == 6.0);
}

#[test]
fn a_bot_can_play_itself() {
    let run = Place::with_house_bots().arena("run random.wasm random.wasm --games 4 -o json").expect_code(0);
    let labels: Vec<String> = standings(&run).into_iter().map(|(label, _)| label).collect();
    assert_eq!(labels, ["random", "random#2"]);
    assert!(standings(&run).iter().all(|(_, points)| *points == 2.0), "each has each seat's luck once");
}

#[test]
fn bots_of_one_name_in_two_folders_have_different_labels() {
    let place = Place::with_specimens(&["sweeper", "always-skips"]);
    for (folder, bot) in [("one", "sweeper"), ("two", "always-skips")] {
        std::fs::create_dir(place.path(folder)).unwrap();
        std::fs::rename(place.path(&format!("{bot}.wasm")), place.path(&format!("{folder}/bot.wasm")))
            .unwrap();
    }
    let run = place.arena("run one/bot.wasm two/bot.wasm --games 2 -o json").expect_code(0);
    assert_eq!(seats(&run.json()), [["bot", "bot#2"], ["bot#2", "bot"]]);
    assert_eq!(standings(&run)[0], ("bot".to_owned(), 2.0));
}

#[test]
fn a_board_can_have_another_size() {
    let place = Place::with_house_bots();
    let run =
        place.arena("run hunter.wasm random.wasm --width 14 --height 9 --games 4 -o json --transcripts t");
    let document = run.expect_code(0).json();
    assert_eq!((&document["rules"]["width"], &document["rules"]["height"]), (&14.into(), &9.into()));
    assert!(document["games"].as_array().unwrap().iter().all(|game| game["reason"] == "fleet-sunk"));
    let transcripts = place.files("t");
    let text = String::from_utf8_lossy(transcripts.values().next().unwrap());
    assert!(text.contains("\"width\":14,\"height\":9"));
}

/// The document of a match between house bots by some rules, and the transcripts of its games.
fn by_rules(rules: &str) -> (Value, Vec<Transcript<Battleship>>) {
    let place = Place::with_house_bots();
    let args =
        format!("run hunter.wasm random.wasm --rules {rules} --games 4 --seed 1 -o json --transcripts t");
    let document = place.arena(&args).expect_code(0).json();
    assert_eq!(document["rules"]["name"], rules);
    for game in document["games"].as_array().unwrap() {
        assert_eq!((&game["winner"], &game["faults"]), (&"hunter".into(), &Value::Array(vec![])));
    }
    (document, place.replayed("t"))
}

#[test]
fn house_bots_play_by_classic_rules() {
    let (document, _) = by_rules("classic");
    assert_eq!(document["rules"]["fleet"], serde_json::json!([5, 4, 3, 3, 2]));
}

#[test]
fn by_the_pirates_rules_the_bots_swap_fleets_in_a_pair_and_start_in_turn() {
    let (_, transcripts) = by_rules("pirates");
    let fleets = |game: usize| -> Vec<_> {
        let events = &transcripts[game].events;
        events.iter().filter(|event| matches!(event, Event::Placed { fuel: None, .. })).cloned().collect()
    };
    assert_eq!(fleets(0).len(), 2);
    assert_eq!(fleets(0), fleets(1), "each seat has its fleet, and the bots swap seats");
    assert_ne!(fleets(0), fleets(2), "the next pair has other fleets");
    let starters: Vec<&str> =
        transcripts.iter().map(|game| game.header.labels()[game.header.starter.index()].as_str()).collect();
    assert_ne!(starters[0], starters[1]);
    assert_eq!(starters[..2], starters[2..]);
}

#[test]
fn every_game_has_a_line_and_the_end_is_a_table() {
    let place = Place::with_specimens(&["sweeper", "always-skips", "repeats-once-then-valid"]);
    let run = place
        .arena("run sweeper.wasm always-skips.wasm repeats-once-then-valid.wasm --games 2 --seed 1")
        .expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots"}, {
        insta::assert_snapshot!("a_tournament", run.stdout);
    });
    let note = "note: a bot can guess a seed of fewer than 128 bits, and then foresee its opponent\n  \
                next: use it for tests; for a competition leave out --seed\n";
    assert_eq!(run.stderr, note);
}

#[test]
fn the_output_of_bots_is_kept_in_the_folder_for_logs() {
    let place = Place::with_specimens(&["log-flood", "sweeper"]);
    place.arena("run log-flood.wasm sweeper.wasm --games 1 --logs logs --transcripts games").expect_code(0);
    let names: Vec<String> = place.files("logs").into_keys().collect();
    assert_eq!(names, ["1-log-flood-vs-sweeper.seat1.log"]);
    let logs = place.files("logs");
    let log = logs.values().next().unwrap();
    assert!(log.len() < 80_000, "{} bytes", log.len());
    assert_eq!(place.files("games").into_keys().collect::<Vec<_>>(), ["1-log-flood-vs-sweeper.jsonl"]);
}
