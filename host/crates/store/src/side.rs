//! A side chain: rows about what follows from clocks, networks and people, which are kept next to the chain of games.
//!
//! The chain of games follows from the seed, the rules and the bots alone. Each link of a side chain is also of the link of the games that
//! was the last one then, so its rows cannot be moved to another journal or to another time of this one.

use crate::chain::{self, Chain};
use crate::hex::{hexadecimal, sha256_of};
use crate::{ChainHead, JournalError};
use rusqlite::Connection;
use sha2::{Digest, Sha256};

/// The end of a side chain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SideEnd {
    /// The number of rows.
    pub(crate) rows: u64,
    link: [u8; 32],
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

    /// The last link, in hexadecimal.
    pub(crate) fn sha256(&self) -> String {
        hexadecimal(&self.link)
    }

    /// The head; `None` without rows.
    pub(crate) fn head(&self) -> Option<ChainHead> {
        (self.rows > 0).then(|| ChainHead { links: self.rows, sha256: self.sha256() })
    }
}

/// Reads the rows of a side chain, and compares each with its link. `columns` are the hashed texts, and `links` are those of the chain of
/// games. `add` takes the number of links that the games had then, and the texts; it returns the problem with them.
///
/// # Errors
/// A row that was changed, or that no run could have written.
pub(crate) fn read(
    connection: &Connection,
    table: &str,
    columns: &str,
    links: &[[u8; 32]],
    mut add: impl FnMut(usize, &[&str]) -> Result<(), &'static str>,
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
        let at_links: usize =
            row.get::<_, i64>(1)?.try_into().map_err(|_| wrong("its links are out of range"))?;
        let text = |column: usize| row.get_ref(column)?.as_str().map_err(|_| wrong("a text of it is none"));
        let texts = texts.clone().map(text).collect::<Result<Vec<_>, _>>()?;
        let games = match at_links.checked_sub(1) {
            None => Some(&[0; 32]),
            Some(index) => links.get(index),
        };
        let Some(games) = games.filter(|_| at_links >= last_links) else {
            return Err(wrong("it is not of this chain of games, or not in its order"));
        };
        end = end.linked(table, at_links as u64, games, &texts);
        if text(2)? != end.sha256() {
            return Err(wrong("it was changed after it was written"));
        }
        add(at_links, &texts).map_err(wrong)?;
        last_links = at_links;
    }
    Ok(end.head())
}
