//! The organisers of a club, each with the SHA-256 of a token, and what they have done.

use super::{Register, RegisterError};
use crate::moment;
use rusqlite::{OptionalExtension, Row, params};

/// What an organiser does.
#[derive(Clone, Copy, Debug)]
pub struct NewAction<'a> {
    /// The organiser; `None` for a command on the club's machine.
    pub organiser: Option<&'a str>,
    /// The author whom it is about.
    pub author: Option<&'a str>,
    /// What is done, in words without the name of an author.
    pub what: &'a str,
    /// A text of the organiser, such as a reason.
    pub detail: &'a str,
}

/// What an organiser has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The time, in UTC.
    pub at: String,
    /// The organiser; `None` for a command on the club's machine.
    pub organiser: Option<String>,
    /// The author whom it was about, by the name of today.
    pub author: Option<String>,
    /// What was done.
    pub what: String,
    /// A text of the organiser, such as a reason.
    pub detail: String,
}

impl Register {
    /// Enters an organiser with the SHA-256 of a token. Returns false if there is one of this name with a token.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn add_organiser(&mut self, name: &str, token: &[u8; 32]) -> Result<bool, RegisterError> {
        let sql = "INSERT INTO organiser (name, token) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET token = ?2 WHERE token IS NULL";
        Ok(self.0.execute(sql, params![name, token])? == 1)
    }

    /// Revokes the token of an organiser. Returns false if there is none of this name with a token.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn revoke_organiser(&mut self, name: &str) -> Result<bool, RegisterError> {
        let sql = "UPDATE organiser SET token = NULL WHERE name = ?1 AND token IS NOT NULL";
        Ok(self.0.execute(sql, [name])? == 1)
    }

    /// The name of the organiser whose token has this SHA-256.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn organiser(&self, token: &[u8; 32]) -> Result<Option<String>, RegisterError> {
        let sql = "SELECT name FROM organiser WHERE token = ?1";
        Ok(self.0.query_row(sql, [token], |row| row.get(0)).optional()?)
    }

    /// The names of the organisers with a token.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn organisers(&self) -> Result<Vec<String>, RegisterError> {
        let mut statement =
            self.0.prepare_cached("SELECT name FROM organiser WHERE token IS NOT NULL ORDER BY name")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Notes what an organiser has done.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn note_action(&mut self, action: &NewAction<'_>) -> Result<(), RegisterError> {
        let NewAction { organiser, author, what, detail } = action;
        let sql = "INSERT INTO action (at, organiser, author, what, detail)
            VALUES (?1, ?2, (SELECT id FROM author WHERE name = ?3), ?4, ?5)";
        self.0.execute(sql, params![moment::time_now(), organiser, author, what, detail])?;
        Ok(())
    }

    /// The latest actions of organisers, at most this number, the latest first.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn actions(&self, max: u32) -> Result<Vec<Action>, RegisterError> {
        let action = |row: &Row<'_>| {
            Ok(Action {
                at: row.get(0)?,
                organiser: row.get(1)?,
                author: row.get(2)?,
                what: row.get(3)?,
                detail: row.get(4)?,
            })
        };
        let sql = "SELECT at, organiser, author.name, what, detail FROM action
            LEFT JOIN author ON author.id = action.author ORDER BY action.id DESC LIMIT ?1";
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map([max], action)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
