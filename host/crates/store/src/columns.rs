//! The values of a row, in the order in which they are hashed.

use crate::JournalError;
use crate::chain::Kind;
use crate::error::Cause;
use crate::hex::sha256_of;
use arena_rules::{GameRules, Reason};
use rusqlite::Row;
use rusqlite::types::{FromSqlError, Type, ValueRef};
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The columns of a row, taken one after the other. An error names the row and the column.
pub(crate) struct Columns<'a> {
    row: &'a Row<'a>,
    kind: Kind,
    number: i64,
    next: usize,
}

impl<'a> Columns<'a> {
    /// The columns after the number.
    pub(crate) fn of(kind: Kind, number: i64, row: &'a Row<'a>) -> Self {
        Self { row, kind, number, next: 1 }
    }

    /// The error about a row that makes no sense.
    pub(crate) fn wrong(&self, cause: impl Into<Cause>) -> JournalError {
        JournalError::damaged(self.place(), cause)
    }

    fn place(&self) -> String {
        format!("{} {}", self.kind.name(), self.number)
    }

    /// The error about the column that was taken last.
    fn wrong_column(&self, cause: impl Into<Cause>) -> JournalError {
        let name = self.row.as_ref().column_name(self.next - 1).unwrap_or_default();
        let place = format!("{}, `{name}`", self.place());
        JournalError::damaged(place, cause)
    }

    fn take(&mut self) -> Result<ValueRef<'a>, JournalError> {
        let value = self.row.get_ref(self.next)?;
        self.next += 1;
        Ok(value)
    }

    /// True if the next column is empty. It is not taken.
    pub(crate) fn is_null(&self) -> Result<bool, JournalError> {
        Ok(self.row.get_ref(self.next)?.data_type() == Type::Null)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, JournalError> {
        let value = self.take()?;
        value.as_str().map_err(|error| self.wrong_type(error, "a text"))
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], JournalError> {
        let value = self.take()?;
        value.as_blob().map_err(|error| self.wrong_type(error, "a blob"))
    }

    fn wrong_type(&self, error: FromSqlError, wanted: &str) -> JournalError {
        match error {
            FromSqlError::InvalidType => self.wrong_column(format!("it is not {wanted}")),
            other => self.wrong_column(other),
        }
    }

    /// A whole number in the range of `T`.
    pub(crate) fn whole<T: TryFrom<i64>>(&mut self) -> Result<T, JournalError> {
        let value = self.take()?;
        let number = value.as_i64().map_err(|error| self.wrong_type(error, "a whole number"))?;
        T::try_from(number).map_err(|_| self.wrong_column(format!("{number} is out of range")))
    }

    pub(crate) fn truth(&mut self) -> Result<bool, JournalError> {
        match self.whole::<i64>()? {
            number @ 0..=1 => Ok(number == 1),
            number => Err(self.wrong_column(format!("{number} is neither 0 nor 1"))),
        }
    }

    /// A value that the column has as text.
    pub(crate) fn parsed<T: FromStr<Err: Into<Cause>>>(&mut self) -> Result<T, JournalError> {
        let text = self.text()?;
        text.parse().map_err(|error| self.wrong_column(error))
    }

    /// A value that the column has as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&mut self) -> Result<T, JournalError> {
        let text = self.text()?;
        serde_json::from_str(text).map_err(|error| self.wrong_column(error))
    }

    /// The reason for the end of a game by these rules; `None` for a row that was checked when the journal was read.
    pub(crate) fn reason(&mut self, rules: Option<&GameRules>) -> Result<Reason, JournalError> {
        let text = self.text()?;
        let reason: Reason = serde_json::from_value(text.into()).map_err(|error| self.wrong_column(error))?;
        if reason.is_own() && rules.is_some_and(|rules| !rules.reasons().contains(&reason)) {
            return Err(self.wrong_column(format!("no game of this journal ends for this reason: {text}")));
        }
        Ok(reason)
    }

    /// One of these values, by its word.
    pub(crate) fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Result<T, JournalError> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value);
        found.ok_or_else(|| self.wrong_column(format!("there is no such word: {text}")))
    }

    pub(crate) fn sha256(&mut self) -> Result<[u8; 32], JournalError> {
        let text = self.text()?;
        sha256_of(text).ok_or_else(|| self.wrong_column("it is not a SHA-256 in hexadecimal"))
    }

    /// The seed of a side, as a transcript's header has it.
    pub(crate) fn side_seed(&mut self) -> Result<u64, JournalError> {
        let text = self.text()?;
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let add = |seed: u64, byte| Some(seed << 4 | u64::from(digit(byte)?));
        let seed = if text.len() == 16 { text.bytes().try_fold(0, add) } else { None };
        seed.ok_or_else(|| self.wrong_column("it is not 16 hexadecimal digits"))
    }

    /// True if a game has events. Formats before 1.6 have no such column.
    pub(crate) fn has_events(&self) -> Result<bool, JournalError> {
        let events = self.next + 2;
        Ok(events < self.row.as_ref().column_count() && self.row.get_ref(events)?.data_type() != Type::Null)
    }

    /// Passes over the hash and the size of a transcript, which a game with events does not have.
    pub(crate) fn skip_transcript(&mut self) -> Result<(), JournalError> {
        self.next += 1;
        if !self.is_null()? {
            return Err(self.wrong("it has events and a transcript"));
        }
        self.next += 1;
        Ok(())
    }
}
