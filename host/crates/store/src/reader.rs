//! Reading a journal, also while it is being written.

use crate::conditions::{Conditions, Entrant};
use crate::packing::Unpacker;
use crate::schema::{self, Kind};
use crate::{GameKey, JournalError, StoredGame};
use arena_record::{FaultCount, GameResult, Limits, Transcript};
use arena_referee::FaultClass;
use arena_rules::{Outcome, Seat};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// How long a reader waits while a writer is just finishing. Chosen: its transactions take less than a millisecond.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// A journal to be read.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
}

/// A fault, as the journal keeps it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct StoredFault {
    seat: Seat,
    class: FaultClass,
    count: u32,
    first_turn: u32,
    detail: String,
}

impl Reader {
    /// Opens a journal for reading. It need not be writable, and may be written by another process meanwhile.
    ///
    /// # Errors
    /// Why there is nothing to read.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        if !path.try_exists()? {
            return Err(JournalError::Missing);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_WAIT)?;
        match schema::recognise(&connection)? {
            Kind::Journal(schema::VERSION) => Ok(Self { connection }),
            // A writer brings it up to date first.
            Kind::Journal(version) => Err(JournalError::Damaged(format!("its version {version} is too old"))),
            Kind::Empty => Err(JournalError::Foreign),
        }
    }

    /// What its games were played under.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn conditions(&self) -> Result<Conditions, JournalError> {
        conditions(&self.connection)
    }

    /// How the latest tournament was held: text that the arena gave when it began.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn course(&self) -> Result<Option<String>, JournalError> {
        let sql = "SELECT course FROM course ORDER BY id DESC LIMIT 1";
        Ok(self.connection.query_row(sql, [], |row| row.get(0)).optional()?)
    }

    /// All games, in the order in which they were added.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn games(&self) -> Result<Vec<StoredGame>, JournalError> {
        games(&self.connection)
    }

    /// The transcript of a game, by its number in the journal; nothing where there is no such game.
    ///
    /// # Errors
    /// A journal that is damaged or cannot be read.
    pub fn transcript(&self, number: u64) -> Result<Option<Transcript>, JournalError> {
        transcript(&self.connection, number)
    }
}

pub(crate) fn conditions(connection: &Connection) -> Result<Conditions, JournalError> {
    let mut statement = connection.prepare("SELECT label, name, sha256 FROM contestant ORDER BY number")?;
    let entrant = |row: &Row<'_>| {
        Ok(Entrant { label: row.get("label")?, name: row.get("name")?, sha256: row.get("sha256")? })
    };
    let contestants = statement.query_map([], entrant)?.collect::<Result<_, _>>()?;
    let sql = "SELECT arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed FROM conditions";
    let texts = connection.query_row(sql, [], |row| {
        (0..7).map(|column| row.get::<_, String>(column)).collect::<Result<Vec<_>, _>>()
    });
    let texts: [String; 7] = texts
        .optional()?
        .and_then(|texts| texts.try_into().ok())
        .ok_or_else(|| JournalError::Damaged("it has no conditions".into()))?;
    let [arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed] = texts;
    Ok(Conditions {
        arena,
        wasmtime,
        engine,
        rules: serde_json::from_str(&rules).map_err(|error| damaged("rules", error))?,
        limits: Limits {
            fuel_per_turn: number("fuel_per_turn", &fuel_per_turn)?,
            memory_bytes: number("memory_bytes", &memory_bytes)?,
        },
        seed: number("seed", &seed)?,
        contestants,
    })
}

const GAMES: &str = "SELECT number, first, second, pair, game, outcome, reason, first_turns, second_turns, first_fuel, \
                     second_fuel, faults, reproducible FROM game";

pub(crate) fn games(connection: &Connection) -> Result<Vec<StoredGame>, JournalError> {
    let mut statement = connection.prepare(&format!("{GAMES} ORDER BY number"))?;
    let mut rows = statement.query([])?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        games.push(stored_game(row)?);
    }
    Ok(games)
}

pub(crate) fn find(connection: &Connection, key: GameKey) -> Result<Option<StoredGame>, JournalError> {
    let mut statement =
        connection.prepare_cached(&format!("{GAMES} WHERE first = ?1 AND second = ?2 AND game = ?3"))?;
    let mut rows = statement.query((key.seats[0], key.seats[1], key.game))?;
    rows.next()?.map(stored_game).transpose()
}

fn stored_game(row: &Row<'_>) -> Result<StoredGame, JournalError> {
    let text = |column: &str| row.get::<_, String>(column);
    let outcome = match text("outcome")?.as_str() {
        "first" => Outcome::Win(Seat::First),
        "second" => Outcome::Win(Seat::Second),
        "draw" => Outcome::Draw,
        "no-contest" => Outcome::NoContest,
        other => return Err(damaged("outcome", other)),
    };
    let reason = serde_json::from_value(text("reason")?.into()).map_err(|error| damaged("reason", error))?;
    let faults = row.get::<_, Option<String>>("faults")?;
    let faults: Vec<StoredFault> = match &faults {
        Some(faults) => serde_json::from_str(faults).map_err(|error| damaged("faults", error))?,
        None => Vec::new(),
    };
    let fault = |fault: StoredFault| {
        let StoredFault { seat, class, count, first_turn, detail } = fault;
        ((seat, class), FaultCount { count, first_turn, detail })
    };
    Ok(StoredGame {
        number: row.get("number")?,
        key: GameKey {
            seats: [row.get("first")?, row.get("second")?],
            pair: row.get("pair")?,
            game: row.get("game")?,
        },
        result: GameResult {
            outcome,
            reason,
            turns: [row.get("first_turns")?, row.get("second_turns")?],
            fuel: [
                number("first_fuel", &text("first_fuel")?)?,
                number("second_fuel", &text("second_fuel")?)?,
            ],
            faults: faults.into_iter().map(fault).collect(),
            reproducible: row.get("reproducible")?,
        },
    })
}

/// What a result's faults are kept as; nothing where there are none.
pub(crate) fn faults_text(result: &GameResult) -> Option<String> {
    let fault = |(&(seat, class), fault): (&(Seat, FaultClass), &FaultCount)| StoredFault {
        seat,
        class,
        count: fault.count,
        first_turn: fault.first_turn,
        detail: fault.detail.clone(),
    };
    let faults: Vec<StoredFault> = result.faults.iter().map(fault).collect();
    (!faults.is_empty()).then(|| serde_json::to_string(&faults).expect("faults are plain data"))
}

fn transcript(connection: &Connection, number: u64) -> Result<Option<Transcript>, JournalError> {
    let sql = "SELECT sha256, size_bytes, packed FROM transcript WHERE game = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let row =
        |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?, row.get::<_, Vec<u8>>(2)?));
    let Some((sha256, size_bytes, packed)) = statement.query_row([number], row).optional()? else {
        return Ok(None);
    };
    let bytes = Unpacker::new(&dictionary(connection)?.unwrap_or_default()).unpack(&packed, size_bytes)?;
    if hash(&bytes) != sha256 {
        return Err(JournalError::Damaged(format!("the transcript of game {number} has another hash")));
    }
    let transcript = Transcript::read(bytes.as_slice())
        .map_err(|error| JournalError::Damaged(format!("the transcript of game {number}: {error}")))?;
    Ok(Some(transcript))
}

pub(crate) fn dictionary(connection: &Connection) -> Result<Option<Vec<u8>>, JournalError> {
    Ok(connection.query_row("SELECT bytes FROM dictionary", [], |row| row.get(0)).optional()?)
}

pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn number<T: FromStr<Err: Display>>(what: &str, text: &str) -> Result<T, JournalError> {
    text.parse().map_err(|error| damaged(what, error))
}

fn damaged(what: &str, problem: impl Display) -> JournalError {
    JournalError::Damaged(format!("{what}: {problem}"))
}
