//! Why a bot lost: its crash message in tables, the folders of `--faults`, and logs with their turns.

use crate::support::Place;
use serde_json::Value;

fn place() -> Place {
    Place::with_specimens(&["panics", "repeats", "sweeper"])
}

#[test]
fn each_fault_has_a_folder_with_its_game_its_view_its_log_and_the_command_that_repeats_it() {
    let place = place();
    place.arena("run panics.wasm sweeper.wasm --games 2 --seed 1 --faults f").expect_code(0);
    let folders: Vec<String> = names(&place, "f");
    assert_eq!(folders, ["1-panics-turn-1", "2-panics-turn-1"]);
    let files = place.files("f/1-panics-turn-1");
    assert_eq!(files.keys().collect::<Vec<_>>(), ["README.txt", "calls.jsonl", "game.jsonl", "log.txt"]);
    let calls = String::from_utf8(files["calls.jsonl"].clone()).unwrap();
    let view: Value = serde_json::from_str(calls.lines().last().unwrap()).unwrap();
    assert_eq!((&view["view"]["turn"], &view["view"]["retry"]), (&1.into(), &false.into()));
    assert_eq!(view["view"]["attacks"].as_array().unwrap().len(), 100);
    assert_eq!(view["game"]["fleet"][0], 4);
    let log = String::from_utf8(files["log.txt"].clone()).unwrap();
    assert!(log.contains("turn 1: no spot left\n"), "{log}");
    let about = String::from_utf8(files["README.txt"].clone()).unwrap();
    assert!(
        about.starts_with("panics, turn 1: trap: panicked: no spot left (lib.rs:10:5)\n  in play\n"),
        "{about}"
    );

    let command = about.lines().find_map(|line| line.trim().strip_prefix("arena rerun")).unwrap();
    let again = place.arena(&format!("rerun{command}")).expect_code(0).stdout;
    assert_eq!(again.matches("trap: panicked: no spot left (lib.rs:10:5)").count(), 2, "{again}");
    place.arena("verify f/1-panics-turn-1/game.jsonl .").expect_code(0);
}

#[test]
fn a_tournament_of_faults_makes_a_bounded_number_of_folders_and_says_so() {
    let place = place();
    let run =
        place.arena("run panics.wasm sweeper.wasm --games 130 --seed 1 --faults f -o csv").expect_code(0);
    assert_eq!(names(&place, "f").len(), 100);
    assert!(run.stderr.contains("--faults: 30 more have no folder: 100 are made at most"), "{}", run.stderr);
}

#[test]
fn trial_games_and_sequential_tests_make_folders_too() {
    let place = place();
    place.arena("check panics.wasm --faults f").expect_code(3);
    let expected = ["classic", "guide", "pirates"]
        .into_iter()
        .flat_map(|rules| [1, 2].map(|seat| format!("{rules}-seat{seat}-panics-turn-1")));
    assert_eq!(names(&place, "f"), expected.collect::<Vec<_>>());
    let run = place.arena("sprt sweeper.wasm panics.wasm --max-pairs 2 --seed 1 --elo1 400 --faults g");
    let first = "first: trap: panicked: no spot left (lib.rs:10:5)\n";
    assert!(run.stdout.contains("\npanics faulted ") && run.stdout.contains(first), "{}", run.stdout);
    assert!(names(&place, "g").contains(&"000001-panics-turn-1".to_owned()));
}

#[test]
fn a_repeated_cell_is_reported_in_tables_and_documents() {
    let place = place();
    let args = "after 1000 invalid attempts (the first: the cell (0, 0) is already shot at)";
    let run = "run repeats.wasm sweeper.wasm --games 2 --seed 1 --fuel 20000000";
    let table = place.arena(run).expect_code(0).stdout;
    assert!(table.contains(args), "{table}");
    let document = place.arena(&format!("{run} -o json")).expect_code(0).json();
    for fault in [&document["faults"][0], &document["games"][0]["faults"][0]] {
        assert!(fault["detail"].as_str().unwrap().starts_with(args), "{fault}");
    }
}

#[test]
fn the_stack_of_a_fault_is_in_the_table_in_documents_and_in_journals() {
    let place = place();
    let run = place.arena("run panics.wasm sweeper.wasm --games 2 --seed 1 --journal a.db").expect_code(0);
    assert!(run.stdout.contains("stack of panics, trap: play\n"), "{}", run.stdout);
    let kept = place.arena("standings a.db").expect_code(0).stdout;
    assert!(kept.contains("stack of panics, trap: play\n"), "{kept}");
    let document = place.arena("standings a.db -o json").expect_code(0).json();
    assert_eq!(document["faults"][0]["stack"][0], "play");
}

#[test]
fn a_replay_shows_what_was_printed_in_each_turn_wherever_the_logs_are() {
    let place = place();
    place
        .arena("run panics.wasm sweeper.wasm --games 2 --seed 1 --transcripts t --logs l --journal a.db")
        .expect_code(0);
    std::fs::copy(
        place.path("l/1-panics-vs-sweeper.seat1.log"),
        place.path("t/1-panics-vs-sweeper.seat1.log"),
    )
    .unwrap();
    let line = "   log of 1 panics, turn 1: no spot left\n";
    for args in [
        "t/1-panics-vs-sweeper.jsonl",
        "t/1-panics-vs-sweeper.jsonl --logs l",
        "t/1-panics-vs-sweeper.jsonl --logs l/1-panics-vs-sweeper.seat1.log",
        "--journal a.db 1 --logs l",
    ] {
        let run = place.arena(&format!("replay {args} --headless")).expect_code(0);
        assert!(run.stdout.contains(line), "{args}:\n{}", run.stdout);
    }
    let run = place.arena("replay --journal a.db 1 --headless").expect_code(0);
    assert!(!run.stdout.contains("log of"), "{}", run.stdout);
    let run = place.arena("replay t/1-panics-vs-sweeper.jsonl --logs . --headless").expect_code(0);
    assert!(run.stderr.contains("has no log of this game"), "{}", run.stderr);
    place.arena("replay t/1-panics-vs-sweeper.jsonl --logs sweeper.wasm --headless").expect_code(2);
}

/// The names in a folder.
fn names(place: &Place, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(place.path(folder)).expect("the folder exists");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
