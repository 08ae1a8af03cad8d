//! The chain of hashes over the rows of a journal, which shows if one was changed, removed or put in between.
//!
//! A link is the SHA-256 of the link before (32 bytes, zeros for the first one) and of parts: the kind of the row, its
//! number, and its columns as text, each with its length in bytes before it, as in `4:game`. Every row has a link, in the
//! order in which rows were added. Whoever can write the file can also write another chain, but that has another head; so
//! the head is published.

use crate::JournalError;
use crate::reader::hexadecimal;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

/// The end of a journal's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainHead {
    /// The number of links.
    pub links: u64,
    /// The last link, as 64 hexadecimal digits.
    pub sha256: String,
}

/// A kind of row.
struct Kind {
    name: &'static str,
    /// The number of the first row.
    first: i64,
    /// The query for the rows from a number on: the number, then the columns of the format that introduced the chain.
    rows: &'static str,
}

/// The kinds of rows, in the order in which new rows are linked.
const KINDS: [Kind; 7] = [
    Kind {
        name: "conditions",
        first: 1,
        rows: "SELECT id, arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed FROM conditions \
               WHERE id >= ?1 ORDER BY id",
    },
    Kind {
        name: "bot",
        first: 0,
        rows: "SELECT number, label, name, sha256 FROM bot WHERE number >= ?1 ORDER BY number",
    },
    Kind {
        name: "stage",
        first: 1,
        rows: "SELECT number, settings FROM stage WHERE number >= ?1 ORDER BY number",
    },
    Kind {
        name: "entrant",
        first: 1,
        rows: "SELECT number, stage, place, bot, label FROM entrant WHERE number >= ?1 ORDER BY number",
    },
    Kind {
        name: "dictionary",
        first: 1,
        rows: "SELECT id, bytes FROM dictionary WHERE id >= ?1 ORDER BY id",
    },
    Kind {
        name: "game",
        first: 1,
        // A game without a transcript has no hash of one, and so another link.
        rows: "SELECT number, stage, first, second, pair, game.game, first_seed, second_seed, fleet_seed, starter, \
               outcome, reason, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, sha256, \
               size_bytes FROM game LEFT JOIN transcript ON transcript.game = number \
               WHERE number >= ?1 ORDER BY number",
    },
    Kind { name: "told-seed", first: 1, rows: "SELECT id, seed FROM told_seed WHERE id >= ?1 ORDER BY id" },
];

/// A chain up to its head.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    head: [u8; 32],
    links: u64,
    /// The number of the next row of each kind.
    next: [i64; KINDS.len()],
}

impl Chain {
    /// The chain of a journal with nothing in it.
    pub(crate) fn new() -> Self {
        Self { head: [0; 32], links: 0, next: KINDS.map(|kind| kind.first) }
    }

    /// The chain of a journal, after a check of every link.
    ///
    /// # Errors
    /// The first row that is not as the chain has it.
    pub(crate) fn checked(connection: &Connection) -> Result<Self, JournalError> {
        let mut statements =
            KINDS.iter().map(|kind| connection.prepare(kind.rows)).collect::<Result<Vec<_>, _>>()?;
        let mut rows = (statements.iter_mut().zip(&KINDS))
            .map(|(statement, kind)| statement.query([kind.first]))
            .collect::<Result<Vec<_>, _>>()?;
        let mut chain = Self::new();
        let mut statement =
            connection.prepare("SELECT number, kind, row, sha256 FROM link ORDER BY number")?;
        let mut links = statement.query([])?;
        while let Some(link) = links.next()? {
            let (number, name): (u64, String) = (link.get(0)?, link.get(1)?);
            let (row_number, sha256): (i64, String) = (link.get(2)?, link.get(3)?);
            let wrong = |cause: &str| JournalError::damaged(format!("link {number} of the chain"), cause);
            let kind =
                KINDS.iter().position(|kind| kind.name == name).ok_or_else(|| wrong("it has no kind"))?;
            if number != chain.links + 1 || row_number != chain.next[kind] {
                return Err(wrong("links before it were removed"));
            }
            let row = rows[kind].next()?.filter(|row| row.get(0) == Ok(row_number));
            let changed = |cause: &str| JournalError::damaged(format!("{name} {row_number}"), cause);
            chain.add(kind, row.ok_or_else(|| changed("it was removed"))?)?;
            if hexadecimal(&chain.head) != sha256 {
                return Err(changed("it was changed after it was written"));
            }
        }
        for (rows, kind) in rows.iter_mut().zip(&KINDS) {
            if let Some(row) = rows.next()? {
                let place = format!("{} {}", kind.name, row.get::<_, i64>(0)?);
                return Err(JournalError::damaged(
                    place,
                    "it is not in the chain: it was added by somebody else",
                ));
            }
        }
        Ok(chain)
    }

    /// The chain with a link for each new row, written to the journal.
    pub(crate) fn extended(&self, connection: &Connection) -> Result<Self, JournalError> {
        let mut chain = self.clone();
        let sql = "INSERT INTO link (number, kind, row, sha256) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = connection.prepare_cached(sql)?;
        for (index, kind) in KINDS.iter().enumerate() {
            let mut statement = connection.prepare_cached(kind.rows)?;
            let mut rows = statement.query([chain.next[index]])?;
            while let Some(row) = rows.next()? {
                let row_number: i64 = row.get(0)?;
                chain.add(index, row)?;
                insert.execute(params![chain.links, kind.name, row_number, hexadecimal(&chain.head)])?;
            }
        }
        Ok(chain)
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        let game = KINDS.iter().position(|kind| kind.name == "game").expect("it is one of the kinds");
        usize::try_from(self.next[game] - KINDS[game].first).expect("rows are counted up")
    }

    /// The end of the chain.
    pub(crate) fn head(&self) -> ChainHead {
        ChainHead { links: self.links, sha256: hexadecimal(&self.head) }
    }

    /// Adds the link of a row.
    fn add(&mut self, kind: usize, row: &Row<'_>) -> Result<(), JournalError> {
        let mut digest = Sha256::new();
        digest.update(self.head);
        add_part(&mut digest, KINDS[kind].name.as_bytes());
        for column in 0..row.as_ref().column_count() {
            match row.get_ref(column)? {
                ValueRef::Null => add_part(&mut digest, b""),
                ValueRef::Integer(number) => add_part(&mut digest, number.to_string().as_bytes()),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => add_part(&mut digest, bytes),
                ValueRef::Real(_) => {
                    return Err(JournalError::damaged(KINDS[kind].name, "a column is a fraction"));
                }
            }
        }
        self.head = digest.finalize().into();
        self.links += 1;
        self.next[kind] += 1;
        Ok(())
    }
}

fn add_part(digest: &mut Sha256, bytes: &[u8]) {
    digest.update(format!("{}:", bytes.len()));
    digest.update(bytes);
}
