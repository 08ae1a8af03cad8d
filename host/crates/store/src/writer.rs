//! Writing a journal: one process at a time, one game at a time.

use crate::conditions::Conditions;
use crate::packing::Packer;
use crate::schema::{self, Kind};
use crate::{GameKey, JournalError, StoredGame, reader};
use arena_record::{GameResult, Transcript};
use arena_rules::{Outcome, Seat};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;

/// How long a write waits for a reader. Chosen: in write-ahead mode none holds it up, but for the moment of a checkpoint.
const BUSY_WAIT: Duration = Duration::from_secs(30);

/// A journal that is being written. What [`Writer::append`] has returned for is kept, whatever becomes of the process; a
/// power cut may cost the last seconds, and never what was before.
pub struct Writer {
    // Closed before the lock is given back.
    connection: Connection,
    packer: Option<Packer>,
    conditions: Conditions,
    _lock: File,
}

impl Writer {
    /// Opens a journal to go on with it under these conditions, or makes one where there is none.
    ///
    /// # Errors
    /// Why it cannot be gone on with; the file is left as it is.
    pub fn open(path: &Path, now: &Conditions) -> Result<Self, JournalError> {
        let lock = lock(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_WAIT)?;
        let conditions = match schema::recognise(&connection)? {
            Kind::Empty => {
                set_up(&connection)?;
                schema::migrate(&mut connection, 0, |transaction| write_conditions(transaction, now))?;
                now.clone()
            }
            Kind::Journal(version) => {
                if version < schema::VERSION {
                    schema::migrate(&mut connection, version, |_| Ok(()))?;
                }
                let there = reader::conditions(&connection)?;
                if let Some(difference) = there.difference(now) {
                    return Err(JournalError::Other(difference));
                }
                set_up(&connection)?;
                there
            }
        };
        let packer = reader::dictionary(&connection)?.map(|bytes| Packer::new(&bytes)).transpose()?;
        Ok(Self { connection, packer, conditions, _lock: lock })
    }

    /// Notes how a tournament is held whose games are played from here on, unless the latest one was held the same way.
    ///
    /// # Errors
    /// A journal that cannot be written.
    pub fn begin(&mut self, course: &str) -> Result<(), JournalError> {
        let sql = "INSERT INTO course (course) SELECT ?1 WHERE ?1 IS NOT \
                   (SELECT course FROM course ORDER BY id DESC LIMIT 1)";
        self.connection.execute(sql, [course])?;
        Ok(())
    }

    /// All games that are there.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn games(&self) -> Result<Vec<StoredGame>, JournalError> {
        reader::games(&self.connection)
    }

    /// Adds a game and gives its number in the journal. One that is there already with the same result is not added.
    ///
    /// # Errors
    /// A game that is there with another result or was played under other conditions, or a journal that cannot be
    /// written. Then nothing is added.
    pub fn append(
        &mut self,
        key: GameKey,
        result: &GameResult,
        transcript: &Transcript,
    ) -> Result<u64, JournalError> {
        if !self.conditions.are_of(&transcript.header, key.seats) || transcript.header.game != key.game {
            return Err(JournalError::Damaged("a game of other conditions was to be added".into()));
        }
        if let Some(there) = reader::find(&self.connection, key)? {
            let number = there.number;
            return if there.result == *result { Ok(number) } else { Err(JournalError::Conflict { number }) };
        }
        let mut bytes = Vec::new();
        transcript.write(&mut bytes)?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut new_packer = None;
        let packer = match &mut self.packer {
            Some(packer) => packer,
            None => {
                transaction.execute("INSERT INTO dictionary (id, bytes) VALUES (1, ?1)", [&bytes])?;
                new_packer.insert(Packer::new(&bytes)?)
            }
        };
        let packed = packer.pack(&bytes)?;
        let number = insert(&transaction, key, result, transcript)?;
        transaction
            .prepare_cached(
                "INSERT INTO transcript (game, sha256, size_bytes, packed) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![number, reader::hash(&bytes), bytes.len() as u64, packed])?;
        transaction.commit()?;
        if let Some(packer) = new_packer {
            self.packer = Some(packer);
        }
        Ok(number)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Left as one file, it can be copied and read anywhere. Where a reader is in the way, its log stays beside it.
        let _ = self.connection.pragma_update(None, "journal_mode", "DELETE");
    }
}

/// Locks the file for this writer. SQLite's own locks come and go with each transaction, and would let two runs play the
/// same games beside each other.
fn lock(path: &Path) -> Result<File, JournalError> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalError::Busy),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// A log written ahead, so that readers and the writer do not wait for each other, and that is synchronised at
/// checkpoints. Measured: a game takes some 60 µs so, and over a millisecond if the disk is waited for each time.
fn set_up(connection: &Connection) -> Result<(), JournalError> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(())
}

fn write_conditions(transaction: &Transaction<'_>, conditions: &Conditions) -> Result<(), JournalError> {
    let Conditions { arena, wasmtime, engine, rules, limits, seed, contestants } = conditions;
    transaction.execute(
        "INSERT INTO conditions (id, arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed)
         VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            arena,
            wasmtime,
            engine,
            serde_json::to_string(rules).expect("rules are plain data"),
            limits.fuel_per_turn.to_string(),
            limits.memory_bytes.to_string(),
            seed.to_string(),
        ],
    )?;
    for (number, bot) in contestants.iter().enumerate() {
        transaction.execute(
            "INSERT INTO contestant (number, label, name, sha256) VALUES (?1, ?2, ?3, ?4)",
            params![number, bot.label, bot.name, bot.sha256],
        )?;
    }
    Ok(())
}

fn insert(
    transaction: &Transaction<'_>,
    key: GameKey,
    result: &GameResult,
    transcript: &Transcript,
) -> Result<u64, JournalError> {
    let GameKey { seats: [first, second], pair, game } = key;
    let header = &transcript.header;
    let hex = |seed: u64| format!("{seed:016x}");
    let reason = serde_json::to_value(result.reason).expect("a reason is plain data");
    let outcome = match result.outcome {
        Outcome::Win(Seat::First) => "first",
        Outcome::Win(Seat::Second) => "second",
        Outcome::Draw => "draw",
        Outcome::NoContest => "no-contest",
    };
    transaction
        .prepare_cached(
            "INSERT INTO game (first, second, pair, game, first_seed, second_seed, fleet_seed, starter, outcome,
             reason, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            first,
            second,
            pair,
            game,
            hex(header.bots[0].seed),
            hex(header.bots[1].seed),
            hex(header.fleet_seed),
            u8::from(header.starter),
            outcome,
            reason.as_str(),
            result.turns[0],
            result.turns[1],
            result.fuel[0].to_string(),
            result.fuel[1].to_string(),
            reader::faults_text(result),
            result.reproducible,
        ])?;
    Ok(u64::try_from(transaction.last_insert_rowid()).expect("numbers begin at 1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reader, support};

    #[test]
    fn a_full_disk_costs_the_game_that_does_not_fit_and_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("arena.db");
        let conditions = support::conditions(2);
        let mut writer = Writer::open(&path, &conditions).unwrap();
        let append = |writer: &mut Writer, number: u32| {
            let (key, result, transcript) = support::game(&conditions, [0, 1], number);
            writer.append(key, &result, &transcript)
        };
        append(&mut writer, 1).unwrap();
        // SQLite's own bound on the file: it fails as it does where the disk has no more room.
        let pages: i64 = writer.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        let limit = |writer: &Writer, pages: i64| {
            writer
                .connection
                .pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0))
                .unwrap();
        };
        limit(&writer, pages + 8);
        let full = (2..100).find_map(|number| append(&mut writer, number).err().map(|error| (number, error)));
        let (number, error) = full.expect("some game does not fit");
        assert!(matches!(error, JournalError::Full), "{error}");
        assert_eq!(Reader::open(&path).unwrap().games().unwrap().len(), number as usize - 1);
        limit(&writer, 1 << 20);
        append(&mut writer, number).unwrap();
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.games().unwrap().len(), number as usize);
        assert!(reader.transcript(u64::from(number)).unwrap().is_some());
    }
}
