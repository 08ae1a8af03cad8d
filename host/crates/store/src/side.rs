//! A side chain: rows about what follows from clocks, networks and people, which are kept next to the chain of games.
//!
//! The chain of games follows from the seed, the rules and the bots alone. Each link of a side chain is also of the link of the games that
//! was the last one then, so its rows cannot be moved to another journal or to another time of this one.

use crate::chain::{self, Chain};
use crate::hex::{hexadecimal, sha256_of};
use crate::{ChainHead, JournalError, clock, trail};
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The end of a side chain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SideEnd {
    /// The number of rows.
    pub(crate) rows: u64,
    /// The last link.
    pub(crate) link: [u8; 32],
}

impl SideEnd {
    /// The end that was read.
    pub(crate) fn of(head: Option<&ChainHead>) -> Self {
        let link = head.and_then(|head| sha256_of(&head.sha256)).unwrap_or_default();
        Self { rows: head.map_or(0, |head| head.links), link }
    }

    /// The end after another row with these texts, when the chain of games has this end.
    pub(crate) fn after(self, table: &str, games: &Chain, texts: &[&str]) -> Self {
        self.linked(table, games.links(), games.last(), texts)
    }

    fn linked(self, table: &str, links: u64, games: &[u8; 32], texts: &[&str]) -> Self {
        let rows = self.rows + 1;
        let mut hashed = [self.link, *games].concat();
        let numbers = [rows, links].map(|number| number.to_string());
        for part in [table, &numbers[0], &numbers[1]].iter().chain(texts) {
            chain::add_part(&mut hashed, part.as_bytes());
        }
        Self { rows, link: Sha256::digest(&hashed).into() }
    }

    /// The head; `None` without rows.
    pub(crate) fn head(&self) -> Option<ChainHead> {
        (self.rows > 0).then(|| ChainHead { links: self.rows, sha256: hexadecimal(&self.link) })
    }
}

/// The links of the chain of games that side chains name, while the chain is read.
#[derive(Default)]
pub(crate) struct Marks {
    /// The numbers of links, in descending order.
    to_come: Vec<u64>,
    /// Those that were passed, by their numbers.
    passed: HashMap<u64, Mark>,
}

/// The state of the chain of games at a link.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mark {
    /// The number of links.
    pub(crate) links: usize,
    hash: [u8; 32],
    /// The number of games.
    pub(crate) games: usize,
}

impl Marks {
    /// The links that the side chains of a journal name.
    pub(crate) fn of(connection: &Connection) -> Result<Self, JournalError> {
        let mut to_come = Vec::new();
        for table in [clock::TABLE, trail::TABLE] {
            let mut statement = connection.prepare(&format!("SELECT links FROM {table} NOT INDEXED"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                // One that makes no sense is refused when its row is read.
                to_come.extend(row.get_ref(0)?.as_i64().ok().and_then(|links| u64::try_from(links).ok()));
            }
        }
        to_come.sort_unstable_by(|one, other| other.cmp(one));
        to_come.dedup();
        let mut marks = Self { to_come, passed: HashMap::new() };
        marks.pass(&Chain::new());
        Ok(marks)
    }

    /// Notes the end of the chain of games so far, if a side chain names it.
    pub(crate) fn pass(&mut self, games: &Chain) {
        if self.to_come.pop_if(|links| *links == games.links()).is_some() {
            let mark = Mark { links: games.links() as usize, hash: *games.last(), games: games.games() };
            self.passed.insert(games.links(), mark);
        }
    }
}

/// Reads the rows of a side chain, and compares each with its link. `columns` are the hashed texts. `add` takes the state that the chain of
/// games had then, and the texts; it returns the problem with them.
///
/// # Errors
/// A row that was changed, or that no run could have written.
pub(crate) fn read(
    connection: &Connection,
    table: &str,
    columns: &str,
    marks: &Marks,
    mut add: impl FnMut(Mark, &[&str]) -> Result<(), &'static str>,
) -> Result<Option<ChainHead>, JournalError> {
    let sql = format!("SELECT number, links, sha256, {columns} FROM {table} NOT INDEXED ORDER BY number");
    let mut statement = connection.prepare(&sql)?;
    let texts = 3..statement.column_count();
    let (mut end, mut last_links) = (SideEnd::default(), 0);
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let number = end.rows + 1;
        let wrong = |cause: &str| JournalError::damaged(format!("entry {number} of the {table}"), cause);
        if row.get_ref(0)?.as_i64().ok() != Some(number.cast_signed()) {
            return Err(wrong("it was removed, or another one was added"));
        }
        let links: i64 = row.get(1)?;
        let links = u64::try_from(links).map_err(|_| wrong("its links are out of range"))?;
        let text =
            |column: usize| row.get_ref(column)?.as_str().map_err(|_| wrong("one of its texts is not text"));
        let texts = texts.clone().map(text).collect::<Result<Vec<_>, _>>()?;
        let Some(mark) = marks.passed.get(&links).filter(|_| links >= last_links) else {
            return Err(wrong("it is not of this chain of games, or not in its order"));
        };
        end = end.linked(table, links, &mark.hash, &texts);
        if row.get_ref(2)?.as_blob().ok() != Some(&end.link[..]) {
            return Err(wrong("it was changed after it was written"));
        }
        add(*mark, &texts).map_err(wrong)?;
        last_links = links;
    }
    Ok(end.head())
}
