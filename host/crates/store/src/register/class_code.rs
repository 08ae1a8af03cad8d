//! The code without which nobody sees the pages of a club.

use super::{Register, RegisterError};
use rusqlite::{OptionalExtension, params};

/// The code of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCode {
    /// The code, which people type.
    pub code: String,
    /// The secret that the cookie of those who have given it has.
    pub cookie: String,
}

impl Register {
    /// The code without which nobody sees the pages; `None` when they are public.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn class_code(&self) -> Result<Option<ClassCode>, RegisterError> {
        let sql = "SELECT code, cookie FROM class_code";
        let code = self.0.query_row(sql, [], |row| Ok(ClassCode { code: row.get(0)?, cookie: row.get(1)? }));
        Ok(code.optional()?)
    }

    /// Puts the pages behind a code, in place of the one before, or makes them public.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn set_class_code(&mut self, code: Option<&ClassCode>) -> Result<(), RegisterError> {
        match code {
            Some(ClassCode { code, cookie }) => {
                let sql = "INSERT OR REPLACE INTO class_code (id, code, cookie) VALUES (1, ?1, ?2)";
                self.0.execute(sql, params![code, cookie])?
            }
            None => self.0.execute("DELETE FROM class_code", [])?,
        };
        Ok(())
    }
}
