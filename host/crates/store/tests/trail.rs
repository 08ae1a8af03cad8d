//! The trail of workers: it is kept next to the chain of games, changes nothing of it, and shows what was changed or removed.

use crate::documented::{checked_by_the_page, expect_noticed};
use crate::support::{folder, game, open, tournament, with_games};
use arena_store::{GameRange, JournalError, Reader, Trail, TrailEntry, TrailEvent};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn entry(event: TrailEvent, name: &str, why: &str) -> TrailEntry {
    TrailEntry {
        at: "".into(),
        event,
        key: format!("U{name}").as_str().into(),
        name: name.into(),
        owner: "alice".into(),
        why: why.into(),
        games: vec![GameRange { bots: [0, 1], first: 3, last: 9 }],
    }
}

/// A journal of two games, with a trail of three entries: two before the games, and one after them.
fn journal() -> (TempDir, PathBuf) {
    let (folder, path) = folder();
    let tournament = tournament(3);
    let mut writer = open(&path, &tournament).unwrap();
    writer
        .note(&[entry(TrailEvent::Admitted, "north", ""), entry(TrailEvent::Admitted, "south", "")])
        .unwrap();
    for number in 1..=2 {
        game(&tournament, [0, 1], number).add_to(&mut writer).unwrap();
    }
    drop(writer);
    // Another run goes on with it.
    let mut writer = open(&path, &tournament).unwrap();
    writer.note(&[entry(TrailEvent::Excluded, "north", "its game 2 is another one")]).unwrap();
    (folder, path)
}

fn trail(path: &Path) -> Result<Trail, JournalError> {
    Ok(Reader::open(path)?.content()?.trail)
}

#[test]
fn a_trail_is_kept_with_the_time_and_goes_on_in_the_next_run() {
    let (_folder, path) = journal();
    let Trail { entries, head } = trail(&path).unwrap();
    let words: Vec<String> = entries.iter().map(|of| format!("{} {}", of.name, of.event.word())).collect();
    assert_eq!(words, ["north admitted", "south admitted", "north excluded"]);
    assert!(entries.iter().all(|entry| entry.at.as_str().ends_with('Z')));
    let last = TrailEntry { at: "".into(), ..entries[2].clone() };
    assert_eq!(last, entry(TrailEvent::Excluded, "north", "its game 2 is another one"));
    assert_eq!(head.map(|head| head.links), Some(3));
}

#[test]
fn the_chain_of_games_is_the_same_with_a_trail_and_without() {
    let (_folder, path) = journal();
    let (_other, without) = folder();
    with_games(&without, 2);
    let links = |path: &Path| -> Vec<(String, i64)> {
        let connection = Connection::open(path).unwrap();
        let mut statement = connection.prepare("SELECT kind, row FROM link ORDER BY number").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(links(&path), links(&without));
}

#[test]
fn an_entry_that_was_changed_removed_moved_or_added_is_found() {
    for (sql, finding) in [
        ("UPDATE trail SET why = 'nothing' WHERE number = 3", "entry 3 of the trail: it was changed"),
        (
            "UPDATE trail SET at = '2026-01-31T12:00:00Z' WHERE number = 1",
            "entry 1 of the trail: it was changed",
        ),
        ("UPDATE trail SET links = 1 WHERE number = 1", "entry 1 of the trail: it was changed"),
        ("UPDATE trail SET links = 1000 WHERE number = 3", "it is not of this chain of games"),
        ("UPDATE trail SET links = 0 WHERE number = 3", "not in its order"),
        ("DELETE FROM trail WHERE number = 2", "entry 2 of the trail: it was removed"),
        ("DELETE FROM trail WHERE number = 1", "entry 1 of the trail: it was removed"),
        (
            "INSERT INTO trail SELECT 4, links, at, event, key, name, owner, why, games, sha256 FROM trail WHERE number = 3",
            "entry 4 of the trail: it was changed",
        ),
    ] {
        let (_folder, path) = journal();
        expect_noticed(&path, sql, finding);
    }
}

#[test]
fn a_trail_of_another_journal_does_not_fit() {
    let (_folder, path) = journal();
    let (_other, other) = folder();
    let tournament = tournament(3);
    let mut writer = open(&other, &tournament).unwrap();
    for number in 3..=4 {
        game(&tournament, [0, 1], number).add_to(&mut writer).unwrap();
    }
    drop(writer);
    let connection = Connection::open(&other).unwrap();
    connection
        .execute_batch(&format!(
            "ATTACH '{}' AS whole; INSERT INTO main.trail SELECT * FROM whole.trail",
            path.display()
        ))
        .unwrap();
    drop(connection);
    // Up to the games, they may be the same.
    let error = trail(&other).expect_err("it is another chain of games").to_string();
    assert!(error.contains("of the trail: it was changed"), "{error}");
}

#[test]
fn the_checker_of_the_page_accepts_a_trail() {
    let (_folder, path) = journal();
    let Some(checked) = checked_by_the_page(&path, None) else { return };
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
