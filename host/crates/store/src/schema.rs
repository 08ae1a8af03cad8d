//! The tables and their versions.

mod objects;

pub(crate) use objects::check;

use crate::JournalError;
use arena_record::FormatVersion;
use rusqlite::{Connection, Transaction, TransactionBehavior};

/// The mark that distinguishes a journal from other databases: `ARNA`.
const APPLICATION_ID: i64 = 0x4152_4e41;

const MAJOR: u32 = 1;

/// The minor versions of the major one, each as the SQL that upgrades the one before. It may add tables and columns. A
/// reader names the columns that it reads, so that it can ignore later ones, and must work without those of minor
/// versions after the journal's.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("schema/1.0.sql"),
    include_str!("schema/1.1.sql"),
    include_str!("schema/1.2.sql"),
    include_str!("schema/1.3.sql"),
    include_str!("schema/1.4.sql"),
    include_str!("schema/1.5.sql"),
    include_str!("schema/1.6.sql"),
    include_str!("schema/1.7.sql"),
    include_str!("schema/1.8.sql"),
    include_str!("schema/1.9.sql"),
];

/// The version of the journals' format that this arena writes.
pub const FORMAT: FormatVersion = FormatVersion { major: MAJOR, minor: MIGRATIONS.len() as u32 - 1 };

/// The number of minor versions that a major one can have: SQLite keeps one number for both.
const MINORS: u32 = 1_000;

/// The version of a journal; `None` for a database with nothing in it, because the file is new or a run was stopped before
/// it began.
pub(crate) fn recognise(connection: &Connection) -> Result<Option<FormatVersion>, JournalError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (id, version) = (pragma("application_id")?, pragma("user_version")?);
    if id == APPLICATION_ID {
        let version = u32::try_from(version).map_err(|error| JournalError::damaged("the version", error))?;
        let version = FormatVersion { major: version / MINORS, minor: version % MINORS };
        version.check(FORMAT)?;
        return Ok(Some(version));
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id == 0 && version == 0 && tables == 0 { Ok(None) } else { Err(JournalError::Foreign) }
}

/// The number that SQLite keeps for a version.
pub(crate) const fn user_version(version: FormatVersion) -> u32 {
    version.major * MINORS + version.minor
}

/// Brings a journal to the latest of some minor versions, in one transaction. If it is not of that version already, `fill`
/// completes it in the same transaction; its value is returned then.
pub(crate) fn migrate<T>(
    migrations: &[&str],
    connection: &mut Connection,
    from: Option<FormatVersion>,
    fill: impl FnOnce(&Transaction<'_>) -> Result<T, JournalError>,
) -> Result<Option<T>, JournalError> {
    let done = from.map_or(0, |version| version.minor as usize + 1);
    if done >= migrations.len() {
        return Ok(None);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (minor, migration) in (0..).zip(migrations).skip(done) {
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(
            None,
            "user_version",
            user_version(FormatVersion { major: MAJOR, minor }),
        )?;
    }
    let filled = fill(&transaction)?;
    transaction.commit()?;
    Ok(Some(filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [&str; 2] =
        ["CREATE TABLE a (x); INSERT INTO a VALUES (1)", "CREATE TABLE b (x); INSERT INTO b SELECT x FROM a"];

    fn open() -> Connection {
        Connection::open_in_memory().expect("memory is there")
    }

    /// A journal of the first of these minor versions.
    fn journal(steps: &[&str]) -> Connection {
        let mut connection = open();
        migrate(&steps[..1], &mut connection, None, |_| Ok(())).unwrap();
        connection
    }

    fn count(connection: &Connection, table: &str) -> i64 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    fn version(connection: &Connection) -> i64 {
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    }

    fn set_version(connection: &Connection, version: i64) {
        connection.pragma_update(None, "user_version", version).unwrap();
    }

    #[test]
    fn a_new_journal_has_the_latest_version() {
        let mut connection = open();
        assert_eq!(recognise(&connection).unwrap(), None);
        migrate(MIGRATIONS, &mut connection, None, |_| Ok(())).unwrap();
        assert_eq!(recognise(&connection).unwrap(), Some(FORMAT));
        assert_eq!(version(&connection), i64::from(FORMAT.major * 1_000 + FORMAT.minor));
    }

    #[test]
    fn an_older_minor_version_keeps_its_content_and_gets_what_is_new() {
        let mut connection = journal(&STEPS);
        let from = recognise(&connection).unwrap();
        migrate(&STEPS, &mut connection, from, |_| Ok(())).unwrap();
        assert_eq!((count(&connection, "a"), count(&connection, "b"), version(&connection)), (1, 1, 1_001));
    }

    #[test]
    fn a_migration_that_fails_leaves_everything_as_it_was() {
        let steps = [STEPS[0], "DROP TABLE a; this is not SQL"];
        let mut connection = journal(&steps);
        let from = recognise(&connection).unwrap();
        assert!(migrate(&steps, &mut connection, from, |_| Ok(())).is_err());
        assert_eq!((count(&connection, "a"), version(&connection)), (1, 1_000));

        let mut connection = open();
        let unfilled = |_: &Transaction<'_>| Err::<(), _>(JournalError::Full);
        assert!(migrate(&STEPS, &mut connection, None, unfilled).is_err());
        assert_eq!(recognise(&connection).unwrap(), None);
    }

    #[test]
    fn any_minor_version_of_the_major_one_is_recognised_and_no_other_major_version() {
        let connection = journal(MIGRATIONS);
        for minor in [0, 1, 999] {
            set_version(&connection, 1_000 + i64::from(minor));
            assert_eq!(recognise(&connection).unwrap(), Some(FormatVersion { major: 1, minor }));
        }
        for (found, words) in [
            (1, "the format is 0.1; this arena reads 1.x"),
            (2_000, "use the arena that wrote it, or a later one"),
        ] {
            set_version(&connection, found);
            match recognise(&connection) {
                Err(error @ JournalError::Version(_)) => {
                    assert!(error.to_string().contains(words), "{error}")
                }
                other => panic!("{other:?}"),
            }
        }
        set_version(&connection, -1);
        assert!(matches!(recognise(&connection), Err(JournalError::Damaged { .. })));
    }

    #[test]
    fn another_database_is_foreign() {
        let connection = open();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        assert!(matches!(recognise(&connection), Err(JournalError::Foreign)));
    }

    #[test]
    fn recorded_rows_cannot_be_changed_or_removed() {
        let mut connection = open();
        migrate(MIGRATIONS, &mut connection, None, |_| Ok(())).unwrap();
        for table in [
            "conditions",
            "bot",
            "settings",
            "stage",
            "entrant",
            "game",
            "transcript",
            "dictionary",
            "told_seed",
            "link",
            "draw",
            "moment",
            "trail",
            "code",
            "clock",
        ] {
            for kind in ["update", "delete"] {
                // A trigger for rows needs a row to fire on, so the test looks for the triggers themselves.
                let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name = ?1";
                let name = format!("{table}_no_{kind}");
                let found: i64 = connection.query_row(sql, [&name], |row| row.get(0)).unwrap();
                assert_eq!(found, 1, "{name}");
            }
        }
        connection.execute("INSERT INTO settings (settings) VALUES ('{}')", []).unwrap();
        assert!(connection.execute("DELETE FROM settings", []).is_err());
        assert!(connection.execute("UPDATE settings SET settings = ''", []).is_err());
    }
}
