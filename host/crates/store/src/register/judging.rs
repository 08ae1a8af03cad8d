//! Versions that wait to be judged, or are replaced before; their verdicts; and what judging has cost each author.

use super::{Author, Register, RegisterError, Version, VersionState, select};
use rusqlite::params;

/// The longest finding that is kept, in bytes. Chosen: ten times the longest one that `arena check` prints.
const FINDING_BYTES_MAX: usize = 64 << 10;

/// What judging an author's versions has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// The processor time, in milliseconds.
    pub milliseconds: u64,
    /// The hour for which it holds, counted from 1970.
    pub hour: i64,
}

impl Register {
    /// The versions that wait, in the order in which they were submitted.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn waiting(&self) -> Result<Vec<Version>, RegisterError> {
        let which = "WHERE state = ?1 AND deleted_at IS NULL ORDER BY version.id";
        select(&self.0, which, &VersionState::Waiting.text())
    }

    /// Records the finding about a version, unless its component was deleted meanwhile.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn judge(&mut self, id: i64, state: VersionState, finding: &str) -> Result<(), RegisterError> {
        let end = finding.floor_char_boundary(FINDING_BYTES_MAX);
        let sql = "UPDATE version SET state = ?2, finding = ?3 WHERE id = ?1 AND deleted_at IS NULL";
        self.0.execute(sql, params![id, state.text(), &finding[..end]])?;
        Ok(())
    }

    /// The account of the author of this name.
    ///
    /// # Errors
    /// The register cannot be read, or there is no such author.
    pub fn account(&self, author: &str) -> Result<Account, RegisterError> {
        let sql = "SELECT judged_ms, judged_hour FROM author WHERE name = ?1";
        let account = self
            .0
            .prepare_cached(sql)?
            .query_row([author], |row| Ok(Account { milliseconds: row.get(0)?, hour: row.get(1)? }))?;
        Ok(account)
    }

    /// Sets the account of the author of this name.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn set_account(&mut self, author: &str, account: Account) -> Result<(), RegisterError> {
        let sql = "UPDATE author SET judged_ms = ?2, judged_hour = ?3 WHERE name = ?1";
        self.0.execute(sql, params![author, account.milliseconds, account.hour])?;
        Ok(())
    }

    /// Notes the fuel of a game of a version, by its trial games.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn set_game_fuel(&mut self, id: i64, fuel: u64) -> Result<(), RegisterError> {
        let fuel = i64::try_from(fuel).unwrap_or(i64::MAX);
        self.0.execute("UPDATE version SET game_fuel = ?2 WHERE id = ?1", params![id, fuel])?;
        Ok(())
    }

    /// Replaces the versions of an author that wait by a newer one, except for the one with the number `begun` in the register, which
    /// is being judged. Returns their components, by their SHA-256.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn replace_waiting(
        &mut self,
        author: &Author,
        by: &Version,
        begun: Option<i64>,
    ) -> Result<Vec<String>, RegisterError> {
        let sql = "UPDATE version SET state = 'refused', replaced_by = ?2
            WHERE author = ?1 AND state = 'waiting' AND id IS NOT ?3 AND id IS NOT ?4 RETURNING sha256";
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map(params![author.id, by.number, by.id, begun], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
