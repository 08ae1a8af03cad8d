//! The dashboard page of the workers on other machines.

use crate::help;
use crate::pen::{Pen, part_below, part_right, row_from_end, row_of};
use crate::table::{self, Column};
use arena_pictures::text::{plain, width};
use arena_pictures::{Tone, piece};
use ratatui::layout::Rect;

/// The workers of a contest as a table, for the dashboard and other outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkersTable {
    /// The columns.
    pub columns: Vec<WorkersColumn>,
    /// The rows, each with a cell for each column.
    pub rows: Vec<Vec<String>>,
    /// The totals of all workers, as a line of text.
    pub sum: String,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkersColumn {
    /// The name.
    pub name: &'static str,
    /// True if its cells are text rather than numbers.
    pub is_text: bool,
    /// The rank. Where space is short, columns with the largest rank are left out first.
    pub rank: u8,
}

/// The smallest number of characters to which text is cut. Chosen: whole names of most workers, and residuals with most labels.
const TEXT_WIDTH_MIN: usize = 14;

/// The keys of the page with their meanings.
pub(super) const KEYS: &help::Keys =
    &[("↑ ↓", "scroll; home and end: the first, the last"), ("t", "other colours"), ("esc w q", "back")];

/// The columns with their meanings. `arena workers` has the same ones.
pub(super) const COLUMNS: &help::Keys = &[
    ("share", "its share of all games"),
    ("games/s", "games a second"),
    ("batch s", "seconds from a batch to its result"),
    ("heard", "seconds since its last heartbeat"),
    ("same other", "rechecked games with the same result or not"),
    ("failed", "games that failed on it"),
    ("late", "batches given to others too: it was slow"),
    ("residual", "how far its results are from the others'"),
];

/// The state of the page.
#[derive(Debug, Default)]
pub(super) struct WorkersPage {
    /// The index of the first visible row.
    pub(super) top: usize,
}

impl WorkersPage {
    /// Draws the table in an area.
    pub(super) fn draw(&self, pen: &mut Pen<'_>, area: Rect, workers: &WorkersTable) {
        let sum = format!(" {}", plain(&workers.sum));
        pen.line(row_of(area, 0), &[piece(sum, Tone::Strong)]);
        let widths = widths(workers, usize::from(area.width).saturating_sub(1));
        let shown: Vec<(usize, usize)> =
            widths.into_iter().enumerate().filter(|(_, width)| *width > 0).collect();
        let columns: Vec<Column<'_>> = shown
            .iter()
            .map(|&(place, width)| match workers.columns[place] {
                WorkersColumn { name, is_text: true, .. } => Column::left(name, width),
                WorkersColumn { name, .. } => Column::right(name, width),
            })
            .collect();
        let space = usize::from(area.height.saturating_sub(3));
        let top = self.top.min(workers.rows.len().saturating_sub(space));
        let cell =
            |row: &'_ [String], place: usize| piece(row.get(place).cloned().unwrap_or_default(), Tone::Text);
        let rows = workers.rows.iter().skip(top).take(space);
        let rows = rows.map(|row| shown.iter().map(|&(place, _)| cell(row, place)).collect());
        table::draw(pen, part_right(part_below(area, 1), 1), 1, &columns, rows);
        let more = workers.rows.len().saturating_sub(top + space);
        if more > 0 {
            pen.line_right(row_from_end(area, 0), &[piece(format!("{more} more ↓ "), Tone::Last)]);
        }
    }
}

/// The width of each column in the available space; 0 for columns that are left out.
fn widths(table: &WorkersTable, space: usize) -> Vec<usize> {
    let WorkersTable { columns, rows, .. } = table;
    let widest = |place: usize| {
        let cells = rows.iter().filter_map(|row| row.get(place)).map(|cell| width(&plain(cell)));
        cells.max().unwrap_or(0).max(width(columns[place].name))
    };
    let widest: Vec<usize> = (0..columns.len()).map(widest).collect();
    let taken = |widths: &[usize]| widths.iter().map(|&width| width + usize::from(width > 0)).sum::<usize>();
    let least = |place: usize| match columns[place].is_text {
        true => widest[place].min(TEXT_WIDTH_MIN.max(width(columns[place].name))),
        false => widest[place],
    };
    let mut widths: Vec<usize> = (0..columns.len()).map(least).collect();
    while taken(&widths) > space {
        let is_there = |&place: &usize| widths[place] > 0;
        let last = (0..columns.len()).filter(is_there).max_by_key(|&place| columns[place].rank);
        let Some(last) = last else { break };
        widths[last] = 0;
    }
    // The remaining space goes to the text that is cut most.
    let cut =
        |widths: &[usize], place: usize| if widths[place] > 0 { widest[place] - widths[place] } else { 0 };
    while taken(&widths) < space
        && let Some(place) = (0..columns.len()).max_by_key(|&place| cut(&widths, place))
        && cut(&widths, place) > 0
    {
        widths[place] += 1;
    }
    widths
}
