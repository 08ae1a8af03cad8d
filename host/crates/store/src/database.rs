//! The way from a path to a connection.

use crate::JournalError;
use arena_files::FileError;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{self, Path};

/// The endings of the files that SQLite keeps beside a database, and opens by their names.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// The longest value or row that is read or written, in bytes. Chosen: twice the longest transcript. Without a limit, a small
/// file whose pages refer to each other in a circle has values of a gigabyte.
const ROW_BYTES_MAX: i32 = 32 << 20;

/// Opens the database in a file. The path is always a file's: names to which SQLite gives a meaning, such as `:memory:` and
/// those that begin with `file:`, are files like any other.
///
/// # Errors
/// There is no file, or the path, or one of those beside it, names something else.
pub(crate) fn open(path: &Path, access: OpenFlags) -> Result<Connection, JournalError> {
    let present = |path: &Path| match arena_files::check(path) {
        Err(FileError::Io(error)) if error.kind() == ErrorKind::NotFound => Err(JournalError::Missing),
        found => Ok(found?),
    };
    present(path)?;
    for ending in BESIDE {
        let mut beside = OsString::from(path);
        beside.push(ending);
        match present(Path::new(&beside)) {
            Err(JournalError::Missing) | Ok(()) => {}
            Err(error) => return Err(error),
        }
    }
    // SQLite gives no meaning to a name that begins with a slash.
    let path = path::absolute(path)?;
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    distrust(&connection)?;
    Ok(connection)
}

/// Prepares a connection for a file that anybody may have written.
fn distrust(connection: &Connection) -> Result<(), JournalError> {
    // A view in the place of a table could have any number of rows.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, ROW_BYTES_MAX)?;
    Ok(connection.pragma_update(None, "cell_size_check", true)?)
}
