//! Reading a journal, also while it is being written.

use crate::chain::{self, Kind};
use crate::columns::{Columns, Values};
use crate::database::Opened;
use crate::error::Cause;
use crate::hex::{hash, sha256_of};
use crate::model::GameRow;
use crate::reading::{self, Journal, Pages, Pass, Proof};
use crate::{
    ChainHead, JournalError, Moment, Stage, StoredGame, TRANSCRIPT_BYTES_MAX, Tournament, Trail, database,
    schema,
};
use arena_record::{Conditions, KeptGame, PackedEvents, Recording, Seed, UnpackError};
use arena_rules::GameRules;
use arena_rules::loaded::Code;
use arena_text::Line;
use rusqlite::{Connection, OptionalExtension, Row};
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A journal to be read.
///
/// All its answers are from the rows that [`Reader::content`] has hashed and checked. The first query reads them, if the
/// caller has not.
pub struct Reader {
    pub(crate) connection: Connection,
    path: PathBuf,
    /// True if its write-ahead log is missing.
    lacks_log: bool,
    /// The journal that was read last.
    proof: RefCell<Option<Arc<Proof>>>,
    /// The code of the journal's game, if it is a loaded one and was loaded.
    code: OnceCell<Arc<dyn Code>>,
}

/// Everything in a journal except the moves, at one moment.
#[derive(Clone, Debug)]
pub struct Content {
    /// The conditions, and all bots that have ever played.
    pub tournament: Tournament,
    /// The stages, in their order. At least one, unless a run was stopped before it began.
    pub stages: Vec<Stage>,
    /// The moments at which stages began and games were added, in their order.
    pub moments: Vec<Moment>,
    /// The end of the side chain of the moments, every link of which has been checked; `None` before the first stage.
    pub clock: Option<ChainHead>,
    /// The games, in the order in which they were added.
    pub games: Vec<StoredGame>,
    /// The secret seed, if it has been revealed. It has the hash that is in the conditions.
    pub revealed_seed: Option<Seed>,
    /// The trail of the workers that have played, every link of which has been checked.
    pub trail: Trail,
    /// The end of the chain, every link of which has been checked.
    pub head: ChainHead,
}

/// The first link in which two chains differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkDifference {
    /// The number of the link, from 1.
    pub number: u64,
    /// The row that it is for in this journal; `None` when the chain has ended.
    pub here: Option<LinkedRow>,
    /// The same in the other one.
    pub there: Option<LinkedRow>,
}

/// A row that is in the chain. Its text is as in `game 17`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedRow {
    kind: Line<16>,
    row: u64,
}

impl LinkedRow {
    /// The number of the game, if the row is one.
    pub fn game(&self) -> Option<u64> {
        (self.kind.as_str() == Kind::Game.name()).then_some(self.row)
    }
}

impl fmt::Display for LinkedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.row)
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens a journal for reading. It need not be writable, and another process may write it meanwhile. A journal whose run
    /// was killed while it closed the file is recovered first; this needs permission to write.
    ///
    /// # Errors
    /// There is no journal, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        match Self::open_begun(path)? {
            Some(reader) => Ok(reader),
            None if path.exists() => Err(JournalError::Foreign),
            None => Err(JournalError::Missing),
        }
    }

    /// The same as [`Reader::open`], with `None` when there is no file, or if a run was stopped before anything was in
    /// it.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn open_begun(path: &Path) -> Result<Option<Self>, JournalError> {
        let Opened { connection, lacks_log } = match database::open_to_read(path) {
            Err(JournalError::Missing) => return Ok(None),
            opened => opened?,
        };
        match schema::is_begun(&connection)? {
            false if lacks_log => Err(JournalError::NoLog),
            is_begun => Ok(is_begun.then(|| Self { lacks_log, ..Self::of(connection, path) })),
        }
    }

    /// The reader of a journal by its connection.
    pub(crate) fn of(connection: Connection, path: &Path) -> Self {
        let (proof, code) = (RefCell::default(), OnceCell::new());
        Self { connection, path: path.to_owned(), lacks_log: false, proof, code }
    }

    /// Another reader of the same journal, for another thread. It does not read everything again: it uses what this one has
    /// read.
    ///
    /// # Errors
    /// A journal that cannot be read any more.
    pub fn try_clone(&self) -> Result<Self, JournalError> {
        let (proof, code) = (self.proof.clone(), self.code.clone());
        Ok(Self { proof, code, ..Self::open(&self.path)? })
    }

    /// Begins to read the journal as it is now, until this is called again or the reader is dropped. So the system is asked once for the right
    /// to read the file, and not for each game. Meanwhile no run can begin to write the journal.
    ///
    /// # Errors
    /// A journal that cannot be read any more.
    pub fn renew(&self) -> Result<(), JournalError> {
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("COMMIT")?;
        }
        Ok(self.connection.execute_batch("BEGIN")?)
    }

    /// True if the journal was written in WAL mode, and its write-ahead log is not next to it, so that it may lack its last games: a copy
    /// of the one file, while a run wrote it or after the run was killed.
    pub fn lacks_log(&self) -> bool {
        self.lacks_log
    }

    /// Everything except the moves, at one moment of a journal that another process may be writing. Each row is read once,
    /// and the content is built from the values that were hashed.
    ///
    /// # Errors
    /// A journal that is damaged, manipulated, impossible for a run, or unreadable.
    pub fn content(&self) -> Result<Content, JournalError> {
        let all = |pass: &mut Pass<'_>| {
            let mut games = Vec::new();
            while let Some(game) = pass.next_game()? {
                games.push(game);
            }
            Ok(games)
        };
        let (games, content) = self.read_games(all)?;
        Ok(Content { games, ..content })
    }

    /// The same without the games, which `read` takes one by one.
    ///
    /// # Errors
    /// As of [`Reader::content`], or the error of `read`.
    pub fn read_games<T>(
        &self,
        read: impl FnOnce(&mut Pass<'_>) -> Result<T, JournalError>,
    ) -> Result<(T, Content), JournalError> {
        self.pass(true, read)
    }

    /// The same as [`Reader::read_games`] with little memory for any number of games. It is for a caller that asks for nothing later: the next
    /// query reads the journal again.
    ///
    /// # Errors
    /// As there.
    pub fn count_games<T>(
        &self,
        read: impl FnOnce(&mut Pass<'_>) -> Result<T, JournalError>,
    ) -> Result<(T, Content), JournalError> {
        self.pass(false, read)
    }

    fn pass<T>(
        &self,
        keeps_links: bool,
        read: impl FnOnce(&mut Pass<'_>) -> Result<T, JournalError>,
    ) -> Result<(T, Content), JournalError> {
        let snapshot = self.connection.unchecked_transaction()?;
        let (value, mut journal) = reading::read(&snapshot, Pages::Tables, keeps_links, read)?;
        snapshot.commit()?;
        if let Some(proof) = journal.proof() {
            self.proof.replace(Some(Arc::new(proof)));
        }
        let Journal { mut content, chain, .. } = journal;
        self.require_code(&content.tournament.conditions.rules, chain.games())?;
        self.give_code(&mut content.tournament.conditions);
        Ok((value, content))
    }

    /// The code of a loaded game with this SHA-256, in hexadecimal; `None` if the journal does not have it.
    ///
    /// # Errors
    /// A journal that cannot be read, or with other code.
    pub fn code(&self, sha256: &str) -> Result<Option<Vec<u8>>, JournalError> {
        let sql = "SELECT bytes FROM code WHERE sha256 = ?1";
        let bytes = |row: &Row<'_>| row.get::<_, Vec<u8>>(0);
        let bytes = self.connection.query_row(sql, [sha256], bytes).optional()?;
        match &bytes {
            Some(bytes) if hash(bytes) != sha256 => Err(JournalError::damaged(
                "the code of the game",
                format!("its hash is another than {sha256}"),
            )),
            _ => Ok(bytes),
        }
    }

    /// Checks that a journal with games of a component has that component: no game can be read without it.
    fn require_code(&self, rules: &GameRules, games: usize) -> Result<(), JournalError> {
        let GameRules::Loaded(rules) = rules else { return Ok(()) };
        let is_kept = games == 0 || self.code.get().is_some();
        if is_kept || self.code(rules.sha256())?.is_some() {
            return Ok(());
        }
        Err(JournalError::damaged(
            "the code of the game",
            format!("there is none with the hash {}", rules.sha256()),
        ))
    }

    /// Gives this code of the journal's game to everything that is read from now on: without it, moves cannot be read. The first code
    /// counts.
    pub fn set_code(&self, code: Arc<dyn Code>) {
        let _ = self.code.set(code);
    }

    fn give_code(&self, conditions: &mut Conditions) {
        if let (GameRules::Loaded(rules), Some(code)) = (&mut conditions.rules, self.code.get()) {
            *rules = std::mem::take(rules).with_code(Arc::clone(code));
        }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets what was read, because the journal has changed.
    pub(crate) fn forget(&self) {
        self.proof.replace(None);
    }

    /// The content that was read last; reads all of the journal if there is none.
    fn proof(&self) -> Result<Arc<Proof>, JournalError> {
        if self.proof.borrow().is_none() {
            self.content()?;
        }
        Ok(self.proof.borrow().clone().expect("the content has been read"))
    }

    /// True if a link of the chain has this hash: the journal continues one with this head.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn has_link(&self, sha256: &str) -> Result<bool, JournalError> {
        let Some(sha256) = sha256_of(sha256) else { return Ok(false) };
        Ok(self.proof()?.links().contains(&sha256))
    }

    /// The first link in which the chain of this journal differs from that of another one; `None` when they are the same.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn first_difference(&self, other: &Self) -> Result<Option<LinkDifference>, JournalError> {
        let [here, there] = [self.proof()?, other.proof()?];
        let same = here.links().iter().zip(there.links()).take_while(|(here, there)| here == there).count();
        if same == here.links().len().max(there.links().len()) {
            return Ok(None);
        }
        let number = same as u64 + 1;
        let (here, there) = (self.linked(number)?, other.linked(number)?);
        Ok(Some(LinkDifference { number, here, there }))
    }

    /// The row that a link is for.
    fn linked(&self, number: u64) -> Result<Option<LinkedRow>, JournalError> {
        let sql = "SELECT kind, row FROM link NOT INDEXED WHERE number = ?1";
        let row = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?));
        let found = self.connection.query_row(sql, [number], row).optional()?;
        Ok(found.map(|(kind, row)| LinkedRow { kind: kind.as_str().into(), row }))
    }

    /// The head that the journal had when it had this number of games and of stages, and nothing after them: when a run ended there.
    /// `None` without either.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn head_after(&self, games: usize, stages: usize) -> Result<Option<ChainHead>, JournalError> {
        Ok(self.proof()?.head_after(games, stages))
    }

    /// The tournament that its games belong to. It costs as much as [`Reader::content`].
    ///
    /// # Errors
    /// As of [`Reader::content`].
    pub fn tournament(&self) -> Result<Tournament, JournalError> {
        Ok(self.content()?.tournament)
    }

    /// The secret seed, revealed after the last game; `None` when it has not been revealed, or was never secret. It has the
    /// hash that is in the conditions. It costs as much as [`Reader::content`].
    ///
    /// # Errors
    /// As of [`Reader::content`].
    pub fn revealed_seed(&self) -> Result<Option<Seed>, JournalError> {
        Ok(self.content()?.revealed_seed)
    }

    /// The stages, in their order. It costs as much as [`Reader::content`].
    ///
    /// # Errors
    /// As of [`Reader::content`].
    pub fn stages(&self) -> Result<Vec<Stage>, JournalError> {
        Ok(self.content()?.stages)
    }

    /// All games, in the order in which they were added. It costs as much as [`Reader::content`].
    ///
    /// # Errors
    /// As of [`Reader::content`].
    pub fn games(&self) -> Result<Vec<StoredGame>, JournalError> {
        Ok(self.content()?.games)
    }

    /// The recording of a game, by its number in the journal; `None` when there is no such game.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn recording(&self, number: u64) -> Result<Option<Recording>, JournalError> {
        let damaged = |cause: Cause| JournalError::damaged(transcript_of(number), cause);
        let Some(bytes) = self.transcript(number)? else { return Ok(None) };
        let mut recording = Recording::read(bytes.as_slice()).map_err(|error| damaged(error.into()))?;
        self.give_code(&mut recording.header.conditions);
        Ok(Some(recording))
    }

    /// The file of the transcript of a game, by its number in the journal; `None` when there is no such game. It is made from the events that
    /// the game's link has.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn transcript(&self, number: u64) -> Result<Option<Vec<u8>>, JournalError> {
        let damaged = |cause: Cause| JournalError::damaged(transcript_of(number), cause);
        let Some(KeptGame { header, events }) = self.kept_game(number)? else { return Ok(None) };
        let bytes = events.to_transcript(header).map_err(|error| match error {
            UnpackError::NotPlayed => JournalError::Io(io::Error::other(error)),
            error => damaged(error.into()),
        })?;
        if bytes.len() as u64 > TRANSCRIPT_BYTES_MAX {
            return Err(damaged("it is larger than any".into()));
        }
        Ok(Some(bytes))
    }

    /// A game as the journal keeps it, by its number in the journal; `None` when there is no such game. Its transcript is the same as that
    /// of [`Reader::recording`], without being written as text and read again.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn kept_game(&self, number: u64) -> Result<Option<KeptGame>, JournalError> {
        let mut proof = self.proof()?;
        if proof.link_of(number).is_none() {
            // It may have been added since.
            self.content()?;
            proof = self.proof()?;
        }
        proof.link_of(number).map(|link| self.linked_game(&proof, number, link)).transpose()
    }

    /// A game whose row has the hash of its link.
    fn linked_game(&self, proof: &Proof, number: u64, link: usize) -> Result<KeptGame, JournalError> {
        let damaged = |cause: Cause| JournalError::damaged(transcript_of(number), cause);
        let mut statement = self.connection.prepare_cached(Kind::Game.rows())?;
        let mut rows = statement.query([number])?;
        let row = Values::of(rows.next()?.ok_or_else(|| damaged("it was removed".into()))?)?;
        let before = link.checked_sub(2).map_or([0; 32], |before| proof.links()[before]);
        if chain::link(&mut Vec::new(), &before, Kind::Game, &row)? != proof.links()[link - 1] {
            return Err(damaged("it was changed after the journal was read".into()));
        }
        let game = GameRow::of(&mut Columns::of(Kind::Game, number.cast_signed(), &row), None)?;
        let no_bot = "a bot of it is not in its stage";
        let mut header = proof.header(&game).ok_or_else(|| damaged(no_bot.into()))?;
        self.give_code(&mut header.conditions);
        Ok(KeptGame { header, events: PackedEvents::from_bytes(game.events.to_vec()) })
    }
}

fn transcript_of(number: u64) -> String {
    format!("the transcript of game {number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_can_be_given_to_another_thread() {
        const fn check<T: Send>() {}
        check::<Reader>();
        check::<crate::Writer>();
    }
}
