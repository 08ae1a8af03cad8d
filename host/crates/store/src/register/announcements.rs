//! What the organiser of a club has announced.

use super::{Register, RegisterError};
use crate::moment;
use rusqlite::params;

/// The announcements that are kept; a further one replaces the oldest. Chosen: what fits on a page before the standings.
pub const ANNOUNCEMENTS_MAX: u32 = 10;

/// The longest announcement, in characters. Chosen: what people read.
pub const ANNOUNCEMENT_CHARS_MAX: usize = 1_000;

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The number, which grows.
    pub id: i64,
    /// The time at which it was made, in UTC.
    pub at: String,
    /// The text, which is plain.
    pub text: String,
}

impl Register {
    /// All announcements, the latest first.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn announcements(&self) -> Result<Vec<Announcement>, RegisterError> {
        let mut statement =
            self.0.prepare_cached("SELECT id, at, text FROM announcement ORDER BY id DESC")?;
        let rows = statement
            .query_map([], |row| Ok(Announcement { id: row.get(0)?, at: row.get(1)?, text: row.get(2)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Announces a text. The oldest announcement goes if there are too many.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn announce(&mut self, text: &str) -> Result<(), RegisterError> {
        let transaction = self.begin()?;
        let sql = "INSERT INTO announcement (at, text) VALUES (?1, ?2)";
        transaction.execute(sql, params![moment::time_now(), text])?;
        let sql = "DELETE FROM announcement WHERE id NOT IN (
            SELECT id FROM announcement ORDER BY id DESC LIMIT ?1)";
        transaction.execute(sql, [ANNOUNCEMENTS_MAX])?;
        transaction.commit()?;
        Ok(())
    }

    /// Withdraws an announcement. Returns false if there is none with this number.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn withdraw(&mut self, id: i64) -> Result<bool, RegisterError> {
        Ok(self.0.execute("DELETE FROM announcement WHERE id = ?1", [id])? == 1)
    }
}
