//! A board as rows of text: the part of it that fits, with labels and emphasis.

use arena_pictures::{Cell, Emphasis, Grid, Piece, Tone, piece, spot};
use arena_rules::{Coord, Size};
use std::ops::Range;

/// The part to show of a board that does not fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focus {
    /// A cell that has to be shown.
    pub(crate) at: Option<Coord>,
    /// The first row to show, wherever the cell is.
    pub(crate) top: Option<u8>,
}

/// The part of a board that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) rows: Range<u8>,
    pub(crate) columns: Range<u8>,
    /// Columns of the screen from one cell to the next.
    pub(crate) pitch: u16,
    /// Rows of the screen from one row to the next.
    pub(crate) row_pitch: u16,
}

impl Window {
    /// Columns of the row labels: two digits, and the space in which the first emphasis begins.
    pub(crate) const GUTTER: u16 = 3;

    /// The number of columns that a whole board takes, roomy or as narrow as possible.
    pub(crate) fn board_width(size: Size, cell_width: u8, roomy: bool) -> u16 {
        Self::GUTTER + u16::from(size.width) * Self::pitch(cell_width, roomy)
    }

    fn pitch(cell_width: u8, roomy: bool) -> u16 {
        if roomy || cell_width > 1 { u16::from(cell_width) + 1 } else { 1 }
    }

    /// The part of a board to show in this number of columns and rows, which include the labels: all of it if it fits, else
    /// the part in focus.
    pub(crate) fn new(grid: &Grid, width: u16, height: u16, focus: Focus) -> Self {
        let size = grid.size;
        let is_roomy = Self::board_width(size, grid.cell_width, true) <= width;
        let pitch = Self::pitch(grid.cell_width, is_roomy);
        let height = height.saturating_sub(1);
        let spread = (u16::from(size.height) * 2).saturating_sub(1);
        let row_pitch = if grid.cell_width > 1 && spread <= height { 2 } else { 1 };
        let at = focus.at.unwrap_or(Coord::new(0, 0));
        let columns_fit = width.saturating_sub(Self::GUTTER) / pitch;
        let rows_fit = height.div_ceil(row_pitch);
        Self {
            rows: match focus.top {
                Some(top) => part_from(size.height, rows_fit, top),
                None => part(size.height, rows_fit, at.row),
            },
            columns: part(size.width, columns_fit, at.column),
            pitch,
            row_pitch,
        }
    }

    /// The rows and columns that are shown, as text; `None` when the whole board is shown.
    pub(crate) fn cut(&self, size: Size) -> Option<String> {
        let rows = (self.rows.len() < size.height.into())
            .then(|| format!("rows {}–{}", self.rows.start, self.rows.end.saturating_sub(1)));
        let columns = (self.columns.len() < size.width.into()).then(|| {
            let [first, last] = [self.columns.start, self.columns.end.saturating_sub(1)].map(spot::column);
            format!("{first}–{last}")
        });
        match (rows, columns) {
            (None, None) => None,
            (rows, columns) => Some([rows, columns].into_iter().flatten().collect::<Vec<_>>().join(" ")),
        }
    }

    /// The labels of the columns.
    pub(crate) fn labels(&self, grid: &Grid) -> String {
        let mut text = " ".repeat(Self::GUTTER.into());
        let before = usize::from(grid.cell_width / 2);
        for number in self.columns.clone() {
            text.extend(std::iter::repeat_n(' ', before));
            text.push(spot::column(number));
            let after = usize::from(self.pitch).saturating_sub(before + 1);
            text.extend(std::iter::repeat_n(' ', after));
        }
        text
    }

    /// A row of the board, with its label.
    pub(crate) fn row<'a>(&self, grid: &Grid, row: u8) -> Vec<Piece<'a>> {
        let mut pieces = vec![piece(format!("{row:>2}"), Tone::Faint)];
        let has_gaps = self.pitch > grid.cell_width.into();
        let cells: Vec<&Cell> =
            self.columns.clone().filter_map(|column| grid.cell(Coord::new(row, column))).collect();
        let mut before = None::<&Cell>;
        let is_narrow = grid.cell_width == 1;
        for &cell in &cells {
            if has_gaps {
                pieces.push(gap(before, Some(cell), is_narrow));
            } else if pieces.len() == 1 {
                pieces.push(piece(" ", Tone::Faint));
            }
            let text: String = cell.text[..usize::from(grid.cell_width)].iter().collect();
            let stands_out =
                cell.emphasis == Emphasis::Cursor || (!has_gaps && cell.emphasis == Emphasis::Last);
            pieces.push(piece(text, if stands_out { Tone::Cursor } else { cell.tone }));
            before = Some(cell);
        }
        if has_gaps {
            pieces.push(gap(before, None, is_narrow));
        }
        pieces
    }
}

/// The part of a side that is shown if `fit` cells of it fit: the first part with the focus in it, out of a few parts, each
/// half a part after the one before. So the board does not move with every shot.
fn part(side: u8, fit: u16, focus: u8) -> Range<u8> {
    let fit = u8::try_from(fit).unwrap_or(u8::MAX).min(side);
    if fit == 0 {
        return 0..0;
    }
    let step = (fit / 2).max(1);
    // The first part that reaches the focus does not begin after it, since a step is not longer than a part.
    let start = if focus < fit { 0 } else { (focus - fit + 1).div_ceil(step) * step };
    let start = start.min(side - fit);
    start..start + fit
}

/// The part of a side that is shown from a given row.
fn part_from(side: u8, fit: u16, top: u8) -> Range<u8> {
    let fit = u8::try_from(fit).unwrap_or(u8::MAX).min(side);
    let start = top.min(side - fit);
    start..start + fit
}

/// The character between two cells. With narrow cells, the second character of a text is there.
fn gap<'a>(left: Option<&Cell>, right: Option<&Cell>, is_narrow: bool) -> Piece<'a> {
    let emphasis = |cell: Option<&Cell>| cell.map_or(Emphasis::None, |cell| cell.emphasis);
    match (emphasis(left), emphasis(right)) {
        (Emphasis::Cursor, _) => piece("<", Tone::Strong),
        (_, Emphasis::Cursor) => piece(">", Tone::Strong),
        (Emphasis::Last, _) => piece("]", Tone::Last),
        (_, Emphasis::Last) => piece("[", Tone::Last),
        (Emphasis::Reach, _) | (_, Emphasis::Reach) => piece(":", Tone::Good),
        (Emphasis::None, Emphasis::None) => match left {
            Some(cell) if is_narrow && cell.is_written && cell.text[1] != ' ' => {
                piece(cell.text[1].to_string(), cell.tone)
            }
            Some(cell) if cell.stroke.goes_east() => piece("─", Tone::Key),
            _ => piece(" ", Tone::Faint),
        },
    }
}

/// The whole board as lines of text.
pub(crate) fn lines(grid: &Grid) -> Vec<String> {
    let rows = u16::from(grid.size.height) + 1;
    let window = Window::new(grid, u16::MAX, rows, Focus::default());
    let rows =
        window.rows.clone().map(|row| window.row(grid, row).into_iter().map(|(text, _)| text).collect());
    std::iter::once(window.labels(grid)).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_part_that_is_shown_has_the_focus_and_fits(side in 1u8..=32, fit in 1u16..60, focus in any::<prop::sample::Index>()) {
            let focus = focus.index(side.into()) as u8;
            let part = part(side, fit, focus);
            prop_assert!(part.contains(&focus), "{part:?}");
            prop_assert!(part.end <= side && part.len() <= fit.into());
            prop_assert_eq!(part.len(), usize::from(side).min(fit.into()));
        }
    }
}
