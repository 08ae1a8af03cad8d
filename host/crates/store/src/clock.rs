//! The clock of a journal: when stages began and games were added, to about a minute. It has a side chain.

use crate::chain::Chain;
use crate::side::{self, Marks, SideEnd};
use crate::{ChainHead, JournalError, Moment, moment};
use rusqlite::{Connection, Transaction, params};
use time::OffsetDateTime;

/// The table, and the word in its links.
pub(crate) const TABLE: &str = "clock";

/// Writes the time after the rows of this chain. Returns the end after it.
pub(crate) fn write(
    end: SideEnd,
    transaction: &Transaction<'_>,
    games: &Chain,
    now: OffsetDateTime,
) -> Result<SideEnd, JournalError> {
    let at = moment::text(now);
    let end = end.after(TABLE, games, &[&at]);
    let sql = "INSERT INTO clock (number, links, at, sha256) VALUES (?1, ?2, ?3, ?4)";
    transaction.execute(sql, params![end.rows, games.links(), at, end.link])?;
    Ok(end)
}

/// Reads the times, and compares each with its link. `stages` has the number of the last link of each stage.
///
/// # Errors
/// A time that was changed, or that no run could have written.
pub(crate) fn read(
    connection: &Connection,
    marks: &Marks,
    stages: &[usize],
) -> Result<(Vec<Moment>, Option<ChainHead>), JournalError> {
    let mut moments = Vec::new();
    let head = side::read(connection, TABLE, "at", marks, |mark, texts| {
        let (stage, at) = (stages.partition_point(|link| *link <= mark.links), texts[0]);
        if stage == 0 {
            return Err("it is before the first stage");
        }
        if moment::parsed(at).is_none() {
            return Err("it is no time in UTC, as in 2026-01-31T12:00:00Z");
        }
        moments.push(Moment { stage, game: mark.games as u64 + 1, at: at.to_owned() });
        Ok(())
    })?;
    Ok((moments, head))
}
