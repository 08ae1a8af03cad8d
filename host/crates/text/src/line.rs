//! One line of outside text.

use crate::{isolate, plain};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Write};
use std::ops::Deref;
use unicode_width::UnicodeWidthStr;

/// One line of outside text: plain, without a space at its ends or two in a row, and of at most `MAX` characters. It is made
/// only by cleaning a text, also when it is read from a file, so it holds nothing else.
///
/// It is serialized as its text. Shown, it is isolated as a whole if it has right-to-left letters, and a width counts cells
/// of a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line<const MAX: usize>(String);

impl<const MAX: usize> Line<MAX> {
    /// The most characters that it has.
    pub const CHARS_MAX: usize = MAX;

    /// The line that a text makes, cut with an ellipsis if it is too long: see [`line`](crate::line()).
    pub fn new(text: &str) -> Self {
        const { assert!(MAX > 0, "an ellipsis takes a character") };
        Self(plain::line(text, MAX))
    }

    /// The line without isolates, as data and for the names of files.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number of cells that it takes on a terminal.
    pub fn width(&self) -> usize {
        self.0.width()
    }
}

impl<const MAX: usize> fmt::Display for Line<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let isolates = self.0.chars().any(isolate::runs_left);
        let padding = f.width().unwrap_or(0).saturating_sub(self.width());
        let before = match f.align() {
            Some(fmt::Alignment::Right) => padding,
            Some(fmt::Alignment::Center) => padding / 2,
            Some(fmt::Alignment::Left) | None => 0,
        };
        let fill = f.fill();
        (0..before).try_for_each(|_| f.write_char(fill))?;
        if isolates {
            f.write_char(isolate::BEGIN)?;
        }
        f.write_str(&self.0)?;
        if isolates {
            f.write_char(isolate::END)?;
        }
        (before..padding).try_for_each(|_| f.write_char(fill))
    }
}

impl<const MAX: usize> Deref for Line<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> AsRef<str> for Line<MAX> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> From<&str> for Line<MAX> {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl<const MAX: usize> From<&String> for Line<MAX> {
    fn from(text: &String) -> Self {
        Self::new(text)
    }
}

impl<const MAX: usize> From<String> for Line<MAX> {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl<const MAX: usize> PartialEq<str> for Line<MAX> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl<const MAX: usize> PartialEq<&str> for Line<MAX> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl<const MAX: usize> Serialize for Line<MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for Line<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_padded_by_the_cells_that_it_takes() {
        let line = Line::<9>::new;
        assert_eq!(format!("{:>4}|{:-<4}|{:^4}", line("ab"), line("世"), line("é")), "  ab|世--| é  ");
        assert_eq!(format!("{:4}|", line("אב")), "\u{2068}אב\u{2069}  |");
    }

    #[test]
    fn a_line_is_clean_once_it_is_read() {
        let read: Line<9> = serde_json::from_str(r#""a\u001b[31mb\n\u202ec""#).expect("it is a text");
        assert_eq!(read, "ab c");
        assert_eq!(serde_json::to_string(&read).expect("it is a text"), r#""ab c""#);
    }
}
