//! Invitations: authors, each with the SHA-256 of a token.

use super::{Register, RegisterError};
use crate::moment;
use rusqlite::{OptionalExtension, Transaction, params};

/// The result of an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invited {
    /// The author is new.
    New,
    /// The author's token had been revoked. The author's versions are those of before.
    Again,
    /// There is an author of this name with a token. Nothing has changed.
    Known,
    /// There is an author whose name differs in the case of letters only. Nothing has changed.
    Alike(String),
}

impl Invited {
    /// True if the token is the author's now.
    pub const fn is_done(&self) -> bool {
        matches!(self, Self::New | Self::Again)
    }
}

impl Register {
    /// Enters authors, each with the SHA-256 of a token; those that have one keep it. None is entered if one has the name of another author,
    /// or of one before it, in other cases of letters: that is the last result.
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
    // In Rust, because SQLite knows the cases of a to z only.
    let mut names = transaction.prepare("SELECT name FROM author")?;
    let names = names.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    if let Some(alike) = names.into_iter().find(|other| other.to_lowercase() == name.to_lowercase()) {
        return Ok(Invited::Alike(alike));
    }
    let sql = "INSERT INTO author (name, token, invited_at) VALUES (?1, ?2, ?3)";
    transaction.execute(sql, params![name, token, moment::time_now()])?;
    Ok(Invited::New)
}
