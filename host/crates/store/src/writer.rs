//! Writing a journal: one process at a time.

mod games;
mod others;
mod stored;

use crate::chain::{Chain, ChainHead};
use crate::reading::{self, Pages};
use crate::side::SideEnd;
use crate::trail::{self, TrailEntry};
use crate::{
    BOTS_MAX, Draw, ENTRANTS_MAX, Entrant, GameKey, JournalError, Reader, SETTINGS_BYTES_MAX, STAGES_MAX,
    Stage, Tournament, clock, database, moment, schema,
};
use arena_platform::locks::WriteLock;
use arena_record::{BotId, Conditions, GameResult, Header, PackedEvents, RecordedSeed, Seed};
use arena_rules::GameRules;
use others::{begin, data_version, lock};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use time::OffsetDateTime;

/// The time a write waits for a reader. Chosen: in write-ahead mode no reader holds it up, except during a checkpoint.
const BUSY_WAIT: Duration = Duration::from_secs(30);

/// The time after which games get a row with the time. Chosen: fine enough for people, and a long run has few such rows.
const MOMENT_EVERY: time::Duration = time::Duration::MINUTE;

/// A game to be added to a journal.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a> {
    /// The place in the tournament.
    pub key: GameKey,
    /// The result.
    pub result: &'a GameResult,
    /// The header of the transcript.
    pub header: &'a Header,
    /// The events.
    pub events: &'a PackedEvents,
}

/// Games that could not be added.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Unkept {
    /// The number of games before the first of them. Those have been added.
    pub kept: usize,
    /// The reason why the first of them cannot be added.
    #[source]
    pub error: JournalError,
}

/// A journal that is being written. A game is safe from a crash of the process once [`Writer::append`] has returned; a
/// power cut may cost the last seconds, and never earlier rows.
pub struct Writer {
    // Closed before the lock is given back.
    journal: Reader,
    tournament: Tournament,
    /// The bots that the journal has.
    known: Vec<BotId>,
    /// The latest stage, if there is one.
    latest: Option<Stage>,
    /// The number of the stage to which games are added, from 1.
    stage: usize,
    chain: Chain,
    /// The end of the trail of workers.
    trail: SideEnd,
    /// The end of the clock.
    clock: SideEnd,
    /// The time that was written last.
    timed: Option<OffsetDateTime>,
    /// SQLite's number for changes by other connections: unchanged unless one writes.
    others: i64,
    _lock: WriteLock,
}

impl Writer {
    /// Opens the journal of a tournament with these conditions to add games of a stage to it, or makes one if there is no file.
    /// `tournament` has the journal's bots, then those that are new. The stage begins now, unless the journal is in the same one.
    ///
    /// # Errors
    /// The journal cannot be added to; the file is left as it is.
    pub fn open(path: &Path, tournament: &Tournament, stage: &Stage) -> Result<Self, JournalError> {
        let lock = lock(path)?;
        let mut connection = database::open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(BUSY_WAIT)?;
        let is_begun = schema::is_begun(&connection)?;
        // Its indexes are checked too, because existing games are found by one.
        let read = || reading::read(&connection, Pages::TablesAndIndexes, false, |_| Ok(()));
        let before = is_begun.then(read).transpose()?.map(|((), journal)| journal);
        let has_other = |it: &&reading::Journal| it.content.tournament.has_other_game(&tournament.conditions);
        if let Some(before) = before.as_ref().filter(has_other) {
            return Err(JournalError::OtherGame { games: before.chain.games() });
        }
        let difference =
            before.as_ref().and_then(|before| before.content.tournament.difference(&tournament.conditions));
        if let Some(difference) = difference {
            return Err(JournalError::Other(difference));
        }
        set_up(&connection)?;
        // Only now: SQLite counts the switch to a log, too.
        let others = data_version(&connection)?;
        let mut chain = before.as_ref().map_or_else(Chain::new, |before| before.chain.clone());
        if before.is_none() {
            // Rows and their links are written together, so that a run that is killed here leaves a journal with a chain.
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            schema::make(&transaction)?;
            write_conditions(&transaction, &tournament.conditions)?;
            chain = chain.extended(&transaction)?;
            transaction.commit()?;
        }
        let (mut known, mut stages, mut timed) = (Vec::new(), Vec::new(), None);
        let (mut trail, mut clock) = (SideEnd::default(), SideEnd::default());
        if let Some(before) = before {
            let content = before.content;
            trail = SideEnd::of(content.trail.head.as_ref());
            clock = SideEnd::of(content.clock.as_ref());
            timed = content.moments.last().and_then(|moment| moment::parsed(&moment.at));
            (known, stages) = (content.tournament.bots, content.stages);
        }
        let mut writer = Self {
            journal: Reader::of(connection, path),
            tournament: tournament.clone(),
            known,
            stage: stages.len(),
            latest: stages.pop(),
            chain,
            trail,
            clock,
            timed,
            others,
            _lock: lock,
        };
        writer.enter(&tournament.bots, stage)?;
        Ok(writer)
    }

    /// Enters a stage, with the bots of the season: those of the journal, then those that are new. The stage begins unless the journal
    /// is in the same one.
    ///
    /// # Errors
    /// Another arena has added bots in the meantime, a stage that a journal cannot have, such as one with an unknown
    /// entrant or a bot twice, or a journal that cannot be written.
    pub fn enter(&mut self, bots: &[BotId], stage: &Stage) -> Result<(), JournalError> {
        let is_new = self.latest.as_ref() != Some(stage);
        let number = self.stage + usize::from(is_new);
        if !is_possible(stage, bots.len()) || number > STAGES_MAX {
            return Err(JournalError::DoesNotFit);
        }
        let tournament = Tournament { bots: bots.to_vec(), ..self.tournament.clone() };
        if !tournament.goes_on_from(&self.known) {
            return Err(JournalError::Busy);
        }
        self.tournament = tournament;
        let transaction = begin(&mut self.journal.connection, self.others)?;
        let now = moment::now();
        // Written although it is the same, so that a journal that is open has a log, and not an empty one.
        transaction.pragma_update(None, "user_version", schema::USER_VERSION)?;
        write_bots(&transaction, &self.tournament.bots, self.known.len())?;
        if is_new {
            write_stage(&transaction, number, stage)?;
        }
        let chain = self.chain.extended(&transaction)?;
        let clock = if is_new { clock::write(self.clock, &transaction, &chain, now)? } else { self.clock };
        transaction.commit()?;
        (self.chain, self.clock, self.stage) = (chain, clock, number);
        self.known.clone_from(&self.tournament.bots);
        self.latest = Some(stage.clone());
        if is_new {
            self.timed = Some(now);
        }
        self.journal.forget();
        Ok(())
    }

    /// The seed of the stage to which games are added, as records have it.
    fn seed(&self) -> RecordedSeed {
        let draw = self.latest.as_ref().and_then(|stage| stage.draw.as_ref());
        draw.map_or(self.tournament.conditions.seed, |draw| draw.seed)
    }

    /// The number of games in the journal.
    pub fn games(&self) -> usize {
        self.chain.games()
    }

    /// The end of the chain, as far as it has been written.
    pub fn head(&self) -> ChainHead {
        self.chain.head()
    }

    /// True if no other program has changed the journal since this writer has opened it.
    ///
    /// # Errors
    /// A journal that cannot be read any more.
    pub fn is_alone(&self) -> Result<bool, JournalError> {
        // A query begins to read, so that the number is that of now.
        let connection = &self.journal.connection;
        connection.query_row("SELECT count(*) FROM conditions", [], |_| Ok(()))?;
        Ok(data_version(connection)? == self.others)
    }

    /// Brings everything that was written into the file and onto the disk, as far as readers let it: until then, the last part of it is
    /// in the log next to the file. A writer that is closed does the same.
    pub fn settle(&self) {
        // What stays in the log is brought there later.
        let _ = self.journal.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }

    /// The journal, to be read.
    pub fn reader(&self) -> &Reader {
        &self.journal
    }

    /// Reveals the seed of the season. This closes it: no games follow. Unlike a game, the seed is on the disk when this returns,
    /// so that the caller may delete its own copy. A seed that was revealed before is not written again.
    ///
    /// # Errors
    /// A seed that the conditions do not have the hash of, or a journal that cannot be written.
    pub fn tell_seed(&mut self, seed: Seed) -> Result<(), JournalError> {
        if !self.tournament.conditions.seed.is_of(&seed) {
            return Err(JournalError::DoesNotFit);
        }
        let connection = &mut self.journal.connection;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let transaction = begin(connection, self.others)?;
        transaction
            .execute("INSERT OR IGNORE INTO told_seed (id, seed) VALUES (1, ?1)", [seed.to_string()])?;
        let chain = self.chain.extended(&transaction)?;
        transaction.commit()?;
        self.chain = chain;
        self.journal.forget();
        let connection = &self.journal.connection;
        connection.pragma_update(None, "synchronous", SYNCHRONOUS)?;
        Ok(())
    }

    /// Adds games in this order, in one transaction. A game that is there already with the same result is not added.
    ///
    /// # Errors
    /// The first game that cannot be added: it is there with another result or is not of this tournament, or the journal cannot
    /// be written. The games before it are added, and none after it.
    pub fn append(&mut self, games: &[NewGame<'_>]) -> Result<(), Unkept> {
        match self.append_all(games) {
            Ok(()) => Ok(()),
            Err(error) if games.len() < 2 => Err(Unkept { kept: 0, error }),
            // A full disk may have room for some of them.
            Err(_) => games
                .chunks(1)
                .enumerate()
                .try_for_each(|(kept, game)| self.append_all(game).map_err(|error| Unkept { kept, error })),
        }
    }

    /// Adds games, all or none.
    fn append_all(&mut self, games: &[NewGame<'_>]) -> Result<(), JournalError> {
        let seed = self.seed();
        let stray = |game: &NewGame<'_>| {
            !self.tournament.includes(game.header, game.key.seats, seed) || game.header.game != game.key.game
        };
        if games.iter().any(stray) {
            return Err(JournalError::DoesNotFit);
        }
        let transaction = begin(&mut self.journal.connection, self.others)?;
        let now = moment::now();
        // Also when the clock was set back.
        let is_timed = self.timed.is_none_or(|timed| (now - timed).abs() >= MOMENT_EVERY);
        let mut clock = self.clock;
        if is_timed {
            clock = clock::write(clock, &transaction, &self.chain, now)?;
        }
        for game in games {
            games::insert(&transaction, self.stage, game)?;
        }
        let chain = self.chain.extended(&transaction)?;
        transaction.commit()?;
        (self.chain, self.clock) = (chain, clock);
        if is_timed {
            self.timed = Some(now);
        }
        self.journal.forget();
        Ok(())
    }

    /// Keeps the code of the journal's game, which is a loaded one, with its SHA-256 in hexadecimal; does nothing if it has it.
    ///
    /// # Errors
    /// Code that the conditions do not name, or a journal that cannot be written.
    pub fn keep_code(&mut self, sha256: &str, bytes: &[u8]) -> Result<(), JournalError> {
        if !matches!(&self.tournament.conditions.rules, GameRules::Loaded(rules) if rules.sha256() == sha256)
        {
            return Err(JournalError::DoesNotFit);
        }
        let sql = "INSERT OR IGNORE INTO code (sha256, bytes) VALUES (?1, ?2)";
        self.journal.connection.execute(sql, params![sha256, bytes])?;
        Ok(())
    }

    /// Adds entries to the trail of workers, with the time. A trail has at most [`TRAIL_MAX`](crate::TRAIL_MAX); later ones are left out.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn note(&mut self, entries: &[TrailEntry]) -> Result<(), JournalError> {
        let transaction = begin(&mut self.journal.connection, self.others)?;
        let trail = trail::write(self.trail, &transaction, entries, &self.chain)?;
        transaction.commit()?;
        self.trail = trail;
        self.journal.forget();
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.settle();
        // As one file, it can be read anywhere.
        others::take_in_log(&self.journal.connection);
    }
}

/// True if a journal with this number of bots can have the stage, so that it can be read again.
fn is_possible(stage: &Stage, bots: usize) -> bool {
    let (mut seen, mut labels) = (HashSet::new(), HashSet::new());
    let mut is_once = |entrant: &Entrant| seen.insert(entrant.bot) && labels.insert(entrant.label.clone());
    bots <= BOTS_MAX
        && stage.entrants.len() <= ENTRANTS_MAX
        && stage.settings.len() <= SETTINGS_BYTES_MAX
        && stage.entrants.iter().all(|entrant| entrant.bot < bots && is_once(entrant))
}

/// When the write-ahead log is synchronised: at checkpoints.
const SYNCHRONOUS: &str = "NORMAL";

/// Switches to a write-ahead log, with which readers and the writer do not wait for each other, and which is synchronised
/// at checkpoints. Measured: a game takes some 60 µs, and over a millisecond if each one waits for the disk.
fn set_up(connection: &Connection) -> Result<(), JournalError> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", SYNCHRONOUS)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(())
}

fn write_conditions(transaction: &Transaction<'_>, conditions: &Conditions) -> Result<(), JournalError> {
    let Conditions { arena, wasmtime, engine, rules, limits, seed } = conditions;
    transaction.execute(
        "INSERT INTO conditions (id, arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed)
         VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            arena.as_str(),
            wasmtime.as_str(),
            engine.as_str(),
            serde_json::to_string(rules).expect("rules are plain data"),
            limits.fuel_per_turn.to_string(),
            limits.memory_bytes.to_string(),
            seed.to_string(),
        ],
    )?;
    Ok(())
}

/// Adds the bots that are new, after this number of known ones.
fn write_bots(transaction: &Transaction<'_>, bots: &[BotId], known: usize) -> Result<(), JournalError> {
    let sql = "INSERT INTO bot (number, label, name, sha256) VALUES (?1, ?2, ?3, ?4)";
    for (number, bot) in bots.iter().enumerate().skip(known) {
        transaction
            .execute(sql, params![number, bot.label.as_str(), bot.name.as_str(), bot.sha256.as_str()])?;
    }
    Ok(())
}

fn write_stage(transaction: &Transaction<'_>, number: usize, stage: &Stage) -> Result<(), JournalError> {
    transaction
        .execute("INSERT INTO stage (number, settings) VALUES (?1, ?2)", params![number, stage.settings])?;
    let sql = "INSERT INTO entrant (stage, place, bot, label) VALUES (?1, ?2, ?3, ?4)";
    for (place, Entrant { bot, label }) in stage.entrants.iter().enumerate() {
        transaction.execute(sql, params![number, place, bot, label.as_str()])?;
    }
    if let Some(Draw { seed, beacon }) = &stage.draw {
        let sql = "INSERT INTO draw (stage, seed, beacon) VALUES (?1, ?2, ?3)";
        let beacon = beacon.as_ref().map(|beacon| beacon.as_str());
        transaction.execute(sql, params![number, seed.to_string(), beacon])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support;

    #[test]
    fn a_full_disk_costs_the_game_that_does_not_fit_and_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("arena.db");
        let tournament = support::tournament(2);
        let stage = Stage::of_all("{}", &tournament.bots);
        let mut writer = Writer::open(&path, &tournament, &stage).unwrap();
        let append =
            |writer: &mut Writer, number: u32| support::game(&tournament, [0, 1], number).add_to(writer);
        append(&mut writer, 1).unwrap();
        // SQLite's own bound on the file: it fails as on a full disk.
        let pages: i64 =
            writer.journal.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        let limit = |writer: &Writer, pages: i64| {
            writer
                .journal
                .connection
                .pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0))
                .unwrap();
        };
        limit(&writer, pages + 8);
        let full = (2..100).find_map(|number| append(&mut writer, number).err().map(|error| (number, error)));
        let (number, error) = full.expect("some game does not fit");
        assert!(matches!(error, JournalError::Full), "{error}");
        assert!(error.is_of_the_machine());
        assert_eq!(Reader::open(&path).unwrap().games().unwrap().len(), number as usize - 1);
        // Of games that are added together, those that fit are kept.
        limit(&writer, pages + 20);
        let games: Vec<_> = (number..200).map(|number| support::game(&tournament, [0, 1], number)).collect();
        let unkept = support::try_adding(&mut writer, &games.iter().collect::<Vec<_>>()).unwrap_err();
        assert!(unkept.kept > 0 && matches!(unkept.error, JournalError::Full), "{unkept:?}");
        let number = number + unkept.kept as u32;
        assert_eq!(Reader::open(&path).unwrap().games().unwrap().len(), number as usize - 1);
        limit(&writer, 1 << 20);
        append(&mut writer, number).unwrap();
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.games().unwrap().len(), number as usize);
        assert!(reader.recording(u64::from(number)).unwrap().is_some());
    }
}
