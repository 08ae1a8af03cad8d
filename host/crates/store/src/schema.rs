//! The tables, and the version of the format.
//!
//! A reader takes exactly the tables that this program makes. With a schema of its own, a file could give answers that differ from its
//! rows: by an index with other entries, by a view, or by a computed column.

use crate::JournalError;
use arena_record::FormatVersion;
use rusqlite::{Connection, Row};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The mark that distinguishes a journal from other databases: `ARNA`.
const APPLICATION_ID: i64 = 0x4152_4e41;

/// The version of the journals' format.
pub const FORMAT: FormatVersion = FormatVersion { major: 1, minor: 0 };

/// The tables, indexes and triggers of the format.
const SCHEMA: &str = include_str!("schema.sql");

/// The number of minor versions that a major one can have: SQLite keeps one number for both.
const MINORS: u32 = 1_000;

/// The number that SQLite keeps for the version.
pub(crate) const USER_VERSION: u32 = FORMAT.major * MINORS + FORMAT.minor;

/// True for a journal; false for a database with nothing in it, because the file is new or a run was stopped before it began.
///
/// # Errors
/// It is a journal of another version, or something else.
pub(crate) fn is_begun(connection: &Connection) -> Result<bool, JournalError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (id, version) = (pragma("application_id")?, pragma("user_version")?);
    if id == APPLICATION_ID {
        let version = u32::try_from(version).map_err(|error| JournalError::damaged("the version", error))?;
        FormatVersion { major: version / MINORS, minor: version % MINORS }.check(FORMAT)?;
        return Ok(true);
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id == 0 && version == 0 && tables == 0 { Ok(false) } else { Err(JournalError::Foreign) }
}

/// Makes the tables of a journal.
pub(crate) fn make(connection: &Connection) -> Result<(), JournalError> {
    connection.execute_batch(SCHEMA)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    Ok(connection.pragma_update(None, "user_version", USER_VERSION)?)
}

/// A row of the table that SQLite keeps about its tables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    kind: String,
    name: String,
    table: String,
    sql: Option<String>,
}

/// Checks that a journal has the tables, indexes and triggers of the format, and no others.
///
/// # Errors
/// The first one that is missing, different, or unknown to the format.
pub(crate) fn check(connection: &Connection) -> Result<(), JournalError> {
    let encoding: String = connection.pragma_query_value(None, "encoding", |row| row.get(0))?;
    if encoding != "UTF-8" {
        return Err(JournalError::damaged("the schema", "its texts are not in UTF-8"));
    }
    let (found, expected) = (objects(connection)?, expected());
    if found == *expected {
        return Ok(());
    }
    let names = |objects: &[Object]| {
        objects.iter().map(|object| (object.kind.clone(), object.name.clone())).collect::<BTreeSet<_>>()
    };
    let [there, wanted] = [&found, expected].map(|objects| names(objects));
    let wrong = |(kind, name): &(String, String), cause: &str| {
        let cause =
            format!("the {kind} {name} {cause}; another version of the arena wrote it, or it was changed");
        Err(JournalError::damaged("the schema", cause))
    };
    if let Some(object) = there.difference(&wanted).next() {
        return wrong(object, "is not one of the format");
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
    let object = |row: &Row<'_>| {
        Ok(Object { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql: row.get(3)? })
    };
    let mut objects = statement.query_map([], object)?.collect::<Result<Vec<_>, _>>()?;
    objects.sort();
    Ok(objects)
}

/// The objects of the format.
fn expected() -> &'static Vec<Object> {
    static MADE: OnceLock<Vec<Object>> = OnceLock::new();
    MADE.get_or_init(|| {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection.execute_batch(SCHEMA).expect("the schema is SQL");
        objects(&connection).expect("a schema can be read")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> Connection {
        Connection::open_in_memory().expect("memory is there")
    }

    fn journal() -> Connection {
        let connection = open();
        make(&connection).unwrap();
        connection
    }

    #[test]
    fn a_database_is_a_journal_once_it_has_the_tables() {
        assert!(!is_begun(&open()).unwrap());
        assert!(is_begun(&journal()).unwrap());
        check(&journal()).unwrap();
    }

    #[test]
    fn another_version_is_refused() {
        let connection = journal();
        for (version, found) in [(1, "0.1"), (1_001, "1.1"), (1_009, "1.9"), (2_000, "2.0")] {
            connection.pragma_update(None, "user_version", version).unwrap();
            let error = is_begun(&connection).unwrap_err();
            assert!(matches!(error, JournalError::Version(_)), "{error}");
            let words = format!("the format is {found}, and this arena reads 1.0 only");
            assert!(error.to_string().starts_with(&words), "{error}");
        }
        connection.pragma_update(None, "user_version", -1).unwrap();
        assert!(matches!(is_begun(&connection), Err(JournalError::Damaged { .. })));
    }

    #[test]
    fn another_database_is_foreign() {
        let connection = open();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        assert!(matches!(is_begun(&connection), Err(JournalError::Foreign)));
    }

    #[test]
    fn recorded_rows_cannot_be_changed_or_removed() {
        let connection = journal();
        let tables = expected().iter().filter(|object| object.kind == "table");
        let tables: Vec<&str> = tables.map(|object| object.name.as_str()).collect();
        assert_eq!(tables.len(), 11);
        for table in tables {
            for kind in ["update", "delete"] {
                // A trigger for rows needs a row to fire on, so the test looks for the triggers themselves.
                let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name = ?1";
                let name = format!("{table}_no_{kind}");
                let found: i64 = connection.query_row(sql, [&name], |row| row.get(0)).unwrap();
                assert_eq!(found, 1, "{name}");
            }
        }
        connection.execute("INSERT INTO stage (settings) VALUES ('{}')", []).unwrap();
        assert!(connection.execute("DELETE FROM stage", []).is_err());
        assert!(connection.execute("UPDATE stage SET settings = ''", []).is_err());
    }
}
