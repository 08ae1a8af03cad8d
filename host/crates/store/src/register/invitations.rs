//! Invitations: authors, each with the SHA-256 of a token.

use super::{Register, RegisterError, names};
use crate::moment;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// The result of an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invited {
    /// The author is new.
    New,
    /// The author's token had been revoked. The author's versions are those of before.
    Again,
    /// There is an author of this name with a token. Nothing has changed.
    Known,
    /// There is an author whose name looks like it. Nothing has changed.
    Alike(String),
}

impl Invited {
    /// True if the token is the author's now.
    pub const fn is_done(&self) -> bool {
        matches!(self, Self::New | Self::Again)
    }
}

/// The link by which people become authors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinLink {
    /// The code.
    pub code: String,
    /// The number of authors who may still join.
    pub places: u32,
}

/// The result of joining by a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// There is a new author.
    Done,
    /// The link is closed, or has another code.
    Closed,
    /// There is no place left.
    Full,
    /// There is an author of this name, or of one like it, with a token or without.
    Taken,
}

impl Register {
    /// The link by which people become authors; `None` when it is closed.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn join_link(&self) -> Result<Option<JoinLink>, RegisterError> {
        join_link(&self.0)
    }

    /// Opens a link by which people become authors, in place of the one before, or closes it.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn set_join_link(&mut self, link: Option<&JoinLink>) -> Result<(), RegisterError> {
        match link {
            Some(JoinLink { code, places }) => {
                let sql = "INSERT OR REPLACE INTO join_link (id, code, places) VALUES (1, ?1, ?2)";
                self.0.execute(sql, params![code, places])?
            }
            None => self.0.execute("DELETE FROM join_link", [])?,
        };
        Ok(())
    }

    /// Enters a new author who has the code of the link, with the SHA-256 of a token.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn join(&mut self, code: &str, name: &str, token: &[u8; 32]) -> Result<Joined, RegisterError> {
        let transaction = self.begin()?;
        let link = join_link(&transaction)?.filter(|link| link.code == code);
        let Some(JoinLink { places, .. }) = link else { return Ok(Joined::Closed) };
        if places == 0 {
            return Ok(Joined::Full);
        }
        // The name of an author whose token was revoked is not given to another person: its versions would be theirs.
        if enter(&transaction, name, token)? != Invited::New {
            return Ok(Joined::Taken);
        }
        transaction.execute("UPDATE join_link SET places = places - 1", [])?;
        transaction.commit()?;
        Ok(Joined::Done)
    }

    /// Enters authors, each with the SHA-256 of a token; those that have one keep it. None is entered if one looks like the name of
    /// another author, or of one before it: that is the last result.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn invite_all<'a>(
        &mut self,
        authors: impl IntoIterator<Item = (&'a str, [u8; 32])>,
    ) -> Result<Vec<Invited>, RegisterError> {
        let transaction = self.begin()?;
        let mut all = Vec::new();
        for (name, token) in authors {
            let invited = enter(&transaction, name, &token)?;
            let is_alike = matches!(invited, Invited::Alike(_));
            all.push(invited);
            if is_alike {
                return Ok(all);
            }
        }
        transaction.commit()?;
        Ok(all)
    }
}

fn join_link(connection: &Connection) -> Result<Option<JoinLink>, RegisterError> {
    let link = |row: &Row<'_>| Ok(JoinLink { code: row.get(0)?, places: row.get(1)? });
    Ok(connection.query_row("SELECT code, places FROM join_link", [], link).optional()?)
}

fn enter(transaction: &Transaction<'_>, name: &str, token: &[u8; 32]) -> Result<Invited, RegisterError> {
    let sql = "SELECT token IS NOT NULL FROM author WHERE name = ?1";
    let has_token = transaction.query_row(sql, [name], |row| row.get::<_, bool>(0)).optional()?;
    match has_token {
        Some(true) => return Ok(Invited::Known),
        Some(false) => {
            let sql = "UPDATE author SET token = ?2, revoked_at = NULL WHERE name = ?1";
            transaction.execute(sql, params![name, token])?;
            return Ok(Invited::Again);
        }
        None => {}
    }
    if let Some(alike) = names::alike(transaction, name, None)? {
        return Ok(Invited::Alike(alike));
    }
    let sql = "INSERT INTO author (name, token, invited_at) VALUES (?1, ?2, ?3)";
    transaction.execute(sql, params![name, token, moment::time_now()])?;
    Ok(Invited::New)
}
