//! The chain of a journal: it shows what was changed, removed or added from outside.

use crate::independent::drop_triggers;
use crate::support::{add, game, rows, tournament};
use arena_store::{JournalError, Reader, Stage, Writer};
use proptest::prelude::*;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A journal with some games of two bots.
fn journal(games: u32) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("arena.db");
    add_games(&path, 1, games);
    (folder, path)
}

fn add_games(path: &Path, first: u32, last: u32) {
    let tournament = tournament(2);
    let mut writer = Writer::open(path, &tournament, &Stage::of_all("{}", &tournament.bots)).unwrap();
    for number in first..=last {
        add(&mut writer, &[&game(&tournament, [0, 1], number)]).unwrap();
    }
}

/// Runs SQL on a journal, as an attacker could who removes the triggers.
fn tamper(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    drop_triggers(&connection);
    connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).expect(sql);
}

#[track_caller]
fn check_found(sql: &str, finding: &str) {
    let (_folder, path) = journal(4);
    let intact = Reader::open(&path).unwrap().content();
    assert_eq!(intact.unwrap().games.len(), 4);
    tamper(&path, sql);
    let error = Reader::open(&path).unwrap().content().expect_err(sql);
    assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains(finding), "{sql}: {error}");
    // Nothing is added to it either.
    let tournament = tournament(2);
    assert!(Writer::open(&path, &tournament, &Stage::of_all("{}", &tournament.bots)).is_err(), "{sql}");
}

#[test]
fn a_row_that_was_changed_is_found() {
    for (sql, row) in [
        ("UPDATE conditions SET arena = '9'", "conditions 1"),
        ("UPDATE bot SET label = 'winner' WHERE number = 1", "bot 1"),
        ("UPDATE bot SET name = 'winner' WHERE number = 0", "bot 0"),
        ("UPDATE stage SET settings = '{ }'", "stage 1"),
        ("UPDATE entrant SET label = 'winner' WHERE number = 2", "entrant 2"),
        ("UPDATE game SET outcome = 'draw' WHERE number = 3", "game 3"),
        ("UPDATE game SET second_fuel = '1' WHERE number = 2", "game 2"),
        ("UPDATE game SET stage = 2 WHERE number = 1", "game 1"),
        ("UPDATE game SET contract = 'arena:battleship@9.0.0' WHERE number = 1", "game 1"),
    ] {
        check_found(sql, &format!("{row}: it was changed after it was written"));
    }
}

#[test]
fn a_course_that_was_shortened_or_exchanged_is_found() {
    check_found("UPDATE game SET events = zeroblob(9) WHERE number = 2", "game 2: it was changed");
    let another = "UPDATE game SET events = (SELECT events FROM game WHERE number = 1) WHERE number = 4";
    check_found(another, "game 4: it was changed");
}

#[test]
fn a_row_that_was_removed_is_found() {
    check_found("DELETE FROM game WHERE number = 2", "game 2: it was removed");
    check_found("DELETE FROM game WHERE number = 4", "game 4: it was removed");
    check_found("DELETE FROM entrant WHERE number = 2", "entrant 2: it was removed");
    let closed_up = "DELETE FROM game WHERE number = 2; \
                     DELETE FROM link WHERE kind = 'game' AND row = 2";
    check_found(closed_up, "of the chain: links before it were removed");
}

#[test]
fn a_row_added_from_outside_is_found() {
    check_found("INSERT INTO stage (number, settings) VALUES (2, '{}')", "stage 2: it is not in the chain");
    let again = "INSERT INTO game (stage, first, second, pair, game, contract, first_seed, second_seed, fleet_seed, starter, \
                 outcome, reason, first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, events) \
                 SELECT stage, second, first, pair, game, contract, first_seed, second_seed, fleet_seed, starter, outcome, \
                 reason, first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, events FROM game WHERE number = 1";
    check_found(again, "game 5: it is not in the chain");
}

#[test]
fn a_chain_that_was_cut_with_its_games_has_another_head() {
    let (_folder, path) = journal(4);
    let published = Reader::open(&path).unwrap().content().unwrap().head;
    let cut = "DELETE FROM game WHERE number = 4; \
               DELETE FROM link WHERE kind = 'game' AND row = 4";
    tamper(&path, cut);
    let reader = Reader::open(&path).unwrap();
    let head = reader.content().unwrap().head;
    assert_eq!(head.links, published.links - 1);
    assert!(!reader.has_link(&published.sha256).unwrap());
}

#[test]
fn a_journal_that_grows_keeps_the_heads_it_had() {
    let (_folder, path) = journal(2);
    let before = Reader::open(&path).unwrap().content().unwrap().head;
    add_games(&path, 3, 4);
    let reader = Reader::open(&path).unwrap();
    assert!(reader.has_link(&before.sha256).unwrap());
    assert_eq!(reader.content().unwrap().head.links, before.links + 2);
}

#[test]
fn the_head_after_some_games_is_the_one_that_the_journal_had_then() {
    let (_folder, path) = journal(1);
    let mut before = vec![Reader::open(&path).unwrap().content().unwrap()];
    for number in 2..=4 {
        add_games(&path, number, number);
        before.push(Reader::open(&path).unwrap().content().unwrap());
    }
    let reader = Reader::open(&path).unwrap();
    for then in before {
        assert_eq!(reader.head_after(then.games.len(), then.stages.len()).unwrap(), Some(then.head));
    }
    // Before the first game: after the conditions, two bots, the stage and its entrants.
    assert_eq!(reader.head_after(0, 1).unwrap().unwrap().links, 6);
    assert_eq!(reader.head_after(0, 0).unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_content_depends_on_the_games_and_not_on_how_they_were_batched(games in 2u32..12, cut in 1u32..12) {
        let (_whole, path) = journal(games);
        let (_parts, other) = journal(cut.min(games - 1));
        add_games(&other, cut.min(games - 1) + 1, games);
        prop_assert_eq!(rows(&path), rows(&other));
    }
}
