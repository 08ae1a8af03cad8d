//! The page `docs/guide/src/journal-format.md`, as a stranger reads it.

use crate::independent::{self, drop_triggers, fingerprint};
use crate::skip::program_or_skip;
use crate::support::{folder, open, tournament, with_games};
use arena_store::{JournalError, Reader};
use rusqlite::Connection;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The page.
const PAGE: &str = include_str!("../../../../docs/guide/src/journal-format.md");

/// The output of the page's checker about a journal; `None` when this machine has no Python.
pub fn checked_by_the_page(journal: &Path, head: Option<&str>) -> Option<Output> {
    // The path is looked for once: a test tries many journals.
    static PYTHON: OnceLock<Option<std::path::PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| program_or_skip("python3")).as_ref()?;
    let (_, code) = PAGE.split_once("```python\n").expect("the page has a checker");
    let (code, _) = code.split_once("```").expect("it has an end");
    let output = Command::new(python).args(["-c", code]).arg(journal).args(head).output();
    Some(output.expect("the checker can be started"))
}

#[test]
fn the_checker_of_the_page_finds_the_head_of_a_journal() {
    let (_folder, path) = folder();
    with_games(&path, 3);
    let head = Reader::open(&path).unwrap().content().unwrap().head;
    let Some(printed) = checked_by_the_page(&path, Some(&head.sha256)) else { return };
    let text = String::from_utf8(printed.stdout).unwrap();
    assert_eq!(text, format!("{} {}\n", head.links, head.sha256), "{:?}", String::from_utf8(printed.stderr));
    let other = checked_by_the_page(&path, Some(&"0".repeat(64))).expect("there is Python");
    assert!(!other.status.success());
}

#[test]
fn the_page_has_the_hash_of_the_schema() {
    let (_folder, path) = folder();
    with_games(&path, 1);
    let schema = fingerprint(&Connection::open(&path).unwrap());
    assert_eq!(schema, independent::SCHEMA);
    assert_eq!(PAGE.matches(&schema).count(), 2, "the page has it in its text and in its checker");
}

/// Changes a journal of three bots in a way that its triggers forbid, and requires that its readers, its writer and the checker of the guide
/// notice it.
#[track_caller]
pub fn expect_noticed(path: &Path, sql: &str, finding: &str) {
    let connection = Connection::open(path).unwrap();
    drop_triggers(&connection);
    connection.execute_batch(sql).expect(sql);
    drop(connection);
    let error = Reader::open(path).and_then(|reader| reader.content()).map(drop).expect_err(sql);
    assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains(finding), "{sql}: {error}");
    assert!(open(path, &tournament(3)).is_err(), "nothing is added to it: {sql}");
    if let Some(checked) = checked_by_the_page(path, None) {
        assert!(!checked.status.success(), "{sql}: {}", String::from_utf8_lossy(&checked.stdout));
    }
}
