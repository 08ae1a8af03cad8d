//! Journals whose run was killed while it wrote or closed the file.

use crate::support::{add, folder, game, open, tournament, with_games};
use arena_store::{JournalError, Reader};
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// A path with an ending after its name.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    format!("{}{ending}", path.display()).into()
}

/// Copies a journal and the files next to it, as a process that is killed now leaves them.
fn copy_as_killed(path: &Path) -> PathBuf {
    let copy = path.with_file_name("killed.db");
    for ending in ["", "-wal", "-journal"] {
        let _ = fs::copy(with_ending(path, ending), with_ending(&copy, ending));
    }
    copy
}

/// Leaves a journal as a process does that is killed in the middle of a transaction without a write-ahead log: pages are
/// overwritten, and what they had is in the rollback journal.
fn killed_in_a_transaction(path: &Path) -> PathBuf {
    let before = fs::read(path).unwrap();
    let connection = Connection::open(path).unwrap();
    // The memory for pages is small, so that they are written before the transaction ends.
    connection.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN IMMEDIATE").unwrap();
    let sql = "INSERT INTO bot (label, name, sha256) \
               WITH RECURSIVE some(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < 400) \
               SELECT hex(zeroblob(900)), 'half', 'half' FROM some";
    connection.execute(sql, []).unwrap();
    let copy = copy_as_killed(path);
    assert!(fs::read(&copy).unwrap() != before, "pages are overwritten");
    assert!(fs::metadata(with_ending(&copy, "-journal")).unwrap().len() > 512, "it is in use");
    copy
}

#[test]
fn a_journal_that_a_killed_run_left_in_a_transaction_is_recovered_by_reading_it() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 3);
    let before = Reader::open(&path).unwrap().content().unwrap();
    let copy = killed_in_a_transaction(&path);
    let after = Reader::open(&copy).unwrap().content().unwrap();
    assert_eq!((after.head, after.games), (before.head, before.games));
    assert!(!with_ending(&copy, "-journal").exists(), "it is one file again");
    assert!(Reader::open_begun(&copy).unwrap().is_some());
    let mut writer = open(&copy, &tournament).unwrap();
    assert_eq!(game(&tournament, [0, 1], 4).add_to(&mut writer).unwrap(), 4);
}

#[test]
fn a_journal_that_a_killed_run_left_in_a_transaction_is_continued() {
    let (_folder, path) = folder();
    let tournament = with_games(&path, 3);
    let copy = killed_in_a_transaction(&path);
    assert_eq!(open(&copy, &tournament).unwrap().games(), 3);
}

#[test]
fn a_journal_that_lost_its_write_ahead_log_when_it_was_taken_in_is_read() {
    let (_folder, path) = folder();
    with_games(&path, 3);
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let copy = path.with_file_name("killed.db");
    fs::copy(&path, &copy).unwrap();
    assert_eq!(Reader::open(&copy).unwrap().content().unwrap().games.len(), 3);
}

#[test]
fn a_journal_that_must_be_recovered_and_cannot_be_written_says_what_to_do() {
    let (folder, path) = folder();
    with_games(&path, 3);
    let copy = killed_in_a_transaction(&path);
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&copy, 0o444);
    mode(folder.path(), 0o555);
    let read = thread::scope(|scope| {
        let reading = scope.spawn(|| {
            if rustix::process::geteuid().is_root() {
                // Root can open any file, so this thread, and no other, becomes another user.
                let nobody = rustix::process::Uid::from_raw(65_534);
                rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
            }
            Reader::open(&copy).map(drop)
        });
        reading.join().unwrap()
    });
    mode(folder.path(), 0o755);
    let error = read.expect_err("it cannot be recovered");
    assert!(matches!(error, JournalError::Io(_)), "{error}");
    assert!(error.to_string().contains("copy it, and the files that begin with its name"), "{error}");
}

#[test]
fn a_journal_that_a_link_leads_to_is_recovered_with_the_files_next_to_it() {
    let (folder, path) = folder();
    with_games(&path, 3);
    let copy = killed_in_a_transaction(&path);
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let link = elsewhere.join("arena.db");
    std::os::unix::fs::symlink(&copy, &link).unwrap();
    assert_eq!(Reader::open(&link).unwrap().content().unwrap().games.len(), 3);
}

/// The variable with the path for the process that is killed.
const PATH_OF_CHILD: &str = "ARENA_STORE_TEST_KILLED";

/// The program of the test below: it opens, writes and closes a journal again and again.
#[test]
#[ignore = "it is run by the test that kills it"]
fn opens_writes_and_closes_until_it_is_killed() {
    let Some(path) = std::env::var_os(PATH_OF_CHILD) else { return };
    let tournament = tournament(2);
    for number in 1.. {
        let mut writer = open(Path::new(&path), &tournament).unwrap();
        let next = u32::try_from(writer.games()).unwrap() + 1;
        add(&mut writer, &[&game(&tournament, [0, 1], next)]).unwrap();
        assert!(number < 100_000, "it is never killed");
    }
}

/// The times that the process is killed. Chosen: some seconds; a kill hits the closing of the file about every fourth time.
const KILLS: u64 = 16;

#[test]
fn a_journal_is_read_and_continued_whenever_its_run_is_killed() {
    let (_folder, path) = folder();
    let tournament = with_games_of_two(&path);
    let mut head = Reader::open(&path).unwrap().content().unwrap().head;
    for kill in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "recovery::opens_writes_and_closes_until_it_is_killed"])
            .env(PATH_OF_CHILD, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(40 + 7 * kill));
        child.kill().unwrap();
        child.wait().unwrap();
        let reader = Reader::open(&path).unwrap();
        let content = reader.content().unwrap();
        assert!(reader.has_link(&head.sha256).unwrap(), "kill {kill}");
        head = content.head;
        if kill % 4 == 3 {
            assert_eq!(open(&path, &tournament).unwrap().games(), content.games.len());
        }
    }
    assert!(head.links > 8, "it was killed before it wrote anything");
}

fn with_games_of_two(path: &Path) -> arena_store::Tournament {
    let tournament = tournament(2);
    game(&tournament, [0, 1], 1).add_to(&mut open(path, &tournament).unwrap()).unwrap();
    tournament
}
