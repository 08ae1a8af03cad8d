//! The names of authors: who is behind the labels of journals, the pseudonyms that the pages show, and the end of a name.

use super::{Register, RegisterError};
use crate::moment;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::HashMap;

/// What the label of an author's bots begins with. No name has a point.
const LABEL: &str = "author.";

/// The label of the bots of the author with this number.
pub(super) fn label(author: i64) -> String {
    format!("{LABEL}{author}")
}

/// An author as an organiser sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAuthor {
    /// The number in the register.
    pub id: i64,
    /// The name.
    pub name: String,
    /// The name that the pages show instead.
    pub pseudonym: Option<String>,
    /// True if the organiser has set it, so that the author cannot change it.
    pub has_fixed_pseudonym: bool,
    /// True if the author has a token.
    pub has_token: bool,
    /// The reason why the author is disqualified.
    pub disqualified: Option<String>,
}

/// The result of setting a pseudonym.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renamed {
    /// It is set, or removed.
    Done,
    /// There is no such author.
    Unknown,
    /// This name or pseudonym of another author looks like it.
    Alike(String),
    /// The organiser has set it, so the author cannot change it.
    Fixed,
}

/// The number of the author of this name, who was not deleted.
pub(super) fn number(connection: &Connection, name: &str) -> Result<Option<i64>, RegisterError> {
    let sql = "SELECT id FROM author WHERE name = ?1 AND name <> ?2 || id";
    Ok(connection.query_row(sql, [name, LABEL], |row| row.get(0)).optional()?)
}

/// The name or pseudonym, other than those of one author, that looks like this one.
pub(super) fn alike(
    connection: &Connection,
    name: &str,
    but: Option<i64>,
) -> Result<Option<String>, RegisterError> {
    let sql = "SELECT name FROM author WHERE id IS NOT ?1
        UNION ALL SELECT pseudonym FROM author WHERE id IS NOT ?1 AND pseudonym IS NOT NULL";
    let mut names = connection.prepare_cached(sql)?;
    let names = names.query_map([but], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    let looked_at = arena_text::looked_at(name);
    // In Rust, because SQLite knows the cases of a to z only.
    Ok(names.into_iter().find(|other| arena_text::looked_at(other) == looked_at))
}

impl Register {
    /// All authors but those who were deleted, in the order in which they were invited.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn list_authors(&self) -> Result<Vec<ListedAuthor>, RegisterError> {
        let author = |row: &Row<'_>| {
            Ok(ListedAuthor {
                id: row.get(0)?,
                name: row.get(1)?,
                pseudonym: row.get(2)?,
                has_fixed_pseudonym: row.get(3)?,
                has_token: row.get(4)?,
                disqualified: row.get(5)?,
            })
        };
        let sql = "SELECT id, name, pseudonym, pseudonym_fixed, token IS NOT NULL, disqualified FROM author
            WHERE name <> ?1 || id ORDER BY id";
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map([LABEL], author)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The names that pages show for what a journal has instead: by the label of an author, and by the SHA-256 of a component.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn shown_names(&self) -> Result<HashMap<String, String>, RegisterError> {
        let sql = "SELECT ?1 || id, ifnull(pseudonym, name) FROM author
            UNION ALL SELECT sha256, own_name FROM version WHERE state = 'admitted' AND deleted_at IS NULL";
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map([LABEL], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Notes the name that the bot of a version gives itself.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn set_own_name(&mut self, id: i64, name: &str) -> Result<(), RegisterError> {
        let sql = "UPDATE version SET own_name = ?2 WHERE id = ?1 AND deleted_at IS NULL";
        self.0.execute(sql, params![id, name])?;
        Ok(())
    }

    /// Sets the name that the pages show for an author, or removes it. What the organiser has set, the author cannot change, until the organiser
    /// removes it.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn set_pseudonym(
        &mut self,
        author: &str,
        pseudonym: Option<&str>,
        is_by_organiser: bool,
    ) -> Result<Renamed, RegisterError> {
        let transaction = self.begin()?;
        let Some(id) = number(&transaction, author)? else { return Ok(Renamed::Unknown) };
        let sql = "SELECT pseudonym_fixed FROM author WHERE id = ?1";
        if !is_by_organiser && transaction.query_row(sql, [id], |row| row.get(0))? {
            return Ok(Renamed::Fixed);
        }
        if let Some(alike) = pseudonym.map(|name| alike(&transaction, name, Some(id))).transpose()?.flatten()
        {
            return Ok(Renamed::Alike(alike));
        }
        let sql = "UPDATE author SET pseudonym = ?2, pseudonym_fixed = ?3 WHERE id = ?1";
        transaction.execute(sql, params![id, pseudonym, is_by_organiser && pseudonym.is_some()])?;
        transaction.commit()?;
        Ok(Renamed::Done)
    }

    /// Deletes an author: the name, the token, the components and the findings go, and also what organisers have noted about the author. The
    /// label stays, because journals have it. Returns the label; `None` if there is no such author.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn delete_author(&mut self, name: &str) -> Result<Option<String>, RegisterError> {
        let transaction = self.begin()?;
        let Some(id) = number(&transaction, name)? else { return Ok(None) };
        let (label, now) = (label(id), moment::time_now());
        let sql = "UPDATE author SET name = ?2, pseudonym = NULL, pseudonym_fixed = 0, token = NULL, revoked_at = ?3, disqualified = NULL
            WHERE id = ?1";
        transaction.execute(sql, params![id, label, now])?;
        let sql = "UPDATE version SET deleted_at = ifnull(deleted_at, ?2), published = 0, finding = '', paused = NULL,
            own_name = '' WHERE author = ?1";
        transaction.execute(sql, params![id, now])?;
        transaction.execute("UPDATE action SET detail = '' WHERE author = ?1", [id])?;
        // The games of challenges have the names of both sides.
        let sql = "DELETE FROM challenge WHERE id IN (SELECT challenge.id FROM challenge
            JOIN version ON version.id IN (challenge.version, opponent) WHERE version.author = ?1)";
        transaction.execute(sql, [id])?;
        transaction.commit()?;
        // No page of the file has the old rows then.
        self.0.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?;
        Ok(Some(label))
    }
}
