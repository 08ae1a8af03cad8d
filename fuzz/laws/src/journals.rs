//! Journals: of any bytes, and with any rows.

use crate::chain;
use crate::drawing::Drawing;
use arena_store::{JournalError, Reader};
use arena_text::Text;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension};
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Any file can be read as a journal, or each unreadable part is refused with one line, the same line each time. Reading ends,
/// uses bounded memory, and never reports a failure of the machine.
///
/// The caller notices if it does not end: the fuzzer has a time limit, and the test does not end.
pub fn journals_survive_any_bytes(data: &[u8]) {
    let (folder, again) = (Folder::with(data), Folder::with(data));
    assert_eq!(read(&folder.path()), read(&again.path()));
}

/// A journal with any rows changed or removed, and a chain that fits them, can be read, or is refused with one line. Changes include other
/// types of values.
pub fn journals_survive_any_row(data: &[u8]) {
    let folder = Folder::with(without_checks());
    change(&folder.path(), Drawing::new(data)).expect("the journal of this law can be changed");
    let connection = Connection::open(folder.path()).expect("it is a journal");
    let transaction = connection.unchecked_transaction().expect("it can be changed");
    chain::chain_again(&transaction);
    transaction.commit().expect("it can be changed");
    drop(connection);
    tighten(&folder.path()).expect("the schema can be written");
    read(&folder.path());
}

/// A journal with games and a revealed seed.
const WHOLE: &[u8] = include_bytes!("../../corpus/journals_survive_any_bytes/a-closed-season");

/// The longest message, in characters. Chosen: five lines of a terminal.
const MESSAGE_CHARS_MAX: usize = 400;

/// The largest number of recordings that are read from one journal. Chosen: each of them is read in the same way.
const RECORDINGS_MAX: usize = 8;

/// A folder with a journal. It is removed at the end.
struct Folder(TempDir);

impl Folder {
    fn with(data: &[u8]) -> Self {
        // In memory, if the system has such a folder, ten times as many journals can be tried.
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new());
        let folder = Self(folder.expect("a temporary folder can be made"));
        fs::write(folder.path(), data).expect("a file can be written");
        folder
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("arena.db")
    }
}

/// Reads everything in a journal, and returns all of it as text.
fn read(path: &Path) -> Vec<String> {
    let reader = match Reader::open_begun(path) {
        Ok(Some(reader)) => reader,
        other => return vec![text_of(other)],
    };
    let mut all =
        vec![text_of(reader.tournament()), text_of(reader.content()), text_of(reader.revealed_seed())];
    let games = reader.games();
    for game in games.iter().flatten().take(RECORDINGS_MAX) {
        all.push(text_of(reader.recording(game.number)));
    }
    all.push(text_of(games));
    all
}

/// A result as text. An error must be printable, and of the file.
fn text_of(result: Result<impl Debug, JournalError>) -> String {
    match result {
        Ok(content) => format!("{content:?}"),
        Err(error) => {
            let message = error.to_string();
            assert!(message.chars().count() <= MESSAGE_CHARS_MAX && !message.contains('\n'), "{message:?}");
            // It is plain already, with what runs from right to left isolated.
            assert_eq!(Text::new(&message).as_str(), message);
            assert!(!error.is_of_the_machine(), "{message}");
            message
        }
    }
}

/// A journal without the database's checks: it has no triggers, and its columns take any values.
fn without_checks() -> &'static [u8] {
    static JOURNAL: OnceLock<Vec<u8>> = OnceLock::new();
    JOURNAL.get_or_init(|| {
        let folder = Folder::with(WHOLE);
        loosen(&folder.path()).expect("the journal of this law can be changed");
        fs::read(folder.path()).expect("the file can be read")
    })
}

fn loosen(path: &Path) -> rusqlite::Result<()> {
    // The second connection reads the tables as the first one has left them.
    Connection::open(path)?.execute_batch(
        "PRAGMA writable_schema = ON;
         DELETE FROM sqlite_schema WHERE type = 'trigger';
         UPDATE sqlite_schema SET sql = replace(replace(sql, ') STRICT', ')'), ' NOT NULL', '') WHERE type = 'table';",
    )?;
    Connection::open(path)?.execute_batch("VACUUM")
}

/// The type, name, table and text of each part of a schema.
type Parts = Vec<[String; 4]>;

/// Restores the schema of the format, because a reader requires it. The rows are not changed.
fn tighten(path: &Path) -> rusqlite::Result<()> {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    let parts = PARTS.get_or_init(|| parts(WHOLE).expect("the journal of this law has a schema"));
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA writable_schema = ON")?;
    for [kind, name, table, sql] in parts {
        let changed = connection.execute("UPDATE sqlite_schema SET sql = ?1 WHERE name = ?2", [sql, name])?;
        if changed == 0 {
            // A trigger has no page.
            connection
                .execute("INSERT INTO sqlite_schema VALUES (?1, ?2, ?3, 0, ?4)", [kind, name, table, sql])?;
        }
    }
    Ok(())
}

fn parts(journal: &[u8]) -> rusqlite::Result<Parts> {
    let folder = Folder::with(journal);
    let connection = Connection::open(folder.path())?;
    let mut select =
        connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")?;
    let parts = select.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    parts.collect()
}

/// The tables, each with its columns.
const TABLES: [(&str, &[&str]); 7] = [
    ("conditions", &["id", "arena", "wasmtime", "engine", "rules", "fuel_per_turn", "memory_bytes", "seed"]),
    ("bot", &["number", "label", "name", "sha256"]),
    ("stage", &["number", "settings"]),
    (
        "game",
        &[
            "number",
            "first",
            "second",
            "pair",
            "game",
            "outcome",
            "reason",
            "first_score",
            "second_score",
            "first_turns",
            "second_turns",
            "first_fuel",
            "second_fuel",
            "faults",
            "reproducible",
            "events",
            "stage",
            "contract",
            "first_seed",
            "starter",
        ],
    ),
    ("entrant", &["number", "stage", "place", "bot", "label"]),
    ("draw", &["number", "stage", "seed", "beacon"]),
    ("told_seed", &["id", "seed"]),
];

/// The largest number of changes. Chosen: with more, the first damage hides the others.
const CHANGES_MAX: usize = 4;

fn change(path: &Path, mut drawing: Drawing<'_>) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
         PRAGMA ignore_check_constraints = ON",
    )?;
    for _ in 0..CHANGES_MAX {
        if drawing.is_over() {
            break;
        }
        let (table, columns) = drawing.one_of(&TABLES);
        let column = drawing.one_of(columns);
        let row = format!("rowid = (SELECT rowid FROM {table} LIMIT 1 OFFSET {})", drawing.number(0..=2));
        let sql = format!("SELECT {column} FROM {table} WHERE {row}");
        let old = connection.query_row(&sql, [], |row| Ok(Old::of(row.get_ref(0)?))).optional()?;
        // There are fewer rows.
        let Some(old) = old else { continue };
        let change = match drawing.number(0..=7) {
            0 => connection.execute(&format!("DELETE FROM {table} WHERE {row}"), []),
            1 => {
                let other = drawing.one_of(columns);
                connection.execute(&format!("UPDATE {table} SET {column} = {other} WHERE {row}"), [])
            }
            kind => {
                let (sql, value) = new_value(kind, old, &mut drawing);
                connection.execute(&format!("UPDATE {table} SET {column} = {sql} WHERE {row}"), [value])
            }
        };
        // A change that the database refuses, as of a row's number to a text, leaves the row as it is.
        let _ = change;
    }
    Ok(())
}

/// A value before its change.
enum Old {
    /// Text. It may not be UTF-8.
    Text(Vec<u8>),
    Blob(Vec<u8>),
    Other,
}

impl Old {
    fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Text(bytes) => Self::Text(bytes.to_vec()),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
            _ => Self::Other,
        }
    }
}

/// A value, and the SQL of which it is the parameter.
fn new_value(kind: u8, old: Old, drawing: &mut Drawing<'_>) -> (&'static str, Value) {
    // Also bytes that are not UTF-8 become text.
    const TEXT: &str = "CAST(?1 AS TEXT)";
    match (kind, old) {
        (2, Old::Text(bytes)) => (TEXT, Value::Blob(with_a_byte_changed(bytes, drawing))),
        (2, Old::Blob(bytes)) => ("?1", Value::Blob(with_a_byte_changed(bytes, drawing))),
        (2 | 3, _) => (TEXT, Value::Blob(bytes(drawing))),
        (4, _) => ("?1", Value::Blob(bytes(drawing))),
        (5, _) => ("?1", Value::Real(f64::from_bits(number(drawing).cast_unsigned()))),
        (6, _) => ("?1", Value::Integer(number(drawing))),
        _ => ("?1", Value::Null),
    }
}

fn with_a_byte_changed(mut bytes: Vec<u8>, drawing: &mut Drawing<'_>) -> Vec<u8> {
    let (at, change) = (number(drawing).unsigned_abs() as usize, drawing.byte());
    if !bytes.is_empty() {
        let length = bytes.len();
        bytes[at % length] ^= change;
    }
    bytes
}

fn bytes(drawing: &mut Drawing<'_>) -> Vec<u8> {
    (0..drawing.number(0..=40)).map(|_| drawing.byte()).collect()
}

/// A number whose size is the first byte, so that most are small.
fn number(drawing: &mut Drawing<'_>) -> i64 {
    let mut number = [0; 8];
    let size = usize::from(drawing.number(0..=8));
    number[..size].fill_with(|| drawing.byte());
    i64::from_le_bytes(number)
}
