//! Reading a journal, also while it is being written.

use crate::chain::{Chain, ChainHead};
use crate::error::Cause;
use crate::packing::Unpacker;
use crate::{Entrant, GameKey, JournalError, Stage, StoredGame, Tournament, database, schema};
use arena_record::{
    BotId, Conditions, FaultCount, FormatVersion, GameResult, Limits, Recording, Seed, plain_rules,
};
use arena_referee::{Detail, FaultClass, Frame};
use arena_rules::{Outcome, Seat};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// The time a reader waits while a writer is just finishing. Chosen: its transactions take less than a millisecond.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// The steps of SQLite's machine that a reader may take, beside those for the size of the file. Chosen: they take a second or
/// two, and a game takes some forty, so they are enough for a million games even without the others.
const STEPS_MIN: u64 = 50_000_000;

/// The steps that a reader may take for each byte of the file. Chosen: a game has some three thousand bytes, so all games can
/// be read thousands of times. Without a limit, the pages of a small file can refer to each other so that it has more rows
/// than can be read.
const STEPS_PER_BYTE: u64 = 64;

/// The number of steps between two looks at their number. Chosen: it costs nothing that can be measured.
const STEPS_AT_A_TIME: u32 = 1_000;

/// The minor version that brought stages and the chain.
const STAGES_SINCE: u32 = 3;

/// A journal to be read.
#[derive(Debug)]
pub struct Reader {
    pub(crate) connection: Connection,
    /// The version of its format.
    pub(crate) version: FormatVersion,
}

/// Everything in a journal but the moves, at one moment.
#[derive(Clone, Debug)]
pub struct Content {
    /// The conditions, and all bots that have ever played.
    pub tournament: Tournament,
    /// The stages, in their order. At least one, unless a run was stopped before it began.
    pub stages: Vec<Stage>,
    /// The games, in the order in which they were added.
    pub games: Vec<StoredGame>,
    /// The secret seed, if it has been told.
    pub told_seed: Option<Seed>,
    /// The end of the chain, every link of which has been checked; `None` in formats before 1.3.
    pub head: Option<ChainHead>,
}

/// A fault in its stored form. A later minor version may add fields.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct StoredFault {
    seat: Seat,
    class: FaultClass,
    count: u32,
    first_turn: u32,
    detail: Detail,
    /// Added in 1.2.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    stack: Vec<Frame>,
}

impl Reader {
    /// Opens a journal for reading. It need not be writable, and another process may write it meanwhile.
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

    /// The same as [`Reader::open`], with `None` if there is no file, or if a run was stopped before anything was in it.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn open_begun(path: &Path) -> Result<Option<Self>, JournalError> {
        let mut connection = match database::open(path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
            Err(JournalError::Missing) => return Ok(None),
            opened => opened?,
        };
        connection.busy_timeout(BUSY_WAIT)?;
        limit_steps(&mut connection, fs::metadata(path)?.len())?;
        Ok(schema::recognise(&connection)?.map(|version| Self { connection, version }))
    }

    /// The version of the journal's format.
    pub fn version(&self) -> FormatVersion {
        self.version
    }

    /// Everything but the moves, at one moment of a journal that another process may be writing.
    ///
    /// # Errors
    /// A journal that is damaged, that was tampered with, or that cannot be read.
    pub fn content(&self) -> Result<Content, JournalError> {
        let snapshot = self.connection.unchecked_transaction()?;
        // First, so that what was tampered with is named as that, whatever sense it makes.
        let chain = self.has_stages().then(|| Chain::checked(&snapshot)).transpose()?;
        let content = Content {
            tournament: self.tournament()?,
            stages: self.stages()?,
            games: self.games()?,
            told_seed: self.told_seed()?,
            head: chain.map(|chain| chain.head()),
        };
        snapshot.commit()?;
        Ok(content)
    }

    /// True if a link of the chain has this hash: the journal goes on from one with this head.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn has_link(&self, sha256: &str) -> Result<bool, JournalError> {
        if !self.has_stages() {
            return Ok(false);
        }
        let sql = "SELECT count(*) FROM link WHERE sha256 = ?1";
        let links: i64 = self.connection.query_row(sql, [sha256], |row| row.get(0))?;
        Ok(links > 0)
    }

    fn has_stages(&self) -> bool {
        self.version.minor >= STAGES_SINCE
    }

    /// The tournament that its games belong to.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn tournament(&self) -> Result<Tournament, JournalError> {
        let mut statement =
            self.connection.prepare("SELECT number, label, name, sha256 FROM bot ORDER BY number")?;
        let text = |row: &Row<'_>, column| row.get::<_, String>(column);
        let mut rows = statement.query([])?;
        let mut bots = Vec::new();
        while let Some(row) = rows.next()? {
            if row.get::<_, usize>(0)? != bots.len() {
                return Err(JournalError::damaged("the bots", "they are not numbered in order"));
            }
            let [label, name, sha256] = [text(row, 1)?, text(row, 2)?, text(row, 3)?];
            bots.push(BotId { label: label.into(), name: name.into(), sha256: sha256.into() });
        }
        let sql = "SELECT arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed FROM conditions";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let row = rows.next()?.ok_or_else(|| JournalError::damaged("the conditions", "there are none"))?;
        let fuel_per_turn = parse(row, "fuel_per_turn")?;
        let conditions = Conditions {
            arena: row.get::<_, String>("arena")?.into(),
            wasmtime: row.get::<_, String>("wasmtime")?.into(),
            engine: row.get::<_, String>("engine")?.into(),
            rules: plain_rules(json(row, "rules")?),
            limits: Limits { fuel_per_turn, memory_bytes: parse(row, "memory_bytes")? },
            seed: parse(row, "seed")?,
        };
        Ok(Tournament { conditions, bots })
    }

    /// The secret seed that was told after the last game; `None` if it has not been told, or if the seed was never secret. The
    /// caller checks it against the conditions.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn told_seed(&self) -> Result<Option<Seed>, JournalError> {
        // Format 1.0 has no such table.
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'told_seed'";
        let tables: i64 = self.connection.query_row(sql, [], |row| row.get(0))?;
        if tables == 0 {
            return Ok(None);
        }
        let mut statement = self.connection.prepare("SELECT seed FROM told_seed")?;
        let mut rows = statement.query([])?;
        rows.next()?.map(|row| parse(row, "seed")).transpose()
    }

    /// The stages, in their order.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn stages(&self) -> Result<Vec<Stage>, JournalError> {
        if !self.has_stages() {
            return self.only_stage();
        }
        let mut statement = self.connection.prepare("SELECT number, settings FROM stage ORDER BY number")?;
        let mut rows = statement.query([])?;
        let mut stages = Vec::new();
        while let Some(row) = rows.next()? {
            let entrants = self.entrants(row.get(0)?)?;
            stages.push(Stage { settings: row.get(1)?, entrants });
        }
        Ok(stages)
    }

    /// The stage that a journal without stages is, by its latest settings.
    fn only_stage(&self) -> Result<Vec<Stage>, JournalError> {
        let sql = "SELECT settings FROM settings ORDER BY id DESC LIMIT 1";
        let settings: Option<String> = self.connection.query_row(sql, [], |row| row.get(0)).optional()?;
        let tournament = self.tournament()?;
        Ok(settings.map(|settings| Stage::of_all(settings, &tournament.bots)).into_iter().collect())
    }

    fn entrants(&self, stage: i64) -> Result<Vec<Entrant>, JournalError> {
        let sql = "SELECT bot, label FROM entrant WHERE stage = ?1 ORDER BY place";
        let mut statement = self.connection.prepare_cached(sql)?;
        let entrant =
            |row: &Row<'_>| Ok(Entrant { bot: row.get(0)?, label: row.get::<_, String>(1)?.into() });
        Ok(statement.query_map([stage], entrant)?.collect::<Result<_, _>>()?)
    }

    /// All games, in the order in which they were added.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn games(&self) -> Result<Vec<StoredGame>, JournalError> {
        let mut statement = self.connection.prepare(&format!("{} ORDER BY number", self.select_games()))?;
        let mut rows = statement.query([])?;
        let mut games: Vec<StoredGame> = Vec::new();
        while let Some(row) = rows.next()? {
            let game = stored_game(row)?;
            // A page to which others refer several times would have the same games again.
            if games.last().is_some_and(|before| before.number >= game.number) {
                return Err(JournalError::damaged("the games", "they are not numbered in order"));
            }
            games.push(game);
        }
        Ok(games)
    }

    /// The recording of a game, by its number in the journal; `None` if there is no such game.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn recording(&self, number: u64) -> Result<Option<Recording>, JournalError> {
        let damaged = |cause: Cause| JournalError::damaged(format!("the transcript of game {number}"), cause);
        let Some(bytes) = self.transcript(number)? else { return Ok(None) };
        Recording::read(bytes.as_slice()).map(Some).map_err(|error| damaged(error.into()))
    }

    /// The file of the transcript of a game, by its number in the journal; `None` if there is no such game.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn transcript(&self, number: u64) -> Result<Option<Vec<u8>>, JournalError> {
        let sql = "SELECT sha256, size_bytes, packed FROM transcript WHERE game = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let row =
            |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?, row.get::<_, Vec<u8>>(2)?));
        let Some((sha256, size_bytes, packed)) = statement.query_row([number], row).optional()? else {
            return Ok(None);
        };
        let dictionary = self.dictionary()?.unwrap_or_default();
        let bytes = Unpacker::new(&dictionary).unpack(&packed, size_bytes)?;
        if hash(&bytes) != sha256 {
            return Err(JournalError::damaged(
                format!("the transcript of game {number}"),
                "its hash is another",
            ));
        }
        Ok(Some(bytes))
    }

    fn select_games(&self) -> String {
        let stage = if self.has_stages() { "stage" } else { "1 AS stage" };
        format!("SELECT {stage}, {GAME_COLUMNS} FROM game")
    }

    pub(crate) fn dictionary(&self) -> Result<Option<Vec<u8>>, JournalError> {
        Ok(self.connection.query_row("SELECT bytes FROM dictionary", [], |row| row.get(0)).optional()?)
    }
}

/// The game with this key in a journal of the format that is written; `None` if there is none.
pub(crate) fn find(connection: &Connection, key: GameKey) -> Result<Option<StoredGame>, JournalError> {
    let sql =
        format!("SELECT stage, {GAME_COLUMNS} FROM game WHERE first = ?1 AND second = ?2 AND game = ?3");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((key.seats[0], key.seats[1], key.game))?;
    rows.next()?.map(stored_game).transpose()
}

/// The number of the game with this key; `None` if there is none.
pub(crate) fn number_of(connection: &Connection, key: GameKey) -> Result<Option<u64>, JournalError> {
    let sql = "SELECT number FROM game WHERE first = ?1 AND second = ?2 AND game = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let parameters = (key.seats[0], key.seats[1], key.game);
    Ok(statement.query_row(parameters, |row| row.get(0)).optional()?)
}

/// Makes statements fail that take more steps than a file of this size can need.
fn limit_steps(connection: &mut Connection, size_bytes: u64) -> Result<(), JournalError> {
    let steps = STEPS_MIN.saturating_add(size_bytes.saturating_mul(STEPS_PER_BYTE));
    let mut looks_left = steps / u64::from(STEPS_AT_A_TIME);
    let is_over = move || {
        looks_left = looks_left.saturating_sub(1);
        looks_left == 0
    };
    Ok(connection.progress_handler(STEPS_AT_A_TIME.cast_signed(), Some(is_over))?)
}

const GAME_COLUMNS: &str = "number, first, second, pair, game, outcome, reason, first_turns, second_turns, first_fuel, \
                            second_fuel, faults, reproducible";

/// The words for the outcomes.
const OUTCOMES: [(&str, Outcome); 4] = [
    ("first", Outcome::Win(Seat::First)),
    ("second", Outcome::Win(Seat::Second)),
    ("draw", Outcome::Draw),
    ("no-contest", Outcome::NoContest),
];

fn stored_game(row: &Row<'_>) -> Result<StoredGame, JournalError> {
    let seats = [row.get("first")?, row.get("second")?];
    let word: String = row.get("outcome")?;
    let outcome = OUTCOMES.iter().find(|(name, _)| *name == word).map(|&(_, outcome)| outcome);
    let reason = serde_json::from_value(row.get::<_, String>("reason")?.into());
    let fault = |fault: StoredFault| {
        let StoredFault { seat, class, count, first_turn, detail, stack } = fault;
        ((seat, class), FaultCount { count, first_turn, detail, stack })
    };
    Ok(StoredGame {
        number: row.get("number")?,
        stage: row.get("stage")?,
        key: GameKey { seats, pair: row.get("pair")?, game: row.get("game")? },
        result: GameResult {
            outcome: outcome.ok_or_else(|| JournalError::damaged("outcome", word))?,
            reason: reason.map_err(|error| JournalError::damaged("reason", error))?,
            turns: [row.get("first_turns")?, row.get("second_turns")?],
            fuel: [parse(row, "first_fuel")?, parse(row, "second_fuel")?],
            faults: json::<Vec<_>>(row, "faults")?.into_iter().map(fault).collect(),
            reproducible: row.get("reproducible")?,
        },
    })
}

/// The stored word for an outcome.
pub(crate) fn outcome_text(of: Outcome) -> &'static str {
    OUTCOMES.iter().find(|(_, outcome)| *outcome == of).expect("every outcome has a word").0
}

/// The stored form of a result's faults.
pub(crate) fn faults_text(result: &GameResult) -> String {
    let fault = |(&(seat, class), fault): (&(Seat, FaultClass), &FaultCount)| StoredFault {
        seat,
        class,
        count: fault.count,
        first_turn: fault.first_turn,
        detail: fault.detail.clone(),
        stack: fault.stack.clone(),
    };
    let faults: Vec<StoredFault> = result.faults.iter().map(fault).collect();
    serde_json::to_string(&faults).expect("faults are plain data")
}

/// The SHA-256 of these bytes, in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The hexadecimal digits of these bytes.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("memory takes any text");
    }
    text
}

/// The value of a column that holds it as text.
fn parse<T: FromStr<Err: Into<Cause>>>(row: &Row<'_>, column: &str) -> Result<T, JournalError> {
    row.get::<_, String>(column)?.parse().map_err(|error| JournalError::damaged(column, error))
}

/// The value of a column that holds it as JSON.
fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<T, JournalError> {
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(|error| JournalError::damaged(column, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_even_if_there_are_rows_without_end() {
        let mut connection = Connection::open_in_memory().unwrap();
        limit_steps(&mut connection, 45_056).unwrap();
        let sql = "WITH RECURSIVE game(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM game) \
                   SELECT max(number) FROM game";
        let error = connection.query_row(sql, [], |row| row.get::<_, u64>(0)).unwrap_err();
        let error = JournalError::from(error);
        assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
        assert!(error.to_string().ends_with("it has more rows than it has room for"), "{error}");
    }
}
