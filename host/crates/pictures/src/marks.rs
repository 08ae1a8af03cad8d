//! Marks and notes that a bot draws on its opponent's board, by lines in its log.
//!
//! `@mark a7 0.8` marks a cell with a weight from 0 to 1, and `@note text` writes a line below the board. The whole line must have this
//! form. Any other line is an ordinary line of the log.

use crate::grid::Grid;
use crate::heat::{put_tenths, tenths_of};
use crate::spot;
use arena_referee::LogMoment;
use arena_rules::Size;
use std::collections::BTreeMap;

/// The largest number of marks of a turn. Chosen: one for each cell of the largest board, 32 by 32.
const MARKS_MAX: usize = 1_024;

/// The longest line that can be a mark, in bytes. Chosen: a cell and a weight with many digits.
const MARK_BYTES_MAX: usize = 48;

/// The longest note, in characters. Chosen: it fits below a board on a wide terminal.
const NOTE_CHARS_MAX: usize = 120;

/// The marks and the note of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The weight of each marked cell, from 0 to 1, by the index of the cell on the board.
    cells: BTreeMap<usize, f64>,
    note: Option<String>,
}

impl Marks {
    /// The marks in a bot's output of a turn, on a board of this size. Of two marks of a cell, and of two notes, the later counts.
    pub fn of(printed: &str, size: Size) -> Self {
        let mut marks = Self::default();
        let mut count = 0;
        for line in printed.lines() {
            // A log in a file begins each line with its turn.
            let line = match (LogMoment::of_line(line), line.split_once(": ")) {
                (Some(_), Some((_, rest))) => rest,
                _ => line,
            };
            if let Some(mark) = line.strip_prefix("@mark ") {
                if count < MARKS_MAX
                    && line.len() <= MARK_BYTES_MAX
                    && let Some((index, weight)) = mark_of(mark, size)
                {
                    count += 1;
                    marks.cells.insert(index, weight);
                }
            } else if let Some(note) = line.strip_prefix("@note ") {
                marks.note = Some(note.trim().chars().take(NOTE_CHARS_MAX).collect());
            }
        }
        marks
    }

    /// The note.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The weight of a cell, by its index on the board, in tenths of the largest one of the turn, from 0 to 9.
    pub fn tenths(&self, index: usize) -> Option<u8> {
        let largest = self.cells.values().copied().fold(0.0, f64::max);
        self.cells.get(&index).map(|&weight| tenths_of(weight, largest))
    }

    /// Draws the marks over a board: a digit for the tenths on each marked cell that was not shot at.
    pub fn draw(&self, grid: &mut Grid) {
        for (index, at) in grid.size.coords().enumerate() {
            if let Some(tenths) = self.tenths(index) {
                put_tenths(grid, at, tenths);
            }
        }
    }
}

/// The cell and the weight of `a7 0.8`.
fn mark_of(text: &str, size: Size) -> Option<(usize, f64)> {
    let (cell, weight) = text.trim_end().rsplit_once(' ')?;
    let is_number = weight.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let weight = weight.parse::<f64>().ok().filter(|weight| is_number && (0.0..=1.0).contains(weight))?;
    let index = size.index(spot::parse(size, cell).ok()?)?;
    Some((index, weight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::Coord;

    const TEN: Size = Size::new(10, 10);

    fn marked(printed: &str) -> Vec<(usize, f64)> {
        Marks::of(printed, TEN).cells.into_iter().collect()
    }

    #[test]
    fn a_line_of_the_log_marks_a_cell_or_is_an_ordinary_line() {
        let a7 = TEN.index(Coord::new(7, 0)).unwrap();
        for (line, weight) in [
            ("@mark a7 0.8", 0.8),
            ("@mark a7 0", 0.0),
            ("@mark a7 1", 1.0),
            ("@mark a7 1.0", 1.0),
            ("@mark a7 .25", 0.25),
            ("@mark A7 0.8 ", 0.8),
            ("@mark 7,0 0.8", 0.8),
            ("@mark (7, 0) 0.8", 0.8),
            ("turn 12: @mark a7 0.8", 0.8),
            ("deploy: @mark a7 0.8", 0.8),
        ] {
            assert_eq!(marked(line), [(a7, weight)], "{line}");
        }
        for line in [
            "",
            "@mark",
            "@mark ",
            "@mark a7",
            "@mark 0.8",
            "@mark a7 1.1",
            "@mark a7 -0.1",
            "@mark a7 1e-1",
            "@mark a7 NaN",
            "@mark a7 inf",
            "@mark a7 0.8 0.9",
            "@mark a70 0.8",
            "@mark k7 0.8",
            "@mark 99999999999999999999,0 0.8",
            "@mark \u{1b}[31m 0.8",
            " @mark a7 0.8",
            "x @mark a7 0.8",
            "turn x: @mark a7 0.8",
            "@MARK a7 0.8",
            "@mark a7 0.00000000000000000000000000000000000000000000001",
        ] {
            assert_eq!(marked(line), [], "{line}");
        }
    }

    #[test]
    fn marks_are_shown_in_tenths_of_the_largest_one() {
        let marks = Marks::of("@mark a0 0.02\n@mark b0 0.01\n@mark c0 0\n@mark d0 0.0199", TEN);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|index| marks.tenths(index)),
            [Some(9), Some(5), Some(0), Some(9), None]
        );
        assert_eq!(Marks::of("@mark a0 0", TEN).tenths(0), Some(0), "nothing has no largest part");
    }

    #[test]
    fn the_later_mark_of_a_cell_and_the_later_note_count() {
        let marks = Marks::of("@mark a0 0.1\n@note one\n@mark a0 0.7\n@note two\r\n", TEN);
        assert_eq!((marks.cells[&0], marks.note()), (0.7, Some("two")));
        assert_eq!(Marks::of("@notes\n@note\nnote", TEN), Marks::default());
    }

    #[test]
    fn a_flood_of_marks_and_a_long_note_are_bounded() {
        let size = Size::new(32, 32);
        let mut flood: String =
            size.coords().map(|at| format!("@mark {} 0.5\n", spot::name(size, at))).collect();
        assert_eq!(Marks::of(&flood, size).cells.len(), MARKS_MAX);
        flood.push_str("@mark a0 0.9\n@note ");
        flood.push_str(&"數".repeat(100_000));
        let marks = Marks::of(&flood, size);
        assert_eq!(marks.cells[&0], 0.5, "a mark beyond the limit is ignored");
        assert_eq!(marks.note().unwrap().chars().count(), NOTE_CHARS_MAX);
    }
}
