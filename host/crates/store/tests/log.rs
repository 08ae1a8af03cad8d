//! A journal without its write-ahead log, which has its last games: a copy of the one file, while a run writes it or after it was killed.

use crate::support::{add, folder, game, open, tournament, with_games};
use arena_store::{JournalError, Reader, Writer};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};

/// The places of a header that say whether a file has a log, and the value then.
const VERSIONS: std::ops::Range<usize> = 18..20;
const WITH_LOG: [u8; 2] = [2, 2];

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    format!("{}{ending}", path.display()).into()
}

fn has_log(path: &Path) -> bool {
    fs::read(path).unwrap()[VERSIONS] == WITH_LOG
}

/// Copies the file of a journal without those next to it.
fn copy_alone(path: &Path) -> PathBuf {
    let copy = path.with_file_name("a copy, 100% alone?.db");
    fs::copy(path, &copy).unwrap();
    assert!(has_log(&copy));
    copy
}

/// A journal that is being written, whose first games are in the file and whose last ones are in the log.
fn being_written(path: &Path) -> Writer {
    let tournament = with_games(path, 3);
    let mut writer = open(path, &tournament).unwrap();
    writer.settle();
    add(&mut writer, &[&game(&tournament, [0, 1], 4)]).unwrap();
    writer
}

#[test]
fn a_journal_whose_writer_has_not_begun_its_log_yet_lacks_none() {
    let (_folder, path) = folder();
    // As a writer has it.
    let lock = fs::File::create(&path).unwrap();
    lock.lock().unwrap();
    Connection::open(&path).unwrap().pragma_update(None, "journal_mode", "WAL").unwrap();
    assert!(has_log(&path) && !with_ending(&path, "-wal").exists());
    assert!(Reader::open_begun(&path).unwrap().is_none());
    drop(lock);
    assert!(matches!(Reader::open_begun(&path), Err(JournalError::NoLog)));
}

#[test]
fn a_copy_without_its_log_says_so_each_time_it_is_read() {
    let (folder, path) = folder();
    let writer = being_written(&path);
    let copy = copy_alone(&path);
    let before = fs::read_dir(folder.path()).unwrap().count();
    for _ in 0..2 {
        let reader = Reader::open(&copy).unwrap();
        assert!(reader.lacks_log());
        assert_eq!(reader.games().unwrap().len(), 3);
        assert!(reader.recording(3).unwrap().is_some());
        assert!(reader.try_clone().unwrap().lacks_log());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before, "reading leaves no file");
    // Another program that has read it leaves an empty log.
    fs::write(with_ending(&copy, "-wal"), "").unwrap();
    assert!(Reader::open(&copy).unwrap().lacks_log());
    // With the log it is whole.
    fs::copy(with_ending(&path, "-wal"), with_ending(&copy, "-wal")).unwrap();
    let reader = Reader::open(&copy).unwrap();
    assert!(!reader.lacks_log());
    assert_eq!(reader.games().unwrap().len(), 4);
    drop(writer);
}

#[test]
fn a_journal_that_is_open_lacks_no_log() {
    let (_folder, path) = folder();
    let tournament = tournament(2);
    let lacks_log = || Reader::open(&path).unwrap().lacks_log();
    // Before the first game, and when a run continues it and has added nothing yet.
    for _ in 0..2 {
        let mut writer = open(&path, &tournament).unwrap();
        assert!(has_log(&path) && !lacks_log());
        let number = u32::try_from(writer.games()).unwrap() + 1;
        add(&mut writer, &[&game(&tournament, [0, 1], number)]).unwrap();
        writer.settle();
        assert!(!lacks_log());
        drop(writer);
        assert!(!lacks_log());
    }
}

#[test]
fn a_copy_of_a_journal_whose_rows_are_all_in_its_log_is_named_as_such() {
    let (_folder, path) = folder();
    let writer = open(&path, &tournament(2)).unwrap();
    let copy = copy_alone(&path);
    assert_eq!(fs::metadata(&copy).unwrap().len(), 4_096);
    for error in [Reader::open(&copy).map(drop), Reader::open_begun(&copy).map(drop)] {
        let error = error.expect_err("it has nothing");
        assert!(matches!(error, JournalError::NoLog), "{error}");
        assert!(error.to_string().contains("-wal after its name"), "{error}");
    }
    drop(writer);
}

#[test]
fn a_writer_that_ends_leaves_one_file_even_if_it_was_being_read() {
    let (folder, path) = folder();
    let writer = being_written(&path);
    let reader = Reader::open(&path).unwrap();
    reader.content().unwrap();
    std::thread::scope(|scope| {
        let ended = scope.spawn(|| drop(writer));
        // It waits for readers, which are quick.
        std::thread::sleep(std::time::Duration::from_millis(50));
        drop(reader);
        ended.join().unwrap();
    });
    assert!(!has_log(&path));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there is one file");
    let copy = path.with_file_name("copy.db");
    fs::copy(&path, &copy).unwrap();
    let reader = Reader::open(&copy).unwrap();
    assert!(!reader.lacks_log());
    assert_eq!(reader.games().unwrap().len(), 4);
}

#[test]
fn a_log_that_is_taken_in_when_a_journal_is_recovered_is_not_missed() {
    let (_folder, path) = folder();
    let writer = being_written(&path);
    let copy = copy_alone(&path);
    fs::copy(with_ending(&path, "-wal"), with_ending(&copy, "-wal")).unwrap();
    drop(writer);
    // A run that continues it takes the log in.
    let tournament = tournament(3);
    drop(open(&copy, &tournament).unwrap());
    let reader = Reader::open(&copy).unwrap();
    assert!(!reader.lacks_log());
    assert_eq!(reader.games().unwrap().len(), 4);
}

#[test]
fn another_file_lacks_no_log() {
    let (_folder, path) = folder();
    for bytes in [&b"SQLite format 3\0"[..], &[0; 4_096], b"a text"] {
        fs::write(&path, bytes).unwrap();
        let error = Reader::open(&path).map(drop).expect_err("it is no journal");
        assert!(!matches!(error, JournalError::NoLog), "{error}");
    }
    // A database of another program that has a log.
    fs::remove_file(&path).unwrap();
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE notes (text)").unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let copy = copy_alone(&path);
    assert!(matches!(Reader::open(&copy), Err(JournalError::Foreign)));
}
