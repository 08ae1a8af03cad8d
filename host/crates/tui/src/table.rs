//! Tables: columns with a head each, and rows of cells.

use crate::pen::Pen;
use arena_pictures::{Piece, Tone, piece};
use ratatui::layout::{Alignment, Constraint, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Row, Table};

/// A column of a table.
pub(crate) struct Column<'a> {
    pub(crate) head: Piece<'a>,
    pub(crate) width: usize,
    pub(crate) alignment: Alignment,
}

impl<'a> Column<'a> {
    /// A column of numbers, or other cells that are aligned to the right.
    pub(crate) fn right(head: &'a str, width: usize) -> Self {
        Self { head: piece(head, Tone::Faint), width, alignment: Alignment::Right }
    }

    /// A column of texts.
    pub(crate) fn left(head: &'a str, width: usize) -> Self {
        Self { alignment: Alignment::Left, ..Self::right(head, width) }
    }
}

/// Draws a table with some spaces between columns: the heads, and as many rows as there is room for. What does not fit in a cell is cut.
pub(crate) fn draw<'a>(
    pen: &mut Pen<'_>,
    area: Rect,
    spaces: u16,
    columns: &[Column<'_>],
    rows: impl IntoIterator<Item = Vec<Piece<'a>>>,
) {
    let row = |cells: &mut dyn Iterator<Item = &Piece<'_>>| {
        let cell = |(column, (text, tone)): (&Column<'_>, &Piece<'_>)| {
            Line::from(pen.span(text, column.width, *tone)).alignment(column.alignment)
        };
        Row::new(columns.iter().zip(cells).map(cell).collect::<Vec<_>>())
    };
    let heads = row(&mut columns.iter().map(|column| &column.head));
    let rows: Vec<Row<'_>> =
        rows.into_iter().take(area.height.into()).map(|cells| row(&mut cells.iter())).collect();
    // A table is no wider than the screen.
    let widths = columns.iter().map(|column| Constraint::Length(column.width as u16));
    let table = Table::new(rows, widths).header(heads).column_spacing(spaces);
    pen.widget(table, area);
}
