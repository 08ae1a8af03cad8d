//! The values of a row, in the order in which they are hashed.

use crate::JournalError;
use crate::chain::Kind;
use crate::error::Cause;
use arena_rules::{GameRules, Reason, Scores};
use rusqlite::Row;
use rusqlite::types::{FromSqlError, ValueRef};
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The most columns of a row that is hashed: those of a game.
const COLUMNS_MAX: usize = 22;

/// The values of a row, each taken from SQLite once: they are hashed, and then read.
pub(crate) struct Values<'a> {
    row: &'a Row<'a>,
    values: [ValueRef<'a>; COLUMNS_MAX],
    count: usize,
}

impl<'a> Values<'a> {
    /// The values of a row of a kind.
    pub(crate) fn of(row: &'a Row<'a>) -> rusqlite::Result<Self> {
        let (mut values, count) = ([ValueRef::Null; COLUMNS_MAX], row.as_ref().column_count());
        for (column, value) in values[..count].iter_mut().enumerate() {
            *value = row.get_ref(column)?;
        }
        Ok(Self { row, values, count })
    }

    /// The values, in their order.
    pub(crate) fn all(&self) -> &[ValueRef<'a>] {
        &self.values[..self.count]
    }

    /// The number of the row.
    pub(crate) fn number(&self) -> Result<i64, JournalError> {
        Ok(self.row.get(0)?)
    }
}

/// The columns of a row, taken one after the other. An error names the row and the column.
pub(crate) struct Columns<'a> {
    values: &'a Values<'a>,
    kind: Kind,
    number: i64,
    next: usize,
}

impl<'a> Columns<'a> {
    /// The columns after the number.
    pub(crate) fn of(kind: Kind, number: i64, values: &'a Values<'a>) -> Self {
        Self { values, kind, number, next: 1 }
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
        let name = self.values.row.as_ref().column_name(self.next - 1).unwrap_or_default();
        let place = format!("{}, `{name}`", self.place());
        JournalError::damaged(place, cause)
    }

    /// The next value. A row has all of its columns.
    fn take(&mut self) -> ValueRef<'a> {
        self.next += 1;
        self.values.values[self.next - 1]
    }

    /// True if the next column is empty. It is not taken.
    pub(crate) fn is_null(&self) -> bool {
        self.values.values[self.next] == ValueRef::Null
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, JournalError> {
        let value = self.take();
        value.as_str().map_err(|error| self.wrong_type(error, "a text"))
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], JournalError> {
        let value = self.take();
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
        let value = self.take();
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
        let reason = Reason::try_from(text.to_owned()).map_err(|error| self.wrong_column(error))?;
        if reason.is_own() && rules.is_some_and(|rules| !rules.reasons().contains(&reason)) {
            return Err(self.wrong_column(format!("no game of this journal ends for this reason: {text}")));
        }
        Ok(reason)
    }

    /// The scores of a game, in two columns: both, or none.
    pub(crate) fn scores(&mut self) -> Result<Option<Scores>, JournalError> {
        if self.is_null() {
            self.take();
            let is_none = self.take() == ValueRef::Null;
            return if is_none { Ok(None) } else { Err(self.wrong_column("only one side has a score")) };
        }
        Ok(Some([self.whole()?, self.whole()?]))
    }

    /// One of these values, by its word.
    pub(crate) fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Result<T, JournalError> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value);
        found.ok_or_else(|| self.wrong_column(format!("there is no such word: {text}")))
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
}
