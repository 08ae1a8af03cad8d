//! Recovery of a database that a killed process has left in the middle of a transaction.
//!
//! A writer that closes a journal makes it one file again: it merges the write-ahead log, and then notes in the first page
//! that the log is gone, in a transaction with a rollback journal. A process that is killed in the middle of that leaves the
//! rollback journal. SQLite puts the old page back when the file is opened for writing, and refuses to read it before.

use crate::JournalError;
use rusqlite::{Connection, OpenFlags, ffi};
use std::io::{self, ErrorKind};
use std::path::Path;

/// True if a connection that only reads cannot read before another one has recovered the database.
pub(super) fn is_needed(connection: &Connection) -> bool {
    // Any question shows it.
    let version = connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0));
    let code = version.err().and_then(|error| Some(error.sqlite_error()?.extended_code));
    matches!(
        code,
        Some(
            ffi::SQLITE_READONLY_ROLLBACK
                | ffi::SQLITE_READONLY_RECOVERY
                | ffi::SQLITE_READONLY_CANTINIT
                | ffi::SQLITE_CANTOPEN
        )
    )
}

/// Recovers a database by opening it for writing, and reading it.
///
/// # Errors
/// It cannot be written.
pub(super) fn recover(path: &Path) -> Result<(), JournalError> {
    let connection = super::open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(super::BUSY_WAIT)?;
    let recovered = connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0));
    // A log that is taken in when the connection is closed is not missing. If another process reads the file, the log stays.
    let _ = super::log::take_in(&connection);
    recovered.map(drop).map_err(|error| match JournalError::from(error) {
        JournalError::Io(cause) => JournalError::Io(io::Error::new(
            ErrorKind::PermissionDenied,
            format!(
                "it has changes of a run that was killed, or that goes on, and it cannot be written to take them in or \
                 back ({cause}); copy it, and the files that begin with its name, to a folder that you can write"
            ),
        )),
        other => other,
    })
}
