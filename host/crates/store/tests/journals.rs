//! What a journal keeps, and whom it refuses.

mod support;

use arena_rules::{GameRules, Ruleset};
use arena_store::{Conditions, JournalError, Reader, Writer};
use proptest::prelude::*;
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use support::{bytes, conditions, game};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("arena.db");
    (folder, path)
}

fn open(path: &Path, conditions: &Conditions) -> Result<Writer, JournalError> {
    Writer::open(path, conditions)
}

/// A journal with some games between three.
fn with_games(path: &Path, games: u32) -> Conditions {
    let conditions = conditions(3);
    let mut writer = open(path, &conditions).unwrap();
    writer.begin("{}").unwrap();
    for number in 1..=games {
        let (key, result, transcript) = game(&conditions, [0, 1], number);
        writer.append(key, &result, &transcript).unwrap();
    }
    conditions
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn games_come_back_as_they_were_to_the_byte(numbers in prop::collection::btree_set(1u32..500, 1..12)) {
        let (_folder, path) = folder();
        let conditions = conditions(3);
        let mut writer = open(&path, &conditions).unwrap();
        let mut kept = Vec::new();
        for (index, &number) in numbers.iter().enumerate() {
            let seats = [[0, 1], [2, 0], [1, 2]][index % 3];
            let (key, result, transcript) = game(&conditions, seats, number);
            prop_assert_eq!(writer.append(key, &result, &transcript).unwrap(), index as u64 + 1);
            kept.push((key, result, transcript));
        }
        // Both while the writer is there and after it.
        for closed in [false, true] {
            if closed {
                drop(std::mem::replace(&mut writer, open(&path.with_extension("other"), &conditions).unwrap()));
            }
            let reader = Reader::open(&path).unwrap();
            prop_assert_eq!(&reader.conditions().unwrap(), &conditions);
            let games = reader.games().unwrap();
            prop_assert_eq!(games.len(), kept.len());
            for (game, (key, result, transcript)) in games.iter().zip(&kept) {
                prop_assert_eq!((&game.key, &game.result), (key, result));
                let read = reader.transcript(game.number).unwrap().unwrap();
                prop_assert_eq!(bytes(&read), bytes(transcript));
            }
        }
    }
}

#[test]
fn a_game_that_is_there_is_not_added_again_and_not_replaced() {
    let (_folder, path) = folder();
    let conditions = with_games(&path, 2);
    let mut writer = open(&path, &conditions).unwrap();
    let (key, mut result, transcript) = game(&conditions, [0, 1], 2);
    assert_eq!(writer.append(key, &result, &transcript).unwrap(), 2);
    result.turns[0] += 1;
    assert!(matches!(writer.append(key, &result, &transcript), Err(JournalError::Conflict { number: 2 })));
    assert_eq!(writer.games().unwrap().len(), 2);
}

#[test]
fn a_game_of_other_conditions_is_not_added() {
    let (_folder, path) = folder();
    let conditions = with_games(&path, 1);
    let mut writer = open(&path, &conditions).unwrap();
    let (key, result, mut transcript) = game(&conditions, [0, 1], 2);
    transcript.header.seed = 3;
    assert!(writer.append(key, &result, &transcript).is_err());
    assert_eq!(writer.games().unwrap().len(), 1);
}

#[test]
fn the_same_games_make_the_same_journal() {
    let dump = || {
        let (_folder, path) = folder();
        with_games(&path, 5);
        let connection = Connection::open(&path).unwrap();
        let mut rows = Vec::new();
        for table in ["conditions", "contestant", "course", "game", "dictionary", "transcript"] {
            let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let columns = statement.column_count();
            let row = |row: &rusqlite::Row<'_>| {
                (0..columns)
                    .map(|column| row.get::<_, rusqlite::types::Value>(column))
                    .collect::<Result<Vec<_>, _>>()
            };
            rows.extend(statement.query_map([], row).unwrap().map(Result::unwrap));
        }
        format!("{rows:?}")
    };
    assert!(dump() == dump());
}

#[test]
fn a_closed_journal_is_one_file() {
    let (folder, path) = folder();
    with_games(&path, 3);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_latest_course_is_told_and_the_same_one_is_not_noted_twice() {
    let (_folder, path) = folder();
    let conditions = conditions(2);
    let mut writer = open(&path, &conditions).unwrap();
    for course in ["a", "a", "b", "a"] {
        writer.begin(course).unwrap();
    }
    drop(writer);
    assert_eq!(Reader::open(&path).unwrap().course().unwrap().as_deref(), Some("a"));
    let connection = Connection::open(&path).unwrap();
    let count: i64 = connection.query_row("SELECT count(*) FROM course", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 3);
}

#[track_caller]
fn check_other(change: impl Fn(&mut Conditions), phrase: &str) {
    let (_folder, path) = folder();
    let mut now = with_games(&path, 1);
    let before = fs::read(&path).unwrap();
    change(&mut now);
    match open(&path, &now) {
        Err(JournalError::Other(difference)) => {
            assert!(difference.to_string().contains(phrase), "{difference}");
        }
        other => panic!("{:?}", other.err()),
    }
    assert_eq!(before, fs::read(&path).unwrap(), "it is left as it was");
}

#[test]
fn other_conditions_are_refused_with_what_differs() {
    check_other(|now| now.arena = "9.9.9".into(), "the arena's version is 0.1.0 there and 9.9.9 now");
    check_other(|now| now.wasmtime = "49.0.0".into(), "wasmtime's version");
    check_other(|now| now.engine = "ff".into(), "the engine");
    check_other(|now| now.seed = 7, "the seed");
    check_other(|now| now.limits.fuel_per_turn = 7, "fuel for a turn");
    check_other(
        |now| now.limits.memory_bytes = 16 << 20,
        "the memory of a bot is 64 MiB there and 16 MiB now",
    );
    check_other(|now| now.rules = GameRules::Battleship(Ruleset::classic()), "of the rules");
    check_other(|now| now.contestants[1].sha256 = "f".repeat(64), "the file of bot-1, by its hash,");
    check_other(|now| drop(now.contestants.pop()), "the bot bot-2 is a contestant there and none now");
    check_other(|now| now.contestants.swap(0, 1), "the order of the bots is bot-0, bot-1, bot-2 there");
    let another = conditions(4).contestants.pop().unwrap();
    check_other(move |now| now.contestants.push(another.clone()), "the bot bot-3 is no contestant there");
}

#[test]
fn another_label_for_the_same_bot_is_no_other_tournament() {
    let (_folder, path) = folder();
    let mut now = with_games(&path, 1);
    now.contestants[0].label = "renamed".into();
    assert!(open(&path, &now).is_ok());
}

#[test]
fn one_writes_and_others_read() {
    let (_folder, path) = folder();
    let conditions = with_games(&path, 1);
    let mut writer = open(&path, &conditions).unwrap();
    assert!(matches!(open(&path, &conditions), Err(JournalError::Busy)));
    let reader = Reader::open(&path).unwrap();
    let (key, result, transcript) = game(&conditions, [0, 1], 2);
    writer.append(key, &result, &transcript).unwrap();
    assert_eq!(reader.games().unwrap().len(), 2);
    drop(writer);
    assert!(open(&path, &conditions).is_ok());
}

#[test]
fn what_is_no_journal_is_refused_and_left_alone() {
    let (folder, path) = folder();
    assert!(matches!(Reader::open(&path), Err(JournalError::Missing)));
    fs::write(&path, "no database at all, but text enough to fill the header of one, and more of it")
        .unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(Reader::open(&path), Err(JournalError::Foreign)));
    assert!(matches!(open(&path, &conditions(2)), Err(JournalError::Foreign)));
    assert_eq!(before, fs::read(&path).unwrap());
    assert!(Reader::open(folder.path()).is_err());
    assert!(open(folder.path(), &conditions(2)).is_err());

    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert!(matches!(Reader::open(&foreign), Err(JournalError::Foreign)));
    assert!(matches!(open(&foreign, &conditions(2)), Err(JournalError::Foreign)));
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let (_folder, path) = folder();
    fs::write(&path, "").unwrap();
    assert!(open(&path, &conditions(2)).is_ok());
}

#[test]
fn a_transcript_that_was_tampered_with_is_an_error() {
    let (_folder, path) = folder();
    with_games(&path, 3);
    let connection = Connection::open(&path).unwrap();
    let change = "UPDATE transcript SET packed = (SELECT packed FROM transcript WHERE game = 2), size_bytes = \
                  (SELECT size_bytes FROM transcript WHERE game = 2) WHERE game = 3";
    assert!(connection.execute(change, []).is_err(), "a journal is only added to");
    connection.execute_batch("DROP TRIGGER transcript_no_update").unwrap();
    connection.execute(change, []).unwrap();
    let reader = Reader::open(&path).unwrap();
    assert!(reader.transcript(2).unwrap().is_some());
    match reader.transcript(3) {
        Err(JournalError::Damaged(what)) => assert!(what.contains("game 3 has another hash"), "{what}"),
        other => panic!("{other:?}"),
    }
    assert!(reader.transcript(4).unwrap().is_none());
}
