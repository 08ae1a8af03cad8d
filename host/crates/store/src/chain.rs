//! The chain of hashes over the rows of a journal, which shows whether one was changed, removed or inserted.
//!
//! A link is the SHA-256 of the link before (32 bytes, zeros for the first one) and of parts: the kind of the row, its
//! number, and its columns as text, each with its length in bytes before it, as in `4:game`. Every row has a link, in the
//! order in which rows were added. Anyone who can write the file can also write another chain, but that has another head; so
//! the head is published. `docs/guide/src/journal-format.md` describes the chain for authors of other checkers.

use crate::JournalError;
use crate::hex::hexadecimal;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};
use std::io::Write;

/// The end of a journal's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainHead {
    /// The number of links.
    pub links: u64,
    /// The last link, as 64 hexadecimal digits.
    pub sha256: String,
}

/// A kind of row, in the order in which new rows are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Conditions,
    Bot,
    Stage,
    Entrant,
    Draw,
    Moment,
    Dictionary,
    Game,
    ToldSeed,
}

impl Kind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = Self::ALL.len();

    pub(crate) const ALL: [Self; 9] = [
        Self::Conditions,
        Self::Bot,
        Self::Stage,
        Self::Entrant,
        Self::Draw,
        Self::Moment,
        Self::Dictionary,
        Self::Game,
        Self::ToldSeed,
    ];

    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Conditions => "conditions",
            Self::Bot => "bot",
            Self::Stage => "stage",
            Self::Entrant => "entrant",
            Self::Draw => "draw",
            Self::Moment => "moment",
            Self::Dictionary => "dictionary",
            Self::Game => "game",
            Self::ToldSeed => "told-seed",
        }
    }

    /// The number of the first row.
    pub(crate) const fn first(self) -> i64 {
        match self {
            Self::Bot => 0,
            _ => 1,
        }
    }

    /// The query for the rows from a number on: the number, then the columns that are hashed. It walks the table itself, by the numbers of its rows: an index could have other content.
    pub(crate) const fn rows(self) -> &'static str {
        match self {
            Self::Conditions => {
                "SELECT id, arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed \
                 FROM conditions NOT INDEXED WHERE id >= ?1 ORDER BY id"
            }
            Self::Bot => {
                "SELECT number, label, name, sha256 FROM bot NOT INDEXED WHERE number >= ?1 ORDER BY number"
            }
            Self::Stage => {
                "SELECT number, settings FROM stage NOT INDEXED WHERE number >= ?1 ORDER BY number"
            }
            Self::Entrant => {
                "SELECT number, stage, place, bot, label FROM entrant NOT INDEXED WHERE number >= ?1 ORDER BY number"
            }
            Self::Draw => {
                "SELECT number, stage, seed, beacon FROM draw NOT INDEXED WHERE number >= ?1 ORDER BY number"
            }
            Self::Moment => {
                "SELECT number, stage, game, at FROM moment NOT INDEXED WHERE number >= ?1 ORDER BY number"
            }
            Self::Dictionary => "SELECT id, bytes FROM dictionary NOT INDEXED WHERE id >= ?1 ORDER BY id",
            // A game has a transcript or events.
            Self::Game => {
                "SELECT number, stage, first, second, pair, game.game, first_seed, second_seed, fleet_seed, starter, \
                 outcome, reason, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, sha256, \
                 size_bytes, events FROM game NOT INDEXED LEFT JOIN transcript NOT INDEXED ON transcript.game = number \
                 WHERE number >= ?1 ORDER BY number"
            }
            Self::ToldSeed => "SELECT id, seed FROM told_seed NOT INDEXED WHERE id >= ?1 ORDER BY id",
        }
    }

    /// The minor version of the format that brought the table.
    pub(crate) const fn since(self) -> u32 {
        match self {
            Self::Conditions | Self::Bot | Self::Dictionary | Self::Game => 0,
            Self::ToldSeed => 1,
            Self::Stage | Self::Entrant => 3,
            Self::Draw | Self::Moment => 4,
        }
    }

    /// The same query for a journal of a minor version. Without stages, all games are of the only one.
    pub(crate) fn rows_of(self, minor: u32) -> String {
        let mut sql = self.rows().to_owned();
        if minor < EVENTS_SINCE {
            sql = sql.replace("size_bytes, events FROM", "size_bytes FROM");
        }
        if minor < Self::Stage.since() {
            sql = sql.replace("SELECT number, stage, first", "SELECT number, 1 AS stage, first");
        }
        sql
    }
}

/// The minor version that brought the events of games.
const EVENTS_SINCE: u32 = 6;

/// The place of the events among the columns of a game. A game with a transcript has no events, and its link is that of
/// formats before 1.6, without them.
const EVENTS: usize = 20;

/// A chain up to its head.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    head: [u8; 32],
    links: u64,
    /// The number of the next row of each kind.
    next: [i64; Kind::COUNT],
    /// The bytes that the latest link is the hash of.
    hashed: Vec<u8>,
}

impl Chain {
    /// The chain of a journal with nothing in it.
    pub(crate) fn new() -> Self {
        Self { head: [0; 32], links: 0, next: Kind::ALL.map(Kind::first), hashed: Vec::new() }
    }

    /// The chain with a link for each new row, written to the journal.
    pub(crate) fn extended(&self, connection: &Connection) -> Result<Self, JournalError> {
        let mut chain = self.clone();
        let sql = "INSERT INTO link (number, kind, row, sha256) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = connection.prepare_cached(sql)?;
        for kind in Kind::ALL {
            let mut statement = connection.prepare_cached(kind.rows())?;
            let mut rows = statement.query([chain.next(kind)])?;
            while let Some(row) = rows.next()? {
                let row_number: i64 = row.get(0)?;
                chain.add(kind, row)?;
                insert.execute(params![chain.links, kind.name(), row_number, hexadecimal(&chain.head)])?;
            }
        }
        Ok(chain)
    }

    /// The number of links.
    pub(crate) fn links(&self) -> u64 {
        self.links
    }

    /// The last link.
    pub(crate) fn last(&self) -> &[u8; 32] {
        &self.head
    }

    /// The number of the next row of a kind.
    pub(crate) fn next(&self, kind: Kind) -> i64 {
        self.next[kind as usize]
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        usize::try_from(self.next(Kind::Game) - Kind::Game.first()).expect("rows are counted up")
    }

    /// The end of the chain.
    pub(crate) fn head(&self) -> ChainHead {
        ChainHead { links: self.links, sha256: hexadecimal(&self.head) }
    }

    /// Adds the link of a row.
    pub(crate) fn add(&mut self, kind: Kind, row: &Row<'_>) -> Result<(), JournalError> {
        self.head = link(&mut self.hashed, &self.head, kind, row)?;
        self.links += 1;
        self.next[kind as usize] += 1;
        Ok(())
    }
}

/// The link of a row after another link. `hashed` is room for the bytes that it is the hash of.
pub(crate) fn link(
    hashed: &mut Vec<u8>,
    before: &[u8; 32],
    kind: Kind,
    row: &Row<'_>,
) -> Result<[u8; 32], JournalError> {
    hashed.clear();
    hashed.extend(before);
    add_part(hashed, kind.name().as_bytes());
    for column in 0..row.as_ref().column_count() {
        match row.get_ref(column)? {
            ValueRef::Null if kind == Kind::Game && column == EVENTS => {}
            ValueRef::Null => add_part(hashed, b""),
            ValueRef::Integer(number) => add_number(hashed, number),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => add_part(hashed, bytes),
            ValueRef::Real(_) => {
                let place = format!("{} {}", kind.name(), row.get::<_, i64>(0).unwrap_or_default());
                return Err(JournalError::damaged(place, "a column is a fraction"));
            }
        }
    }
    Ok(Sha256::digest(&hashed).into())
}

/// Adds a part to the bytes that a link is the hash of: its length, and its bytes.
pub(crate) fn add_part(hashed: &mut Vec<u8>, bytes: &[u8]) {
    write!(hashed, "{}:", bytes.len()).expect("memory takes any bytes");
    hashed.extend(bytes);
}

fn add_number(hashed: &mut Vec<u8>, number: i64) {
    // The longest number has 20 characters.
    let mut text = [0; 20];
    let mut left = text.as_mut_slice();
    write!(left, "{number}").expect("there is room");
    let length = 20 - left.len();
    add_part(hashed, &text[..length]);
}
