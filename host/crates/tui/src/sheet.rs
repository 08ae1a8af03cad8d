//! A game's own picture: lines of text of any width, of which the part that fits is shown.

use crate::pen::{Pen, piece, row_of};
use crate::text::{plain, width};
use crate::theme::Tone;
use arena_text::grouped;
use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use std::cell::Cell;
use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;

/// Rows that a key scrolls a picture that does not fit. Chosen: less than half of what the smallest terminal shows.
const SCROLL_ROWS: usize = 4;

/// Columns that a key scrolls it. Chosen: less than half of what the smallest terminal shows.
const SCROLL_COLUMNS: usize = 20;

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
pub(crate) struct Extent {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// The part of a picture that is shown, if it does not fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scroll {
    pub(crate) from: Extent,
    /// The furthest place that the last drawing could begin at.
    pub(crate) last: Cell<Extent>,
}

impl Scroll {
    /// Moves the part by a key, if it is one for that.
    pub(crate) fn take(&mut self, key: KeyCode) -> bool {
        let last = self.last.get();
        let Extent { rows, columns } = self.from;
        let (rows, columns) = (rows.min(last.rows), columns.min(last.columns));
        self.from = match key {
            KeyCode::Up => Extent { rows: rows.saturating_sub(SCROLL_ROWS), columns },
            KeyCode::Down => Extent { rows: (rows + SCROLL_ROWS).min(last.rows), columns },
            KeyCode::PageUp => Extent { rows: 0, columns },
            KeyCode::PageDown => Extent { rows: last.rows, columns },
            KeyCode::Left => Extent { rows, columns: columns.saturating_sub(SCROLL_COLUMNS) },
            KeyCode::Right => Extent { rows, columns: (columns + SCROLL_COLUMNS).min(last.columns) },
            _ => return false,
        };
        true
    }
}

impl Sheet {
    /// The picture in a text. Spaces at the ends of lines and empty lines at its end are not part of it.
    pub(crate) fn new(text: &str) -> Self {
        let mut lines: Vec<String> = text.lines().map(|line| plain(line).trim_end().to_owned()).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let columns = lines.iter().map(|line| width(line)).max().unwrap_or(0);
        Self { text: text.into(), lines, columns, is_failed: false }
    }

    /// A sentence in place of a picture.
    pub(crate) fn failed(text: &str) -> Self {
        Self { is_failed: true, ..Self::new(text) }
    }

    /// True for a sentence in place of a picture.
    pub(crate) fn is_failed(&self) -> bool {
        self.is_failed
    }

    /// The text as the game has it, which is plain, but not for the terminal: it may have letters that run from right to left.
    pub fn text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// Its lines, which are plain.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The number of its rows and columns.
    pub(crate) fn extent(&self) -> Extent {
        Extent { rows: self.lines.len(), columns: self.columns }
    }

    /// True if an area shows all of it.
    pub(crate) fn fits(&self, area: Rect) -> bool {
        self.columns <= area.width.into() && self.lines.len() <= area.height.into()
    }

    /// The furthest place that a part that fills an area can begin at.
    pub(crate) fn last_start(&self, area: Rect) -> Extent {
        let Extent { rows, columns } = self.extent();
        Extent {
            rows: rows.saturating_sub(area.height.into()),
            columns: columns.saturating_sub(area.width.into()),
        }
    }

    /// Draws the part that begins at a place, or at the furthest one that fills the area.
    pub(crate) fn draw(&self, pen: &mut Pen<'_>, area: Rect, from: Extent) {
        let last = self.last_start(area);
        let (top, left) = (from.rows.min(last.rows), from.columns.min(last.columns));
        for (number, line) in (0..area.height).zip(self.lines.iter().skip(top)) {
            pen.line(row_of(area, number), &[piece(part_of(line, left, area.width.into()), Tone::Text)]);
        }
    }

    /// The rows and columns that an area shows, as text; `None` when it shows all.
    pub(crate) fn cut(&self, area: Rect, from: Extent) -> Option<String> {
        let (all, last) = (self.extent(), self.last_start(area));
        let part = |what: &str, from: usize, shown: u16, all: usize| {
            let end = (from + usize::from(shown)).min(all);
            (end - from < all).then(|| {
                let [first, end, all] = [from + 1, end, all].map(|number| grouped(number as u64));
                format!("{what} {first}–{end} of {all}")
            })
        };
        let rows = part("rows", from.rows.min(last.rows), area.height, all.rows);
        let columns = part("columns", from.columns.min(last.columns), area.width, all.columns);
        let parts: Vec<String> = [rows, columns].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The part of a line in these columns. A sign of which only some columns are in the part is as many spaces there: a `Paragraph` of ratatui
/// that is scrolled shows it whole, and moves the rest of the line.
fn part_of(line: &str, left: usize, columns: usize) -> String {
    let (mut at, mut part) = (0, String::new());
    for sign in line.graphemes(true) {
        let (start, end) = (at, at + width(sign));
        at = end;
        if start >= left + columns {
            break;
        }
        if start >= left && end <= left + columns {
            part.push_str(sign);
        } else {
            // The cells that it has in the part.
            part += &" ".repeat(end.min(left + columns).saturating_sub(start.max(left)));
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_part_of_a_line_has_its_columns_and_no_half_of_a_character() {
        for (left, columns, expected) in [
            (0, 6, "a数b独"),
            (0, 5, "a数b "),
            (1, 4, "数b "),
            (2, 4, " b独"),
            (3, 1, "b"),
            (6, 3, ""),
            (9, 3, ""),
            (0, 0, ""),
        ] {
            assert_eq!(part_of("a数b独", left, columns), expected, "{left} {columns}");
        }
    }

    #[test]
    fn the_end_of_a_picture_has_no_empty_space() {
        let sheet = Sheet::new("  a \n\n b数\n  \n\n");
        assert_eq!(sheet.lines(), ["  a", "", " b数"]);
        assert_eq!(sheet.extent(), Extent { rows: 3, columns: 4 });
    }

    proptest! {
        #[test]
        fn a_part_takes_no_more_columns_than_it_may(line in "\\PC{0,40}", left in 0usize..50, columns in 0usize..50) {
            let line = plain(&line).into_owned();
            let part = part_of(&line, left, columns);
            prop_assert!(width(&part) <= columns);
            prop_assert_eq!(width(&part), width(&line).saturating_sub(left).min(columns));
        }

        #[test]
        fn the_part_that_is_shown_is_named_unless_it_is_all(
            text in "[a-z\n]{0,200}", size in (0u16..60, 0u16..20), from in (0usize..30, 0usize..30)
        ) {
            let sheet = Sheet::new(&text);
            let area = Rect { x: 0, y: 0, width: size.0, height: size.1 };
            let cut = sheet.cut(area, Extent { rows: from.0, columns: from.1 });
            prop_assert_eq!(cut.is_none(), sheet.fits(area), "{:?}", cut);
        }
    }
}
