//! The times in a journal: they are kept next to the chain of games, which is the same at any time, and a time that was changed is found.

use crate::documented::{checked_by_the_page, expect_noticed};
use crate::independent;
use crate::support::{folder, game, open, tournament};
use arena_store::{Moment, Reader, Stage};
use rusqlite::Connection;
use std::path::Path;
use std::process::Command;

/// The variable with the path for the process that writes a journal.
const PATH_OF_CHILD: &str = "ARENA_STORE_TEST_CLOCK";

/// The program of the tests below: it writes games of two stages in two runs, at the time of its environment.
#[test]
#[ignore = "it is run by the tests that set its time"]
fn writes_two_stages_of_a_journal() {
    let Some(path) = std::env::var_os(PATH_OF_CHILD) else { return };
    let (path, tournament) = (Path::new(&path), tournament(3));
    let mut writer = open(path, &tournament).unwrap();
    game(&tournament, [0, 1], 1).add_to(&mut writer).unwrap();
    drop(writer);
    let mut writer = open(path, &tournament).unwrap();
    game(&tournament, [0, 1], 2).add_to(&mut writer).unwrap();
    writer.enter(&tournament.bots, &Stage::of_all("[]", &tournament.bots)).unwrap();
    game(&tournament, [0, 2], 1).add_to(&mut writer).unwrap();
}

/// A journal of three games in two stages, written at this time, in seconds since 1970.
fn write_at(path: &Path, seconds: &str) {
    let written = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "clock::writes_two_stages_of_a_journal"])
        .env(PATH_OF_CHILD, path)
        .env("SOURCE_DATE_EPOCH", seconds)
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stdout));
}

#[test]
fn the_same_games_have_the_same_chain_at_any_time() {
    let (_folder, path) = folder();
    let (_other, other) = folder();
    write_at(&path, "1769860800");
    write_at(&other, "1801396800");
    let [here, there] = [&path, &other].map(|path| Reader::open(path).unwrap().content().unwrap());
    assert_eq!(here.head, there.head);
    assert_ne!(here.clock, there.clock);
    let at = |stage, game, at: &str| Moment { stage, game, at: at.to_owned() };
    let [before, after] = ["2026-01-31T12:00:00Z", "2027-01-31T12:00:00Z"];
    assert_eq!(here.moments, [at(1, 1, before), at(2, 3, before)]);
    assert_eq!(there.moments, [at(1, 1, after), at(2, 3, after)]);
    assert_eq!(independent::check(&Connection::open(&path).unwrap()), Ok(here.head.sha256));
    if let Some(checked) = checked_by_the_page(&path, None) {
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn a_time_that_was_changed_removed_moved_or_added_is_found() {
    for (sql, finding) in [
        (
            "UPDATE clock SET at = '2026-01-31T12:00:01Z' WHERE number = 2",
            "entry 2 of the clock: it was changed",
        ),
        ("UPDATE clock SET links = links - 1 WHERE number = 2", "entry 2 of the clock: it was changed"),
        ("UPDATE clock SET links = 1 WHERE number = 2", "not in its order"),
        ("UPDATE clock SET links = 1000 WHERE number = 2", "it is not of this chain of games"),
        ("DELETE FROM clock WHERE number = 1", "entry 1 of the clock: it was removed"),
        (
            "INSERT INTO clock SELECT 3, links, at, sha256 FROM clock WHERE number = 2",
            "entry 3 of the clock: it was changed",
        ),
    ] {
        let (_folder, path) = folder();
        write_at(&path, "1769860800");
        expect_noticed(&path, sql, finding);
        assert!(independent::check(&Connection::open(&path).unwrap()).is_err(), "{sql}");
    }
}
