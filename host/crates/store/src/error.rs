//! The reasons why a journal cannot be used.

use crate::{Difference, Part};
use arena_files::{FileError, FileKind};
use arena_record::{FormatError, Problem};
use std::error::Error;
use std::fs::File;
use std::io::{self, ErrorKind};

/// The problem behind an error.
pub(crate) type Cause = Box<dyn Error + Send + Sync>;

/// The reason why a journal cannot be read or written. A journal that is refused is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is no file to read.
    #[error("there is no such journal")]
    Missing,
    /// The path names something else than a file.
    #[error("it is {0}, not a journal")]
    NotAFile(FileKind),
    /// The file has nothing in it, because all of it is in its write-ahead log, which is not next to it.
    #[error(
        "it was written in WAL mode, and the file with -wal after its name, which has its games, is not next to it"
    )]
    NoLog,
    /// The file is something else.
    #[error("the file is not a journal of the arena")]
    Foreign,
    /// The journal has another version of the format.
    #[error(transparent)]
    Version(#[from] FormatError),
    /// It is the journal of another tournament.
    #[error("it is the journal of another tournament: {0}")]
    Other(#[source] Difference),
    /// The game is a component, and not the one that the journal has.
    #[error("the game's file has changed since game {games} of the journal")]
    OtherGame {
        /// The number of games in the journal.
        games: usize,
    },
    /// Another process writes it.
    #[error("another arena is writing this journal")]
    Busy,
    /// Another program has changed it while this one wrote it.
    #[error("another program has changed the journal while the arena was writing it")]
    Changed,
    /// The game, seed or stage to add does not fit the journal's tournament: a failure of the caller.
    #[error("the game, seed or stage is not one that the journal's tournament can have")]
    DoesNotFit,
    /// The game is in the journal with another result. This is impossible, because games are functions of their
    /// conditions.
    #[error("game {number} is in the journal with another result")]
    Conflict {
        /// The number in the journal.
        number: u64,
    },
    /// The content makes no sense.
    #[error("the journal is damaged: {place}: {}", Problem::from(.cause.to_string()))]
    Damaged {
        /// The part that is damaged.
        place: Part,
        /// The problem with it.
        #[source]
        cause: Cause,
    },
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file cannot be read or written.
    #[error("the journal cannot be read or written: {}", arena_files::reason(.0))]
    Io(#[source] io::Error),
}

impl JournalError {
    /// A journal whose content makes no sense.
    pub fn damaged(place: impl Into<Part>, cause: impl Into<Cause>) -> Self {
        Self::Damaged { place: place.into(), cause: cause.into() }
    }

    /// True if the machine or the arena failed; false if another file, or other arguments, would work.
    pub fn is_of_the_machine(&self) -> bool {
        match self {
            Self::Full | Self::DoesNotFit => true,
            // A path into a folder that does not exist is a wrong argument.
            Self::Io(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
            _ => false,
        }
    }
}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::IsADirectory => Self::NotAFile(FileKind::Folder),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Io(error),
        }
    }
}

impl From<FileError> for JournalError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::NotAFile(kind) => Self::NotAFile(kind),
            other => io::Error::from(other).into(),
        }
    }
}

/// The error of the system if no file at all can be opened, because a limit on them is reached. SQLite does not pass on why it cannot
/// open a file.
fn no_file_opens() -> Option<io::Error> {
    File::open("/").err()
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, FileLockingProtocolFailed, NotADatabase,
            OperationInterrupted, OutOfMemory, PermissionDenied, ReadOnly, SystemIoFailure,
        };
        use rusqlite::ffi;
        let io = |error| Self::Io(io::Error::other(error));
        // The only reading failure that is caused by the file: its last page is incomplete.
        if error.sqlite_extended_error_code() == Some(ffi::SQLITE_IOERR_SHORT_READ) {
            return Self::damaged("the database", "it is cut off");
        }
        match error.sqlite_error_code() {
            Some(NotADatabase) => Self::Foreign,
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy,
            Some(DiskFull) => Self::Full,
            Some(CannotOpen) => Self::Io(no_file_opens().unwrap_or_else(|| io::Error::other(error))),
            Some(ReadOnly | PermissionDenied | SystemIoFailure) => io(error),
            Some(FileLockingProtocolFailed | OutOfMemory) => io(error),
            Some(OperationInterrupted) => {
                Self::damaged("the database", "it has more rows than it has room for")
            }
            // The arena's statements are fixed: if one fails differently, or finds other types, the tables are not the
            // journal's.
            _ => Self::damaged("the database", error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi;

    #[track_caller]
    fn of_sqlite(code: std::ffi::c_int) -> JournalError {
        rusqlite::Error::SqliteFailure(ffi::Error::new(code), None).into()
    }

    #[test]
    fn a_disk_that_is_full_or_cannot_be_written_is_a_failure_of_the_machine() {
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_READONLY, ffi::SQLITE_CANTOPEN, ffi::SQLITE_IOERR_WRITE] {
            assert!(of_sqlite(code).is_of_the_machine(), "{code}");
        }
        for kind in [ErrorKind::StorageFull, ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem] {
            assert!(JournalError::from(io::Error::from(kind)).is_of_the_machine(), "{kind}");
        }
        assert!(matches!(of_sqlite(ffi::SQLITE_FULL), JournalError::Full));
        assert!(matches!(JournalError::from(io::Error::from(ErrorKind::StorageFull)), JournalError::Full));
    }

    #[test]
    fn a_wrong_file_is_not_a_failure_of_the_machine() {
        for code in [
            ffi::SQLITE_NOTADB,
            ffi::SQLITE_BUSY,
            ffi::SQLITE_CORRUPT,
            ffi::SQLITE_CONSTRAINT,
            ffi::SQLITE_IOERR_SHORT_READ,
            ffi::SQLITE_INTERRUPT,
        ] {
            assert!(!of_sqlite(code).is_of_the_machine(), "{code}");
        }
        for kind in [ErrorKind::NotFound, ErrorKind::NotADirectory, ErrorKind::IsADirectory] {
            assert!(!JournalError::from(io::Error::from(kind)).is_of_the_machine(), "{kind}");
        }
    }

    #[test]
    fn the_cause_of_an_error_is_its_source() {
        let error = of_sqlite(ffi::SQLITE_IOERR_WRITE);
        let io = error.source().and_then(|cause| cause.downcast_ref::<io::Error>()).expect("an error of I/O");
        assert!(io.get_ref().is_some_and(|cause| cause.is::<rusqlite::Error>()));
        let error = JournalError::damaged("the seed", arena_record::SeedError);
        assert!(error.source().is_some_and(|cause| cause.is::<arena_record::SeedError>()));
    }
}
