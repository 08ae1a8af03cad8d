//! The zoo's specimens in games: each gets the result that the rules define, and the other games are played as without it.

use crate::support::{Place, Run};
use arena_testkit::{Behaviour, Specimen, specimens};
use serde_json::Value;
use std::collections::BTreeMap;

/// Well-behaved bots that play each other in the same run after the specimen's games: the zoo's sweeper, and another
/// component with the same behaviour.
const CLEAN: [&str; 2] = ["sweeper", "plodder"];
const PLODDER: &str = "(global $other i32 (i32.const 1))";

/// The fuel of a turn. Chosen: more than a specimen needs that does not loop, and little enough that one that loops uses it up
/// quickly.
const FUEL: &str = "--fuel 2000000";

/// The specimens that need more to come to their end, and their fuel.
const HUNGRY: [&str; 3] = ["grows-past-4-gib", "peeks-at-memory", "recursion-with-host-calls"];
const FUEL_OF_HUNGRY: &str = "--fuel 20000000";

/// The expected result of a specimen in seat 1 against the sweeper: its game, or the kind of its refusal.
fn expected(specimen: &Specimen) -> String {
    match (&specimen.behaviour, specimen.game) {
        (Behaviour::Refused(kind), "-") => format!("refused {kind}"),
        (Behaviour::Faulted(_), "-") => "refused faulted".into(),
        (_, game) => game.into(),
    }
}

/// The result of a run as [`expected`] writes it.
fn found(place: &Place, name: &str, run: &Run) -> String {
    if run.code == 3 {
        let finding = place.arena(&format!("check {name}.wasm -o json")).expect_code(3).json();
        return format!("refused {}", finding["kind"].as_str().unwrap());
    }
    assert_eq!(run.code, 0, "{name}: {}", run.stderr);
    let document = run.json();
    let games = document["games"].as_array().unwrap();
    let has_result = |game: &Value| game["outcome"].as_str().is_some_and(|outcome| outcome != "void");
    assert!(
        games.len() == 6 && games.iter().all(has_result),
        "{name}: not six games with results: {games:?}"
    );
    for fault in games.iter().flat_map(|game| game["faults"].as_array().unwrap()) {
        let bot = fault["bot"].as_str().unwrap();
        assert!(!CLEAN.contains(&bot), "{name} makes {bot} fault: {fault}");
    }
    let game = &games[0];
    let result = match (game["outcome"].as_str().unwrap(), game["winner"].as_str()) {
        ("win", Some("sweeper")) => "loses",
        ("win", _) => "wins",
        (other, _) => other,
    };
    let fault = |fault: &Value| format!("{} ×{}", fault["class"].as_str().unwrap(), fault["count"]);
    let faults: Vec<String> = game["faults"].as_array().unwrap().iter().map(fault).collect();
    let faults = if faults.is_empty() { "no fault".into() } else { faults.join(", ") };
    format!("{result} by {}, {faults}", game["reason"].as_str().unwrap())
}

#[test]
fn every_specimen_gets_its_result_and_does_not_change_the_games_after_it_in_the_same_run() {
    let mut specimens = specimens();
    let place = Place::with_specimens(&specimens.iter().map(|specimen| specimen.name).collect::<Vec<_>>());
    place.write("plodder.wasm", arena_testkit::component(PLODDER).unwrap());
    // The sweeper is the opponent of all others.
    specimens.retain(|specimen| specimen.name != "sweeper");
    let clean = CLEAN.map(|name| format!("{name}.wasm")).join(" ");
    let mut wrong = Vec::new();
    let (hungry, others): (Vec<_>, Vec<_>) =
        specimens.iter().partition(|specimen| HUNGRY.contains(&specimen.name));
    assert_eq!(hungry.len(), HUNGRY.len());
    for (fuel, folder, specimens) in [(FUEL, "alone", others), (FUEL_OF_HUNGRY, "alone-with-more", hungry)] {
        let args = format!("run {clean} {fuel} --seed 1 --games 2 --transcripts {folder}");
        place.arena(&args).expect_code(0);
        let alone = place.games(folder);
        assert_eq!(alone.len(), 2);
        for specimen in specimens {
            let name = specimen.name;
            let args = format!(
                "run {name}.wasm {clean} {fuel} --seed 1 --games 2 --jobs 1 -o json --transcripts t/{name} --logs l/{name}"
            );
            let run = place.arena(&args);
            let (expected, found) = (expected(specimen), found(&place, name, &run));
            if expected != found {
                wrong.push(format!("{name}: expected `{expected}`, found `{found}`"));
            }
            let mut games = place.games(&format!("t/{name}"));
            expect_plain(&place, name, &run);
            games.retain(|game, _| alone.contains_key(game));
            assert!(games == alone, "the games of the well-behaved bots differ after those of {name}");
        }
    }
    assert!(wrong.is_empty(), "results differ from tests/zoo/specimens.txt:\n{}", wrong.join("\n"));
}

/// Checks that nothing that a run has printed or written can control a terminal.
fn expect_plain(place: &Place, name: &str, run: &Run) {
    let mut texts = BTreeMap::from([
        ("standard output".to_owned(), run.stdout.clone().into_bytes()),
        ("standard error".to_owned(), run.stderr.clone().into_bytes()),
    ]);
    for folder in [format!("t/{name}"), format!("l/{name}")] {
        texts.extend(place.files(&folder));
    }
    for (from, bytes) in texts {
        assert!(!bytes.contains(&0x1b), "{name}: an escape character in {from}");
        let text = String::from_utf8(bytes).unwrap_or_else(|error| panic!("{name}: {from}: {error}"));
        if let Some(c) = text.chars().find(|c| controls_or_hides(*c)) {
            panic!("{name}: {c:?} in {from}");
        }
    }
}

/// Returns true for control characters, C1 included, except the line feed, and for marks that reorder text or are
/// invisible.
fn controls_or_hides(c: char) -> bool {
    let is_mark = matches!(c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    is_mark || (c.is_control() && c != '\n')
}

#[test]
fn names_logs_and_refusals_reach_a_terminal_only_escaped() {
    let speakers = [
        "escape-name",
        "link-name",
        "combining-name",
        "hidden-name",
        "wide-name",
        "long-name",
        "invalid-utf8-name",
        "escape-names-inside",
        "escape-in-refusal",
        "log-escapes",
        "log-garbage",
        "panics",
        "sweeper",
    ];
    let place = Place::with_specimens(&speakers);
    for name in speakers {
        for args in [
            format!("check {name}.wasm"),
            format!("check {name}.wasm -o json"),
            format!("run {name}.wasm sweeper.wasm --games 2 --transcripts t/{name} --logs l/{name}"),
            format!("run {name}.wasm sweeper.wasm --games 2 --journal {name}.db"),
            format!("standings {name}.db"),
            format!("standings {name}.db -o csv"),
            format!("verify --journal {name}.db {name}.wasm sweeper.wasm"),
            format!("bench {name}.wasm --boards 2"),
        ] {
            let run = place.arena(&args);
            assert!(!run.stderr.contains("Usage"), "{args}: {}", run.stderr);
            for folder in ["t", "l"] {
                std::fs::create_dir_all(place.path(&format!("{folder}/{name}"))).unwrap();
            }
            expect_plain(&place, name, &run);
            assert!(!run.stdout.contains("\\u001b") && !run.stdout.contains("\\u009b"), "{args}");
        }
        let logs = place.files(&format!("l/{name}"));
        assert!(logs.len() == 2 || !name.starts_with("log-"), "{name} has two logs: {:?}", logs.keys());
    }
}

#[test]
fn many_hostile_bots_do_not_keep_the_others_from_their_results() {
    let hostile =
        ["loops-in-play", "traps-in-play", "illegal-fleet", "off-board-forever", "recursion", "grow-bomb"];
    let mut names = hostile.to_vec();
    names.extend(["sweeper", "repeats-once-then-valid"]);
    let place = Place::with_specimens(&names);
    let bots: Vec<String> = names.iter().map(|name| format!("{name}.wasm")).collect();
    let run = place.arena(&format!("run {} {FUEL} --games 2 -o json", bots.join(" "))).expect_code(0);
    let document = run.json();
    assert_eq!(document["games"].as_array().unwrap().len(), 2 * 28);
    let best: Vec<&str> = document["standings"].as_array().unwrap()[..2]
        .iter()
        .map(|row| row["bot"].as_str().unwrap())
        .collect();
    assert!(best.contains(&"sweeper") && best.contains(&"repeats-once-then-valid"), "{best:?}");
}

#[test]
fn two_illegal_fleets_are_no_contest_and_two_bots_that_always_skip_draw() {
    let place = Place::with_specimens(&["illegal-fleet", "short-fleet", "always-skips"]);
    let game = |args: &str| place.arena(args).expect_code(0).json()["games"][0].clone();
    let no_contest = game("run illegal-fleet.wasm short-fleet.wasm --games 1 -o json");
    assert_eq!((&no_contest["outcome"], &no_contest["winner"]), (&"no-contest".into(), &Value::Null));
    let draw = game("run always-skips.wasm always-skips.wasm --games 1 -o json");
    assert_eq!((&draw["outcome"], &draw["reason"]), (&"draw".into(), &"both-skipped".into()));
}
