//! The tables, and how a journal of an earlier version becomes one of this.

use crate::JournalError;
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// What tells a journal from other databases: `ARNA`.
pub(crate) const APPLICATION_ID: i64 = 0x4152_4e41;

/// The schema's versions, each as what makes it of the one before. A journal's version is how many of them it has had.
const MIGRATIONS: &[&str] = &[include_str!("schema/1.sql")];

/// The version that this arena writes.
pub(crate) const VERSION: i64 = MIGRATIONS.len() as i64;

/// What a database is, before anything is done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It has nothing in it: a run was stopped before its first moment, or the file is new.
    Empty,
    /// It is a journal of this version or an earlier one.
    Journal(i64),
}

/// Tells what a database is.
pub(crate) fn recognise(connection: &Connection) -> Result<Kind, JournalError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (id, version) = (pragma("application_id")?, pragma("user_version")?);
    if id == APPLICATION_ID {
        if version > VERSION {
            return Err(JournalError::Newer { found: version, known: VERSION });
        }
        return Ok(Kind::Journal(version));
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id == 0 && version == 0 && tables == 0 { Ok(Kind::Empty) } else { Err(JournalError::Foreign) }
}

/// Brings a journal to the latest version, in whole or not at all, and lets `then` add to it in the same transaction.
pub(crate) fn migrate(
    connection: &mut Connection,
    from: i64,
    then: impl FnOnce(&Transaction<'_>) -> Result<(), JournalError>,
) -> Result<(), JournalError> {
    migrate_by(MIGRATIONS, connection, from, then)
}

fn migrate_by(
    migrations: &[&str],
    connection: &mut Connection,
    from: i64,
    then: impl FnOnce(&Transaction<'_>) -> Result<(), JournalError>,
) -> Result<(), JournalError> {
    let done = usize::try_from(from).map_err(|_| JournalError::Damaged(format!("its version is {from}")))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in &migrations[done.min(migrations.len())..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", migrations.len() as i64)?;
    then(&transaction)?;
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> Connection {
        Connection::open_in_memory().expect("memory is there")
    }

    fn count(connection: &Connection, table: &str) -> i64 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_new_journal_has_the_latest_version() {
        let mut connection = open();
        assert_eq!(recognise(&connection).unwrap(), Kind::Empty);
        migrate(&mut connection, 0, |_| Ok(())).unwrap();
        assert_eq!(recognise(&connection).unwrap(), Kind::Journal(VERSION));
    }

    #[test]
    fn an_earlier_version_keeps_what_it_has_and_gets_what_is_new() {
        let steps = [
            "CREATE TABLE a (x); INSERT INTO a VALUES (1)",
            "CREATE TABLE b (x); INSERT INTO b SELECT x FROM a",
        ];
        let mut connection = open();
        migrate_by(&steps[..1], &mut connection, 0, |_| Ok(())).unwrap();
        migrate_by(&steps, &mut connection, 1, |_| Ok(())).unwrap();
        assert_eq!((count(&connection, "a"), count(&connection, "b")), (1, 1));
    }

    #[test]
    fn a_migration_that_fails_leaves_everything_as_it_was() {
        let steps = ["CREATE TABLE a (x)", "DROP TABLE a; this is no SQL"];
        let mut connection = open();
        migrate_by(&steps[..1], &mut connection, 0, |_| Ok(())).unwrap();
        assert!(migrate_by(&steps, &mut connection, 1, |_| Ok(())).is_err());
        assert_eq!(count(&connection, "a"), 0);
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(version, 1);
    }

    #[test]
    fn a_later_version_and_a_foreign_database_are_refused() {
        let mut connection = open();
        migrate(&mut connection, 0, |_| Ok(())).unwrap();
        connection.pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(matches!(recognise(&connection), Err(JournalError::Newer { .. })));
        let connection = open();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        assert!(matches!(recognise(&connection), Err(JournalError::Foreign)));
    }

    #[test]
    fn what_is_recorded_cannot_be_changed_or_removed() {
        let mut connection = open();
        migrate(&mut connection, 0, |_| Ok(())).unwrap();
        for table in ["conditions", "contestant", "course", "game", "transcript", "dictionary"] {
            for change in [format!("DELETE FROM {table}"), format!("UPDATE {table} SET rowid = rowid")] {
                // A trigger for rows needs a row to fire on, so the triggers themselves are looked for.
                let kind = if change.starts_with("DELETE") { "delete" } else { "update" };
                let found: i64 = connection
                    .query_row(
                        "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name = ?1",
                        [format!("{table}_no_{kind}")],
                        |row| row.get(0),
                    )
                    .unwrap();
                assert_eq!(found, 1, "{change}");
            }
        }
        connection.execute("INSERT INTO course (course) VALUES ('{}')", []).unwrap();
        assert!(connection.execute("DELETE FROM course", []).is_err());
        assert!(connection.execute("UPDATE course SET course = ''", []).is_err());
    }
}
