//! Journals: they agree with the standings of the run that writes them, however the run ends.

use crate::support::{Place, Run, signal};
use arena_store::Reader;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};

const BOTS: &str = "hunter.wasm random.wasm sweeper.wasm";

fn standings(place: &Place, journal: &str) -> String {
    place.arena(&format!("standings {journal} -o json")).expect_code(0).stdout
}

#[test]
fn standings_of_a_journal_are_those_of_the_run() {
    let place = Place::with_house_bots();
    let run = place.arena(&format!("run {BOTS} --games 6 --journal a.db -o json")).expect_code(0).json();
    let shown: Value = serde_json::from_str(&standings(&place, "a.db")).unwrap();
    for entry in ["standings", "crosstable", "groups", "first-seat", "rules", "seed", "limits", "bots"] {
        assert_eq!(run[entry], shown[entry], "{entry}");
    }
    assert_eq!(shown["complete"], true);
}

/// A journal has the players' answers, and makes the transcripts from them.
#[test]
fn the_transcripts_of_a_journal_are_the_files_that_the_run_wrote() {
    let specimens = [
        "always-skips",
        "illegal-fleet",
        "loops-in-play",
        "repeats-once-then-valid",
        "shoots-at-random",
        "sweeper",
        "traps-on-third-play",
    ];
    let place = Place::with_specimens(&specimens);
    for rules in ["guide", "classic", "pirates"] {
        let options =
            format!("--games 2 --fuel 300000 --rules {rules} --journal {rules}.db --transcripts {rules}");
        place.arena(&format!("run . {options}")).expect_code(0);
        let reader = Reader::open(&place.path(&format!("{rules}.db"))).unwrap();
        let files = place.files(rules);
        assert_eq!(files.len(), 42);
        for (number, (name, file)) in (1..).zip(files) {
            assert!(reader.transcript(number).unwrap() == Some(file), "{name} by {rules}");
        }
        let journal = rusqlite::Connection::open(place.path(&format!("{rules}.db"))).unwrap();
        let without: i64 = journal
            .query_row("SELECT count(*) FROM game WHERE events IS NULL", [], |row| row.get(0))
            .unwrap();
        assert_eq!(without, 0, "by {rules}");
    }
}

#[test]
fn games_in_the_journal_are_not_played_again() {
    let place = Place::with_house_bots();
    let first = place.arena(&format!("run {BOTS} --games 4 --seed 1 --journal a.db -o json")).expect_code(0);
    let again = place.arena(&format!("run {BOTS} --games 4 --journal a.db -o json")).expect_code(0);
    assert_eq!(first.stdout, again.stdout);
    assert!(again.stderr.contains("has 12 of 12 games"), "{}", again.stderr);
    // A longer tournament has these games, and others under the seed of its own stage.
    let longer = place.arena(&format!("run {BOTS} --games 8 --journal a.db -o json")).expect_code(0);
    assert!(longer.stderr.contains("has 12 of 24 games"), "{}", longer.stderr);
    let games = |run: &Run| {
        let played = |game: &Value| format!("{} {} {}", game["seats"], game["turns"], game["fuel"]);
        run.json()["games"].as_array().unwrap().iter().map(played).collect::<Vec<_>>()
    };
    let (before, after) = (games(&first), games(&longer));
    assert_eq!(after.len(), 24);
    assert!(before.iter().all(|game| after.contains(game)), "{before:?} {after:?}");
}

#[test]
fn a_run_that_is_killed_several_times_is_continued_to_the_undisturbed_result() {
    let place = Place::with_house_bots();
    place.arena(&format!("run {BOTS} --games 500 --seed 1 --journal whole.db -o json")).expect_code(0);
    for kill in 0..4 {
        let resume = if kill == 0 { "--seed 1" } else { "--resume" };
        let run = format!("run {BOTS} --games 500 --journal torn.db -o json {resume}");
        // It is killed after some more games, however long they take.
        let mut child = place.start_and_play(&run, "torn.db", 40);
        signal(&child, "KILL");
        child.wait().unwrap();
    }
    place.arena(&format!("run {BOTS} --games 500 --journal torn.db --resume -o json")).expect_code(0);
    assert_eq!(standings(&place, "torn.db"), standings(&place, "whole.db"));
}

#[test]
fn games_that_were_shown_are_in_the_journal_even_if_the_run_is_killed() {
    let place = Place::with_house_bots();
    for shown_before in [1, 100, 300] {
        let mut child = place.start(&format!("run {BOTS} --games 500 --journal torn.db"));
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut shown = lines.by_ref().take(shown_before).count();
        signal(&child, "KILL");
        child.wait().unwrap();
        shown += lines.count();
        assert!(place.games_in("torn.db") >= shown as u64, "{shown}");
        fs::remove_file(place.path("torn.db")).unwrap();
        for ending in ["-wal", "-shm"] {
            let _ = fs::remove_file(place.path(&format!("torn.db{ending}")));
        }
    }
}

#[test]
fn ctrl_c_keeps_the_journal_intact_and_prints_the_command_that_resumes() {
    let place = Place::with_house_bots();
    let run = format!("run {BOTS} --games 2000 --journal a.db -o json");
    let child = place.start_and_play(&run, "a.db", 1);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    let command = said.lines().find(|line| line.contains("--resume")).expect("a command that resumes").trim();
    let args = command.split_once("arena ").expect("it is a command of the arena").1;
    assert!(args.contains("--games 2000") && args.contains("hunter.wasm"), "{args}");
    let before = place.games_in("a.db");
    let resumed = place.arena(&args.replace("--games 2000", "--games 2")).expect_code(0);
    assert!(resumed.stderr.contains("the journal "), "{}", resumed.stderr);
    assert!(before > 0);
}

#[test]
fn a_journal_of_another_tournament_is_refused_with_the_difference() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 2 --seed 1 --journal a.db").expect_code(0);
    let before = fs::read(place.path("a.db")).unwrap();
    for (args, phrase) in [
        ("run hunter.wasm random.wasm --rules classic", "rules"),
        ("run hunter.wasm random.wasm --seed 2", "seed"),
        ("run hunter.wasm random.wasm --fuel 1000000", "fuel"),
        ("run hunter.wasm random.wasm --memory 32", "memory"),
    ] {
        let run = place.arena(&format!("{args} --games 2 --journal a.db --resume")).expect_code(2);
        assert!(run.stderr.contains("a.db") && run.stderr.contains(phrase), "{args}: {}", run.stderr);
        assert!(run.stderr.contains("next:"), "{}", run.stderr);
    }
    assert_eq!(before, fs::read(place.path("a.db")).unwrap(), "the journal is unchanged");
}

#[test]
fn a_file_that_is_not_a_journal_is_refused_and_left_unchanged() {
    let place = Place::with_house_bots();
    place.write("text.db", "this is not a journal, and must stay as it is\n".repeat(100));
    fs::create_dir(place.path("folder.db")).unwrap();
    for name in ["text.db", "folder.db"] {
        for args in [
            format!("run hunter.wasm random.wasm --games 2 --journal {name}"),
            format!("standings {name}"),
            format!("verify --journal {name} ."),
        ] {
            let run = place.arena(&args).expect_code(2);
            assert!(run.stderr.contains(name) && run.stderr.contains("next:"), "{args}: {}", run.stderr);
        }
    }
    assert!(fs::read_to_string(place.path("text.db")).unwrap().starts_with("this is not a journal"));
    let run = place.arena("run hunter.wasm random.wasm --journal none.db --resume").expect_code(2);
    assert!(run.stderr.contains("none.db: no such journal to continue"), "{}", run.stderr);
    let run = place.arena("standings none.db").expect_code(2);
    assert!(run.stderr.contains("none.db"), "{}", run.stderr);
    assert!(!place.path("none.db").exists());
}

#[test]
fn two_runs_do_not_write_one_journal_at_the_same_time() {
    let place = Place::with_house_bots();
    let run = format!("run {BOTS} --games 100000 --journal a.db -o json");
    let mut first = place.start_and_play(&run, "a.db", 1);
    let second = place.arena(&format!("run {BOTS} --games 100000 --journal a.db")).expect_code(2);
    assert!(second.stderr.contains("another arena is writing"), "{}", second.stderr);
    signal(&first, "KILL");
    first.wait().unwrap();
}

#[test]
fn every_format_is_resumed_to_its_undisturbed_result() {
    let place = Place::with_house_bots();
    for format in ["round-robin", "gauntlet", "swiss", "knockout"] {
        let args = format!("run {BOTS} --games 60 --format {format} --seed 1 -o json");
        let undisturbed = place.arena(&args).expect_code(0);
        let journal = format!("{format}.db");
        let mut child = place.start_and_play(&format!("{args} --journal {journal}"), &journal, 1);
        signal(&child, "KILL");
        child.wait().unwrap();
        let resumed = place.arena(&format!("run {BOTS} --journal {journal} --resume -o json")).expect_code(0);
        assert_eq!(undisturbed.without_head(), resumed.without_head(), "{format}");
        let shown: Value = serde_json::from_str(&standings(&place, &journal)).unwrap();
        assert_eq!(undisturbed.json()["placings"], shown["placings"], "{format}");
    }
}

#[test]
fn a_journal_is_verified_by_playing_it_again() {
    let place = Place::with_house_bots();
    place.arena(&format!("run {BOTS} --games 4 --journal a.db")).expect_code(0);
    let all = place.arena("verify --journal a.db .").expect_code(0);
    assert!(all.stdout.ends_with("verified 12 of 12\n"), "{}", all.stdout);
    let sample = place.arena("verify --journal a.db . --sample 5").expect_code(0);
    assert!(sample.stdout.ends_with("verified 5 of 5\n"), "{}", sample.stdout);
    let other = place.arena("verify --journal a.db hunter.wasm random.wasm").expect_code(3);
    assert!(other.stdout.contains("sweeper is not among the bots given"), "{}", other.stdout);
}

#[test]
fn standings_are_printed_as_a_table_as_json_and_as_csv() {
    let place = Place::with_specimens(&["sweeper", "always-skips", "repeats-once-then-valid"]);
    place
        .arena("run sweeper.wasm always-skips.wasm repeats-once-then-valid.wasm --games 4 --seed 1 --journal a.db")
        .expect_code(0);
    let filters = vec![
        ("[0-9a-f]{64}", "<sha256>"),
        ("\"engine\": \"[0-9a-f]{16}\"", "\"engine\": \"<hash>\""),
        ("\"arena\": \"[0-9.]+\"", "\"arena\": \"<version>\""),
    ];
    insta::with_settings!({snapshot_path => "../snapshots", filters => filters}, {
        for output in ["table", "csv", "json"] {
            let run = place.arena(&format!("standings a.db -o {output}")).expect_code(0);
            insta::assert_snapshot!(format!("standings_{output}"), run.stdout);
        }
    });
}
