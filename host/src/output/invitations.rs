//! The invited authors of a list, with their tokens.

use super::Output;
use super::csv::{cell, csv};
use arena_text::{Line, Text};

/// The longest cell that is printed, in characters. Chosen: an address of e-mail has 254 at most.
const CELL_CHARS_MAX: usize = 300;

/// A list with the authors and their tokens before its own columns.
pub struct Invitations {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells of each author.
    pub rows: Vec<Vec<String>>,
}

impl Output for Invitations {
    fn text(&self) -> Text {
        self.csv().iter().map(Text::as_str).collect::<Vec<_>>().join("\n").into()
    }

    fn csv(&self) -> Vec<Text> {
        let plain = |cells: &[String]| -> Vec<String> {
            cells.iter().map(|text| cell(&Line::<CELL_CHARS_MAX>::new(text))).collect()
        };
        let header = plain(&self.header);
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        csv(&header, self.rows.iter().map(|row| plain(row)))
    }
}
