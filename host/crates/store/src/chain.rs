//! The chain of hashes over the rows of a journal, which shows whether one was changed, removed or inserted.
//!
//! A link is the SHA-256 of the link before (32 bytes, zeros for the first one) and of parts: the kind of the row, its
//! number, and its columns as text, each with its length in bytes before it, as in `4:game`. Every row has a link, in the
//! order in which rows were added. Anyone who can write the file can also write another chain, but that has another head; so
//! the head is published. `docs/guide/src/journal-format.md` describes the chain for authors of other checkers.

use crate::JournalError;
use crate::columns::Values;
use crate::hex::hexadecimal;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

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
    Game,
    ToldSeed,
}

impl Kind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = Self::ALL.len();

    pub(crate) const ALL: [Self; 7] =
        [Self::Conditions, Self::Bot, Self::Stage, Self::Entrant, Self::Draw, Self::Game, Self::ToldSeed];

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
            Self::Game => {
                "SELECT number, stage, first, second, pair, game, contract, first_seed, second_seed, fleet_seed, starter, \
                 outcome, reason, first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, events \
                 FROM game NOT INDEXED WHERE number >= ?1 ORDER BY number"
            }
            Self::ToldSeed => "SELECT id, seed FROM told_seed NOT INDEXED WHERE id >= ?1 ORDER BY id",
        }
    }
}

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
                let values = Values::of(row)?;
                chain.add(kind, &values)?;
                insert.execute(params![chain.links, kind.name(), values.number()?, chain.head])?;
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
    pub(crate) fn add(&mut self, kind: Kind, row: &Values<'_>) -> Result<(), JournalError> {
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
    row: &Values<'_>,
) -> Result<[u8; 32], JournalError> {
    hashed.clear();
    hashed.extend(before);
    add_part(hashed, kind.name().as_bytes());
    for value in row.all() {
        match *value {
            ValueRef::Null => add_part(hashed, b""),
            ValueRef::Integer(number) => add_number(hashed, number),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => add_part(hashed, bytes),
            ValueRef::Real(_) => {
                let place = format!("{} {}", kind.name(), row.number().unwrap_or_default());
                return Err(JournalError::damaged(place, "a column is a fraction"));
            }
        }
    }
    Ok(Sha256::digest(&hashed).into())
}

/// Adds a part to the bytes that a link is the hash of: its length, and its bytes.
pub(crate) fn add_part(hashed: &mut Vec<u8>, bytes: &[u8]) {
    let mut digits = [0; DIGITS_MAX];
    let first = put_decimal(&mut digits, bytes.len() as u64);
    hashed.extend(&digits[first..]);
    hashed.push(b':');
    hashed.extend(bytes);
}

fn add_number(hashed: &mut Vec<u8>, number: i64) {
    let mut text = [0; DIGITS_MAX];
    let mut first = put_decimal(&mut text, number.unsigned_abs());
    if number < 0 {
        first -= 1;
        text[first] = b'-';
    }
    add_part(hashed, &text[first..]);
}

/// The most digits of a number of 64 bits, also of one with a sign and the sign.
const DIGITS_MAX: usize = 20;

/// Writes the decimal digits of a number at the end of this text, and returns the place of the first one. A row has some twenty lengths and
/// numbers, and this is quicker than `write!`.
fn put_decimal(text: &mut [u8; DIGITS_MAX], mut number: u64) -> usize {
    let mut first = DIGITS_MAX;
    loop {
        first -= 1;
        text[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_hashed_as_decimal_text() {
        for number in [0, 7, -7, 10, 1_000_000, i64::MAX, i64::MIN] {
            let mut hashed = Vec::new();
            add_number(&mut hashed, number);
            let text = number.to_string();
            assert_eq!(hashed, format!("{}:{text}", text.len()).into_bytes());
        }
    }
}
