//! The way from a path to a connection.

use crate::JournalError;
use arena_files::FileError;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{self, Path};

/// The endings of the files that SQLite keeps beside a database, and opens by their names.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

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
    Ok(Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?)
}
