//! Why a journal cannot be used, and what a user can do about it.

use crate::Difference;
use std::io;

/// Why a journal cannot be read or written. A journal that is refused is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is no such file, where one was to be read.
    #[error("there is no such journal")]
    Missing,
    /// The file is something else.
    #[error("is no journal of the arena")]
    Foreign,
    /// It was made by a later arena.
    #[error("is a journal of version {found}; this arena reads up to version {known}")]
    Newer {
        /// Its version.
        found: i64,
        /// The latest version known here.
        known: i64,
    },
    /// It is a journal of another tournament.
    #[error("is the journal of another tournament: {0}")]
    Other(Difference),
    /// Another process writes it.
    #[error("another arena is writing this journal")]
    Busy,
    /// The game is there with another result, which cannot be, since games are functions of their conditions.
    #[error("game {number} is in the journal with another result")]
    Conflict {
        /// Its number in the journal.
        number: u64,
    },
    /// What is in it makes no sense.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// It cannot be read or written.
    #[error("cannot be used: {0}")]
    Io(#[from] io::Error),
    /// SQLite failed otherwise.
    #[error("cannot be used: {0}")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.to_string()),
            _ => Self::Sqlite(error),
        }
    }
}
