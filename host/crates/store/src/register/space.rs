//! What the versions of authors take, and the components that are deleted.

use super::{Author, Register, RegisterError, Version, by_id, select};
use crate::moment;
use rusqlite::{OptionalExtension, Transaction, named_params, params};

/// The versions of an author that are listed and take no room: refused ones, and ones that were deleted before they played. Older ones are
/// forgotten. Chosen: those of a day of work.
pub const REFUSED_LISTED: u32 = 20;

/// The one who deletes a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deleter {
    /// The author, who may delete only what has not played: others need the component to verify its games.
    Author,
    /// The organiser.
    Organiser,
}

/// The result of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// The component is not needed any more, and its files can be removed.
    Done(Version),
    /// There is no such version.
    Unknown,
    /// The component of this version is not kept: it was refused, or deleted before.
    NotKept(Version),
    /// This version has begun to play, and its author cannot delete it.
    HasPlayed(Version),
}

impl Register {
    /// The versions of the author with this name, the latest first.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn versions_of(&self, name: &str) -> Result<Vec<Version>, RegisterError> {
        select(&self.0, "WHERE author.name = ?1 ORDER BY version.number DESC", &name)
    }

    /// Notes that components begin to play in a season, so that their authors cannot delete them from now on. Returns false, and notes
    /// nothing, if one of them was deleted.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn begin_to_play(&mut self, season: u32, components: &[&str]) -> Result<bool, RegisterError> {
        let transaction = self.begin()?;
        let mut added = 0;
        for sha256 in components {
            let kept = "SELECT EXISTS (SELECT 1 FROM version
                WHERE sha256 = ?1 AND state = 'admitted' AND deleted_at IS NULL)";
            if !transaction.query_row(kept, [sha256], |row| row.get::<_, bool>(0))? {
                return Ok(false);
            }
            let sql = "INSERT INTO played (sha256, season) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            added += transaction.execute(sql, params![sha256, season])?;
        }
        // Most stages have the bots of the one before, and then nothing waits for the disk.
        if added > 0 {
            transaction.commit()?;
        }
        Ok(true)
    }

    /// Adds the bytes that their side of some games takes in the journal of a season to what components have there.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn add_played<'a>(
        &mut self,
        season: u32,
        bytes: impl IntoIterator<Item = (&'a str, u64)>,
    ) -> Result<(), RegisterError> {
        let transaction = self.begin()?;
        for (sha256, bytes) in bytes {
            let sql = "UPDATE played SET bytes = bytes + ?3 WHERE sha256 = ?1 AND season = ?2";
            transaction.execute(sql, params![sha256, season, bytes])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// The bytes that the side of the author with this name takes in all journals.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn played_bytes(&self, name: &str) -> Result<u64, RegisterError> {
        // A copy of another author's component was refused.
        let sql = "SELECT ifnull(sum(bytes), 0) FROM played WHERE sha256 IN (
            SELECT sha256 FROM version JOIN author ON author.id = version.author
            WHERE author.name = ?1 AND state = 'admitted')";
        Ok(self.0.query_row(sql, [name], |row| row.get(0))?)
    }

    /// Deletes the component of the version with this number among those of an author: it cannot play or be published any more, and its
    /// games stay. Its files are removed by the caller. If the author submits it again, it is judged again.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn delete(&mut self, name: &str, number: u32, by: Deleter) -> Result<Deleted, RegisterError> {
        let transaction = self.begin()?;
        let sql = "SELECT version.id FROM version JOIN author ON author.id = version.author
            WHERE author.name = ?1 AND version.number = ?2";
        let id = transaction.query_row(sql, params![name, number], |row| row.get::<_, i64>(0)).optional()?;
        let Some(version) = id.map(|id| by_id(&transaction, id)).transpose()?.flatten() else {
            return Ok(Deleted::Unknown);
        };
        if !version.is_kept() {
            return Ok(Deleted::NotKept(version));
        }
        if version.has_played && by == Deleter::Author {
            return Ok(Deleted::HasPlayed(version));
        }
        let sql = "UPDATE version SET deleted_at = ?2, published = 0, finding = '' WHERE id = ?1";
        transaction.execute(sql, params![version.id, moment::time_now()])?;
        transaction.commit()?;
        Ok(Deleted::Done(version))
    }

    /// True if a version with this component waits or was admitted, and was not deleted, so that its file is needed.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn needs(&self, sha256: &str) -> Result<bool, RegisterError> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM version WHERE sha256 = ?1 AND state IN ('waiting', 'admitted')
            AND deleted_at IS NULL)";
        Ok(self.0.query_row(sql, [sha256], |row| row.get(0))?)
    }

    /// The components that are needed, each once, by their SHA-256.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn needed(&self) -> Result<Vec<String>, RegisterError> {
        let sql = "SELECT DISTINCT sha256 FROM version WHERE state IN ('waiting', 'admitted') AND deleted_at IS NULL
            ORDER BY sha256";
        let mut statement = self.0.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The components that were deleted, and that no version needs, by their SHA-256.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn deleted(&self) -> Result<Vec<String>, RegisterError> {
        let sql = "SELECT DISTINCT sha256 FROM version WHERE deleted_at IS NOT NULL AND sha256 NOT IN (
                SELECT sha256 FROM version WHERE deleted_at IS NULL AND state IN ('waiting', 'admitted'))
            ORDER BY sha256";
        let mut statement = self.0.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Forgets the oldest versions of an author that take no room and have not played, so that their number has a limit. Their numbers are not
/// given again, because the latest version stays.
pub(super) fn forget_refused(transaction: &Transaction<'_>, author: &Author) -> Result<(), RegisterError> {
    let sql = "DELETE FROM version WHERE id IN (
        SELECT id FROM version WHERE author = :author AND (state IN ('refused', 'faulted') OR deleted_at IS NOT NULL)
        AND sha256 NOT IN (SELECT sha256 FROM played) ORDER BY number DESC LIMIT -1 OFFSET :listed)";
    transaction.execute(sql, named_params! { ":author": author.id, ":listed": REFUSED_LISTED })?;
    Ok(())
}
