//! The seasons of a club in its register, and the components that are published when they are over.

use super::{Author, Register, RegisterError};
use crate::moment;
use rusqlite::params;

/// A season of a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// The number, from 1.
    pub number: u32,
    /// The time at which it was frozen, in UTC; `None` when bots are taken.
    pub frozen_at: Option<String>,
}

impl Register {
    /// The season that is played.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn season(&self) -> Result<Season, RegisterError> {
        let sql = "SELECT number, frozen_at FROM season ORDER BY number DESC LIMIT 1";
        Ok(self.0.query_row(sql, [], |row| Ok(Season { number: row.get(0)?, frozen_at: row.get(1)? }))?)
    }

    /// Freezes the season that is played, so that no bots are taken, or undoes it.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn freeze(&mut self, is_frozen: bool) -> Result<(), RegisterError> {
        let sql = "UPDATE season SET frozen_at = ?1 WHERE number = (SELECT max(number) FROM season)";
        self.0.execute(sql, [is_frozen.then(moment::time_now)])?;
        Ok(())
    }

    /// Notes that an author agrees that the component of a version is published when a season is over, or agrees no more. Returns false
    /// if the author has no such version, or its component was deleted.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn publish(&mut self, author: &Author, id: i64, is_published: bool) -> Result<bool, RegisterError> {
        let sql = "UPDATE version SET published = ?3 WHERE id = ?1 AND author = ?2 AND deleted_at IS NULL";
        Ok(self.0.execute(sql, params![id, author.id, is_published])? == 1)
    }

    /// The components whose authors agree that they are published, by their SHA-256.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn published(&self) -> Result<Vec<String>, RegisterError> {
        let sql = "SELECT DISTINCT sha256 FROM version WHERE published AND state = 'admitted' AND deleted_at IS NULL
            ORDER BY sha256";
        let mut statement = self.0.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Begins the season with this number.
    ///
    /// # Errors
    /// The register cannot be written, or there was such a season.
    pub fn begin_season(&mut self, number: u32) -> Result<(), RegisterError> {
        self.0.execute("INSERT INTO season (number) VALUES (?1)", params![number])?;
        Ok(())
    }
}
