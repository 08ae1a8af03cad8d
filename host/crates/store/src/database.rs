//! The way from a path to a connection.

pub(crate) mod log;
mod recovery;

use crate::JournalError;
use arena_files::FileError;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The endings of the files that SQLite keeps next to a database, and opens by their names.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// The longest value or row that is read or written, in bytes. Chosen: twice the longest transcript. Without a limit, a small
/// file whose pages refer to each other in a circle has values of a gigabyte.
const ROW_BYTES_MAX: i32 = 256 << 20;

/// The time a reader waits while a writer is just finishing. Chosen: its transactions take less than a millisecond.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// The steps of SQLite's machine that a reader may take, besides those for the size of the file. Chosen: they take a second or
/// two, and a game takes some forty, so they are enough for a million games even without the others.
const STEPS_MIN: u64 = 50_000_000;

/// The steps that a reader may take for each byte of the file. Chosen: a game has some three thousand bytes, so all games can
/// be read thousands of times. Without a limit, the pages of a small file can refer to each other so that it has more rows
/// than can be read.
const STEPS_PER_BYTE: u64 = 64;

/// The number of steps between two looks at their number. Chosen: it costs nothing that can be measured.
const STEPS_AT_A_TIME: u32 = 1_000;

/// Opens the database in a file. The path is always a file's: names with a special meaning in SQLite, such as `:memory:`
/// and those that begin with `file:`, are files like any other.
///
/// # Errors
/// There is no file, or the path, or one of those next to it, names something else.
pub(crate) fn open(path: &Path, access: OpenFlags) -> Result<Connection, JournalError> {
    let present = |path: &Path| match arena_files::check(path) {
        Err(FileError::Io(error)) if error.kind() == ErrorKind::NotFound => Err(JournalError::Missing),
        found => Ok(found?),
    };
    present(path)?;
    // SQLite looks for the files next to the one that a link leads to. A name that begins with a slash has no special meaning
    // for it.
    let path = dunce::canonicalize(path)?;
    for ending in BESIDE {
        match present(&with_ending(&path, ending)) {
            Err(JournalError::Missing) | Ok(()) => {}
            Err(error) => return Err(error),
        }
    }
    connect(&path, access)
}

/// Connects to the database with this name.
fn connect(name: &Path, access: OpenFlags) -> Result<Connection, JournalError> {
    let connection = Connection::open_with_flags(name, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    distrust(&connection)?;
    Ok(connection)
}

/// The file with this ending next to a file.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// A database that was opened for reading.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    /// True if its write-ahead log is missing, so that it may lack rows.
    pub(crate) lacks_log: bool,
}

/// Opens the database in a file for reading. One that a killed process has left in the middle of a transaction is recovered
/// first.
///
/// # Errors
/// As of [`open`], or it needs to be recovered and cannot be written.
pub(crate) fn open_to_read(path: &Path) -> Result<Opened, JournalError> {
    if log::is_missing(path) {
        let mut connection = log::open_without(path)?;
        limit_steps(&mut connection, fs::metadata(path)?.len())?;
        return Ok(Opened { connection, lacks_log: true });
    }
    let mut connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(BUSY_WAIT)?;
    if recovery::is_needed(&connection) {
        drop(connection);
        recovery::recover(path)?;
        connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.busy_timeout(BUSY_WAIT)?;
    }
    limit_steps(&mut connection, fs::metadata(path)?.len())?;
    Ok(Opened { connection, lacks_log: false })
}

/// Prepares a connection for an untrusted file.
fn distrust(connection: &Connection) -> Result<(), JournalError> {
    // A view in place of a table could have any number of rows.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, ROW_BYTES_MAX)?;
    Ok(connection.pragma_update(None, "cell_size_check", true)?)
}

/// Makes statements fail that take more steps than a file of this size can need.
fn limit_steps(connection: &mut Connection, size_bytes: u64) -> Result<(), JournalError> {
    let steps = STEPS_MIN.saturating_add(size_bytes.saturating_mul(STEPS_PER_BYTE));
    let mut looks_left = steps / u64::from(STEPS_AT_A_TIME);
    let is_over = move || {
        looks_left = looks_left.saturating_sub(1);
        looks_left == 0
    };
    Ok(connection.progress_handler(STEPS_AT_A_TIME.cast_signed(), Some(is_over))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_even_if_there_are_rows_without_end() {
        let mut connection = Connection::open_in_memory().unwrap();
        limit_steps(&mut connection, 45_056).unwrap();
        let sql = "WITH RECURSIVE game(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM game) \
                   SELECT max(number) FROM game";
        let error = connection.query_row(sql, [], |row| row.get::<_, u64>(0)).unwrap_err();
        let error = JournalError::from(error);
        assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
        assert!(error.to_string().ends_with("it has more rows than it has room for"), "{error}");
    }
}
