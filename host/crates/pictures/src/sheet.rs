//! A game's own picture: lines of text of any width.

use crate::text::{plain, width};
use std::sync::Arc;

/// A picture as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// As the game has it.
    text: Arc<str>,
    lines: Vec<String>,
    columns: usize,
    /// True for a sentence in place of a picture.
    is_failed: bool,
}

/// A place of a picture, or the number of its rows and columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows.
    pub rows: usize,
    /// Columns of a terminal.
    pub columns: usize,
}

impl Sheet {
    /// The picture in a text. Spaces at the ends of lines and empty lines at its end are not part of it.
    pub fn new(text: &str) -> Self {
        let mut lines: Vec<String> = text.lines().map(|line| plain(line).trim_end().to_owned()).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let columns = lines.iter().map(|line| width(line)).max().unwrap_or(0);
        Self { text: text.into(), lines, columns, is_failed: false }
    }

    /// A sentence in place of a picture.
    pub fn failed(text: &str) -> Self {
        Self { is_failed: true, ..Self::new(text) }
    }

    /// True for a sentence in place of a picture.
    pub fn is_failed(&self) -> bool {
        self.is_failed
    }

    /// The text as the game has it, which is plain, but not for the terminal: it may have letters that run from right to left.
    pub fn text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// Its lines, which are plain.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The number of its rows and columns.
    pub fn extent(&self) -> Extent {
        Extent { rows: self.lines.len(), columns: self.columns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_picture_has_no_empty_space() {
        let sheet = Sheet::new("  a \n\n b数\n  \n\n");
        assert_eq!(sheet.lines(), ["  a", "", " b数"]);
        assert_eq!(sheet.extent(), Extent { rows: 3, columns: 4 });
    }
}
