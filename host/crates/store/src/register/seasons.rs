//! The seasons of a club in its register, and the components that are published when they are over.

use super::{Author, Register, RegisterError};
use crate::{ZonedTime, moment};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

/// A season of a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// The number, from 1.
    pub number: u32,
    /// The time at which it was frozen, in UTC; `None` when bots are taken.
    pub frozen_at: Option<String>,
    /// The dates that its organiser has set.
    pub dates: Dates,
}

/// The dates of a season. They decide what is taken and when games are played, and no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dates {
    /// No game is played before; `None` when they are played at once.
    pub start: Option<ZonedTime>,
    /// No bot is taken from then on.
    pub freeze: Option<ZonedTime>,
    /// No bot is taken, and no game is played, from then on.
    pub end: Option<ZonedTime>,
}

impl Dates {
    /// The dates that are set, in their order, each with what is until then, or from then on.
    pub fn set(&self) -> impl Iterator<Item = (&'static str, ZonedTime)> {
        let all = [("games from", self.start), ("bots until", self.freeze), ("games until", self.end)];
        all.into_iter().filter_map(|(what, time)| Some((what, time?)))
    }

    /// True if each date that is set comes after those before it.
    pub fn is_in_order(&self) -> bool {
        let times: Vec<i64> = self.set().map(|(_, time)| time.seconds()).collect();
        times.is_sorted_by(|one, next| one < next)
    }
}

impl Season {
    /// The time since which no bots are taken, in UTC, at this time, in seconds since 1970; `None` when they are taken.
    pub fn closed_since(&self, now: i64) -> Option<String> {
        let passed = |date: Option<ZonedTime>| date.filter(|date| date.seconds() <= now).map(ZonedTime::utc);
        let closed = [self.frozen_at.clone(), passed(self.dates.freeze), passed(self.dates.end)];
        closed.into_iter().flatten().min()
    }

    /// True if games are played at this time, in seconds since 1970.
    pub fn plays(&self, now: i64) -> bool {
        let is_past = |date: Option<ZonedTime>| date.is_some_and(|date| date.seconds() <= now);
        (self.dates.start.is_none() || is_past(self.dates.start)) && !is_past(self.dates.end)
    }
}

/// The season that is played.
pub(super) fn season(connection: &Connection) -> Result<Season, RegisterError> {
    let sql =
        "SELECT number, frozen_at, starts_at, freezes_at, ends_at FROM season ORDER BY number DESC LIMIT 1";
    let (number, frozen_at, dates) = connection.query_row(sql, [], |row| {
        let dates: [Option<String>; 3] = [row.get(2)?, row.get(3)?, row.get(4)?];
        Ok((row.get(0)?, row.get(1)?, dates))
    })?;
    let [start, freeze, end] = dates.map(|date| date.map(|date| date.parse::<ZonedTime>()).transpose());
    let wrong = |_| RegisterError::Damaged("a season has an invalid date".into());
    let dates =
        Dates { start: start.map_err(wrong)?, freeze: freeze.map_err(wrong)?, end: end.map_err(wrong)? };
    Ok(Season { number, frozen_at, dates })
}

impl Register {
    /// The season that is played.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn season(&self) -> Result<Season, RegisterError> {
        season(&self.0)
    }

    /// Sets the dates of the season that is played.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn set_dates(&mut self, dates: &Dates) -> Result<(), RegisterError> {
        let sql = "UPDATE season SET starts_at = ?1, freezes_at = ?2, ends_at = ?3
            WHERE number = (SELECT max(number) FROM season)";
        let [start, freeze, end] =
            [dates.start, dates.freeze, dates.end].map(|date| date.map(ZonedTime::text));
        self.0.execute(sql, params![start, freeze, end])?;
        Ok(())
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
