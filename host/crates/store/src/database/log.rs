//! A database without its write-ahead log: a copy of the file alone, while a run wrote it or after the run was killed.
//!
//! The header of such a file says that it has a log. A run that ends takes the log in and changes the header, and as long as it writes,
//! the log is there and not empty.

use super::{connect, with_ending};
use crate::JournalError;
use arena_platform::locks::WriteLock;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The places in the header, and the value in them, of a database that is written and read with a write-ahead log. See
/// <https://www.sqlite.org/fileformat2.html#the_database_header>.
const VERSIONS: std::ops::Range<usize> = 18..20;
const WITH_LOG: [u8; 2] = [2, 2];

/// True if the file at this path was written with a write-ahead log that is not next to it, or is empty.
pub(super) fn is_missing(path: &Path) -> bool {
    let Ok(path) = dunce::canonicalize(path) else { return false };
    // A rollback journal is there if a run was killed when it had taken in the log.
    let is_there = || {
        let has_rows = |ending| fs::metadata(with_ending(&path, ending)).is_ok_and(|file| file.len() > 0);
        has_rows("-wal") || has_rows("-journal")
    };
    // First: to close a file ends the locks of this process on it, which has some only if there is a log. And afterwards, because a run
    // may have opened it in between.
    !is_there() && says_so(&path) && !is_there()
}

/// True if the header says that the file has a write-ahead log, and no writer has the file open: one that has just made it has no log yet.
fn says_so(path: &Path) -> bool {
    // What cannot be opened is opened again, for an error.
    let Ok(mut file) = arena_files::open(path) else { return false };
    let mut header = [0; VERSIONS.end];
    let is_with_log = file.read_exact(&mut header).is_ok()
        && header.starts_with(b"SQLite format 3\0")
        && header[VERSIONS] == WITH_LOG;
    is_with_log && !WriteLock::of(file, path).is_ok_and(|lock| lock.is_taken())
}

/// Takes in the log, so that the database is one file again. Returns false if another connection is in the way.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn take_in(connection: &Connection) -> Result<bool, JournalError> {
    let mode = connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0));
    match mode {
        Ok::<String, _>(mode) => Ok(mode == "delete"),
        Err(error) => match JournalError::from(error) {
            JournalError::Busy => Ok(false),
            error => Err(error),
        },
    }
}

/// Opens a database without its log for reading, as it is. Opened in the usual way, SQLite would make an empty log next to it, and leave
/// it there.
pub(super) fn open_without(path: &Path) -> Result<Connection, JournalError> {
    let mut name = String::from("file:");
    for byte in dunce::canonicalize(path)?.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => name.push((*byte).into()),
            byte => name += &format!("%{byte:02x}"),
        }
    }
    name += "?immutable=1";
    connect(&PathBuf::from(name), OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
}
