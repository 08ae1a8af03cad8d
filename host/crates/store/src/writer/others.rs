//! Others who write the same journal: arenas are kept out by a lock, and what other programs do is noticed.

use crate::JournalError;
use crate::database::log;
use arena_platform::locks::WriteLock;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fs::TryLockError;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The time for which a writer that is closed waits for readers, which keep the log next to the file. Chosen: most readers take less than a
/// second, and people wait for the end of a run.
const CLOSE_WAIT: Duration = Duration::from_secs(3);

/// The time between two tries to take in the log. Chosen: short, and it costs nothing.
const CLOSE_TRY_EVERY: Duration = Duration::from_millis(10);

/// Locks the file for this writer. SQLite's own locks last for a transaction only, and would let two runs play the same
/// games at the same time.
pub(super) fn lock(path: &Path) -> Result<WriteLock, JournalError> {
    let mut lock = WriteLock::of(arena_files::open_or_create(path)?, path)?;
    match lock.take() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(JournalError::Busy),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// The number that SQLite changes for this connection when another one has changed the database.
pub(super) fn data_version(connection: &Connection) -> Result<i64, JournalError> {
    Ok(connection.pragma_query_value(None, "data_version", |row| row.get(0))?)
}

/// Begins to write, unless others have changed the journal: what is known of it would not be true any more. The lock keeps other arenas
/// away, and not other programs.
pub(super) fn begin(connection: &mut Connection, others: i64) -> Result<Transaction<'_>, JournalError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if data_version(&transaction)? == others { Ok(transaction) } else { Err(JournalError::Changed) }
}

/// Takes in the log of a journal that is closed. It stays if a reader does not end, or if the file cannot be written.
pub(super) fn take_in_log(connection: &Connection) {
    let begun = Instant::now();
    while let Ok(false) = log::take_in(connection)
        && begun.elapsed() < CLOSE_WAIT
    {
        thread::sleep(CLOSE_TRY_EVERY);
    }
}
