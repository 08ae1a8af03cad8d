//! The tables, indexes and triggers of a journal, which must be exactly those that its format has.
//!
//! With a schema of its own, a file can give answers that differ from its rows: by an index with other entries, by a view,
//! or by a computed column.

use super::{FORMAT, MIGRATIONS};
use crate::JournalError;
use arena_record::FormatVersion;
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A row of the table that SQLite keeps about its tables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    kind: String,
    name: String,
    table: String,
    sql: Option<String>,
}

/// Checks that a journal of this version has the tables, indexes and triggers of its format, and no others. A later minor
/// version may have more, so only impossible objects are refused in it.
///
/// # Errors
/// The first one that is missing, different, or unknown to the format.
pub(crate) fn check(connection: &Connection, version: FormatVersion) -> Result<(), JournalError> {
    let encoding: String = connection.pragma_query_value(None, "encoding", |row| row.get(0))?;
    if encoding != "UTF-8" {
        return Err(JournalError::damaged("the schema", "its texts are not in UTF-8"));
    }
    let found = objects(connection)?;
    let Some(expected) = expected(version) else {
        return found.iter().find(|object| !object.is_plain()).map_or(Ok(()), |object| {
            Err(JournalError::damaged(
                "the schema",
                format!("{} is neither a table nor an index", object.name),
            ))
        });
    };
    if found == *expected {
        return Ok(());
    }
    let names = |objects: &[Object]| {
        objects.iter().map(|object| (object.kind.clone(), object.name.clone())).collect::<BTreeSet<_>>()
    };
    let [there, wanted] = [&found, expected].map(|objects| names(objects));
    let wrong = |(kind, name): &(String, String), cause: &str| {
        Err(JournalError::damaged("the schema", format!("the {kind} {name} {cause}")))
    };
    if let Some(object) = there.difference(&wanted).next() {
        return wrong(object, "was added from outside");
    }
    if let Some(object) = wanted.difference(&there).next() {
        return wrong(object, "is missing");
    }
    let other = found.iter().find(|object| !expected.contains(object)).or(found.first());
    let object = other.map(|object| (object.kind.clone(), object.name.clone())).unwrap_or_default();
    wrong(&object, "is not as the arena makes it")
}

/// The objects of a database, in order.
fn objects(connection: &Connection) -> Result<Vec<Object>, JournalError> {
    // Even this table can have an index with other content, in a manipulated file.
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema NOT INDEXED";
    let mut statement = connection.prepare(sql)?;
    let object = |row: &rusqlite::Row<'_>| {
        Ok(Object { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql: row.get(3)? })
    };
    let mut objects = statement.query_map([], object)?.collect::<Result<Vec<_>, _>>()?;
    objects.sort();
    Ok(objects)
}

/// The objects of a journal of this version; `None` when it is a later one than this arena knows.
fn expected(version: FormatVersion) -> Option<&'static Vec<Object>> {
    static MADE: OnceLock<Vec<Vec<Object>>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let connection = Connection::open_in_memory().expect("memory is there");
        let made_by = |migration: &&str| {
            connection.execute_batch(migration).expect("the migrations are SQL");
            objects(&connection).expect("a schema can be read")
        };
        MIGRATIONS.iter().map(made_by).collect()
    });
    if version > FORMAT { None } else { made.get(version.minor as usize) }
}

impl Object {
    /// True for a table of rows, its indexes and its triggers.
    fn is_plain(&self) -> bool {
        let words = self.sql.as_deref().unwrap_or_default().to_ascii_uppercase();
        let is_virtual = words.split_whitespace().nth(1) == Some("VIRTUAL");
        matches!(self.kind.as_str(), "table" | "index" | "trigger") && !is_virtual
    }
}
