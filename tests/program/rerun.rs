//! `arena rerun`: the turns of a recorded game, asked of another build.

use crate::support::{Beginning, Place};
use serde_json::Value;

/// A folder with house bots and the games of a match of `hunter` and `random`, as transcripts in `games` and in `a.db`.
fn place() -> Place {
    static BEGINNING: Beginning = Beginning::new();
    BEGINNING.copy(|| {
        let place = Place::with_house_bots();
        place
            .arena("run hunter.wasm random.wasm --games 2 --seed 1 --transcripts games --journal a.db")
            .expect_code(0);
        place
    })
}

const GAME: &str = "games/1-hunter-vs-random.jsonl";

#[test]
fn the_same_bot_decides_the_same_with_the_same_fuel_from_a_file_and_from_a_journal() {
    let place = place();
    for args in [
        format!("rerun {GAME} hunter.wasm"),
        format!("rerun {GAME} random.wasm"),
        "rerun a.db 2 hunter.wasm".into(),
    ] {
        let run = place.arena(&args).expect_code(0);
        assert!(
            run.stdout.contains("the same component") && run.stdout.contains("the same in all of"),
            "{}",
            run.stdout
        );
        let document = place.arena(&format!("{args} -o json")).expect_code(0).json();
        assert_eq!(document["differing"], 0);
        let turns = document["turns"].as_array().unwrap();
        assert!(turns.len() > 20 && turns.iter().all(|turn| turn["recorded"] == turn["now"]), "{document}");
    }
}

#[test]
fn another_bot_is_asked_at_a_seat_and_the_turns_that_differ_are_listed() {
    let place = place();
    let refused = place.arena(&format!("rerun {GAME} sweeper.wasm")).expect_code(2);
    assert!(refused.stderr.contains("hunter and random played this game"), "{}", refused.stderr);
    let journal = place.arena("rerun a.db sweeper.wasm").expect_code(2);
    assert!(
        journal.stderr.contains("is a journal") && journal.stderr.contains("arena rerun a.db 1"),
        "{}",
        journal.stderr
    );
    let args = format!("rerun {GAME} sweeper.wasm --seat 1");
    let document = place.arena(&format!("{args} -o json")).expect_code(0).json();
    let turns = document["turns"].as_array().unwrap();
    let differing = turns.iter().filter(|turn| turn["differs"] == true).count();
    assert_eq!(document["differing"], differing);
    assert!(differing > turns.len() / 2, "{document}");
    let text = place.arena(&args).expect_code(0).stdout;
    assert!(text.contains(&format!("other in {differing} of {} decisions", turns.len())), "{text}");
}

/// The calls that were written.
fn calls(place: &Place) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path("calls.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn turns_are_written_as_the_calls_of_the_bot_and_a_game_of_a_journal_as_its_transcript() {
    let place = place();
    for game in [GAME, "a.db 1"] {
        let wrote =
            place.arena(&format!("replay {game} --calls calls.jsonl --turn 3 --seat 2")).expect_code(0);
        assert_eq!(wrote.stdout, "wrote calls.jsonl: seat 2, 4 calls up to turn 3\n");
        let calls = calls(&place);
        let turns: Vec<Option<u64>> = calls.iter().map(|call| call["view"]["turn"].as_u64()).collect();
        assert_eq!(turns, [None, Some(1), Some(2), Some(3)]);
        assert!(calls.iter().all(|call| !call["answer"].is_null()), "{calls:?}");
        let call = &calls[3];
        assert_eq!((&call["game"]["width"], &call["view"]["turn"]), (&10.into(), &3.into()));
        let shots = |board: &Value| {
            board.as_array().unwrap().iter().filter(|cell| cell.as_u64().unwrap() >= 2).count()
        };
        assert_eq!((shots(&call["view"]["attacks"]), shots(&call["view"]["board"])), (2, 3), "{call}");
    }
    place.arena(&format!("replay {GAME} --calls calls.jsonl --turn 0")).expect_code(0);
    let [call] = &calls(&place)[..] else { panic!("there is one deployment") };
    assert!(call["view"].is_null() && call["game"]["seed"].is_u64(), "{call}");
    place.arena(&format!("replay {GAME} --calls calls.jsonl")).expect_code(0);
    assert!(calls(&place).len() > 10, "it is the whole game");
    let refused = place.arena(&format!("replay {GAME} --calls calls.jsonl --turn 999")).expect_code(2).stderr;
    assert!(refused.contains("seat 1 had no turn 999"), "{refused}");
    place.arena("replay a.db 1 --transcript one.jsonl").expect_code(0);
    assert_eq!(std::fs::read(place.path("one.jsonl")).unwrap(), std::fs::read(place.path(GAME)).unwrap());
}

#[test]
fn one_turn_is_shown_with_its_boards_and_both_decisions() {
    // Not house bots: the seeds of a game depend on the bots' hashes, and those of house bots on the compiler.
    let place = Place::with_specimens(&["sweeper", "always-skips"]);
    place
        .arena("run sweeper.wasm always-skips.wasm --games 1 --seed 1 --fuel 1000000 --transcripts games")
        .expect_code(0);
    let game = "games/1-sweeper-vs-always-skips.jsonl";
    let run = place.arena(&format!("rerun {game} always-skips.wasm --seat 1 --turn 9")).expect_code(0);
    insta::with_settings!({snapshot_path => "../snapshots", filters => vec![(r"\d+ fuel", "<fuel> fuel")]}, {
        insta::assert_snapshot!("rerun_turn", run.stdout);
    });
    let refused = place.arena(&format!("rerun {game} sweeper.wasm --turn 999")).expect_code(2);
    assert!(refused.stderr.contains("was not asked in turn 999"), "{}", refused.stderr);
}

#[test]
fn a_fault_of_the_other_build_is_reported_and_it_continues_without_its_memory() {
    let place = place();
    place.write("panics.wasm", arena_testkit::zoo("panics"));
    let document = place.arena(&format!("rerun {GAME} panics.wasm --seat 2 -o json")).expect_code(0).json();
    let turns = document["turns"].as_array().unwrap();
    for turn in &turns[1..] {
        let args = turn["now"]["decision"].as_str().unwrap();
        assert_eq!(args, "trap: panicked: no spot left (lib.rs:10:5)");
        assert!(
            turn["printed"]
                .as_array()
                .unwrap()
                .iter()
                .any(|line| line.as_str().unwrap().contains("no spot left"))
        );
    }
}

#[test]
fn submarine_is_rerun_too() {
    let place = Place::with_submarine_bots();
    place.arena("run sub-random.wasm sub-tracker.wasm --games 1 --seed 1 --transcripts games").expect_code(0);
    let run = place.arena("rerun games/1-sub-random-vs-sub-tracker.jsonl sub-random.wasm").expect_code(0);
    assert!(run.stdout.contains("the same in all of"), "{}", run.stdout);
    let run =
        place.arena("rerun games/1-sub-random-vs-sub-tracker.jsonl sub-random.wasm --turn 0").expect_code(0);
    assert!(run.stdout.contains("deploy"), "{}", run.stdout);
}

#[test]
fn a_bot_for_another_game_and_a_recording_that_cannot_be_are_bad_input() {
    let place = place();
    std::fs::copy(crate::support::house_bot("submarine/sub-random"), place.path("sub.wasm")).unwrap();
    let run = place.arena(&format!("rerun {GAME} sub.wasm")).expect_code(2);
    assert!(run.stderr.contains("plays submarine"), "{}", run.stderr);
    place.alter(GAME, 5, |event| event["turn"] = 77.into());
    let run = place.arena(&format!("rerun {GAME} hunter.wasm")).expect_code(2);
    assert!(run.stderr.contains("the recording is inconsistent"), "{}", run.stderr);
}

#[test]
fn calls_have_each_retry_and_begin_after_the_last_restart() {
    let place = Place::with_specimens(&["off-board-once", "loops-in-play", "sweeper"]);
    for (bot, expected) in [
        // The deployment, and the first turn with its retry.
        ("off-board-once", &[(0, false), (1, false), (1, true), (2, false)][..]),
        // It was restarted after each turn.
        ("loops-in-play", &[(2, false)]),
    ] {
        place
            .arena(&format!(
                "run {bot}.wasm sweeper.wasm --games 1 --seed 1 --fuel 10000000 --transcripts {bot}"
            ))
            .expect_code(0);
        place
            .arena(&format!("replay {bot}/1-{bot}-vs-sweeper.jsonl --calls calls.jsonl --turn 2"))
            .expect_code(0);
        let called: Vec<(u64, bool)> = calls(&place)
            .iter()
            .map(|call| {
                let view = &call["view"];
                (view["turn"].as_u64().unwrap_or(0), view["retry"].as_bool().unwrap_or(false))
            })
            .collect();
        assert_eq!(called, expected, "{bot}");
    }
}
