//! A game's own picture on a screen: the part of it that fits.

use crate::pen::{Pen, row_of};
use arena_pictures::text::width;
use arena_pictures::{Extent, Sheet, Tone, piece};
use arena_text::grouped;
use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use std::cell::Cell;
use unicode_segmentation::UnicodeSegmentation;

/// Rows that a key scrolls a picture that does not fit. Chosen: less than half of what the smallest terminal shows.
const SCROLL_ROWS: usize = 4;

/// Columns that a key scrolls it. Chosen: less than half of what the smallest terminal shows.
const SCROLL_COLUMNS: usize = 20;

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

/// True if an area shows all of it.
pub(crate) fn fits(sheet: &Sheet, area: Rect) -> bool {
    sheet.extent().columns <= area.width.into() && sheet.extent().rows <= area.height.into()
}

/// The furthest place that a part that fills an area can begin at.
pub(crate) fn last_start(sheet: &Sheet, area: Rect) -> Extent {
    let Extent { rows, columns } = sheet.extent();
    Extent {
        rows: rows.saturating_sub(area.height.into()),
        columns: columns.saturating_sub(area.width.into()),
    }
}

/// Draws the part that begins at a place, or at the furthest one that fills the area.
pub(crate) fn draw(sheet: &Sheet, pen: &mut Pen<'_>, area: Rect, from: Extent) {
    let last = last_start(sheet, area);
    let (top, left) = (from.rows.min(last.rows), from.columns.min(last.columns));
    for (number, line) in (0..area.height).zip(sheet.lines().iter().skip(top)) {
        pen.line(row_of(area, number), &[piece(part_of(line, left, area.width.into()), Tone::Text)]);
    }
}

/// The rows and columns that an area shows, as text; `None` when it shows all.
pub(crate) fn cut(sheet: &Sheet, area: Rect, from: Extent) -> Option<String> {
    let (all, last) = (sheet.extent(), last_start(sheet, area));
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
    use arena_pictures::text::plain;
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
            let cut = cut(&sheet, area, Extent { rows: from.0, columns: from.1 });
            prop_assert_eq!(cut.is_none(), fits(&sheet, area), "{:?}", cut);
        }
    }
}
