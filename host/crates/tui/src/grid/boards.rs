//! Two boards side by side, with a title above and notes below each.

use super::{Emphasis, Grid, Window};
use crate::pen::{Pen, Piece, piece, pieces_width, row_of};
use crate::theme::Tone;
use arena_rules::Coord;
use ratatui::layout::Rect;

/// The smallest number of columns that a block takes, so that names and numbers fit. Chosen: a board of ten columns has 23.
const BLOCK_WIDTH_MIN: u16 = 24;

/// Columns between two boards, and between them and the panel at their right.
const GAP: u16 = 3;

/// The part to show of a board that does not fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focus {
    /// A cell that has to be shown.
    pub(crate) at: Option<Coord>,
    /// The first row to show, wherever the cell is.
    pub(crate) top: Option<u8>,
}

/// A board with a title above it and notes below it.
#[derive(Debug)]
pub struct Block {
    pub(crate) title: Vec<Piece<'static>>,
    pub(crate) grid: Grid,
    pub(crate) notes: Vec<Vec<Piece<'static>>>,
    pub(crate) focus: Focus,
}

impl Block {
    /// Puts the cursor on a cell, which is then shown.
    pub(crate) fn put_cursor(&mut self, at: Coord) {
        self.grid.mark(at, Emphasis::Cursor);
        self.focus = Focus { at: Some(at), top: None };
    }

    /// The number of rows that the whole block takes.
    pub(crate) fn rows_needed(&self) -> u16 {
        let rows = u16::from(self.grid.size.height);
        let rows = if self.grid.cell_width > 1 { 2 * rows - 1 } else { rows };
        2 + rows + self.notes.len() as u16
    }
}

/// The rest of an area beside and below two blocks.
pub(crate) struct Rest {
    pub(crate) right: Rect,
    pub(crate) below: Rect,
}

/// Draws two blocks at the top left of an area.
pub(crate) fn draw_blocks(pen: &mut Pen<'_>, area: Rect, blocks: [&Block; 2]) -> Rest {
    let margin = u16::from(area.width > 0);
    let room = area.width.saturating_sub(margin);
    let half = room.saturating_sub(GAP) / 2;
    let [width, narrow] = [true, false].map(|roomy| {
        let widths = blocks.map(|block| Window::board_width(block.grid.size, block.grid.cell_width, roomy));
        widths[0].max(widths[1]).max(BLOCK_WIDTH_MIN)
    });
    let width = if width <= half { width } else { narrow.min(half) };
    let notes = blocks.map(|block| block.notes.len() as u16);
    let board_rows = area.height.saturating_sub(1 + notes[0].max(notes[1]));
    let mut rows_used = 0;
    for (number, block) in (0..).zip(blocks) {
        let x = area.x + margin + number * (width + GAP);
        let place = Rect { x, width, ..area }.intersection(area);
        rows_used = rows_used.max(draw_block(pen, place, block, board_rows));
    }
    let used = (margin + 2 * width + GAP).min(area.width);
    let right = (used + GAP).min(area.width);
    Rest {
        right: Rect { x: area.x + right, width: area.width - right, ..area },
        below: Rect { y: area.y + rows_used, height: area.height - rows_used, ..area },
    }
}

/// Draws a block. Returns the number of rows that it took.
fn draw_block(pen: &mut Pen<'_>, area: Rect, block: &Block, board_rows: u16) -> u16 {
    let window = Window::new(&block.grid, area.width, board_rows, block.focus);
    let title = row_of(area, 0);
    pen.line(title, &block.title);
    if let Some(cut) = window.cut(block.grid.size) {
        let cut = [piece(format!(" {cut}"), Tone::Last)];
        let width = (pieces_width(&cut) as u16).min(title.width);
        let end = Rect { x: title.right() - width, width, ..title };
        pen.clear(end);
        pen.line(end, &cut);
    }
    if board_rows == 0 {
        return 1.min(area.height);
    }
    pen.line(row_of(area, 1), &[piece(window.labels(&block.grid), Tone::Faint)]);
    let mut y = 2;
    for row in window.rows.clone() {
        pen.line(row_of(area, y), &window.row(&block.grid, row));
        y += window.row_pitch;
    }
    let mut y = y + 1 - window.row_pitch;
    for note in &block.notes {
        pen.line(row_of(area, y), note);
        y += 1;
    }
    y.min(area.height)
}
