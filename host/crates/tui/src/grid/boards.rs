//! Two boards side by side, with what is said above and below each.

use super::{Focus, Grid, Window};
use crate::pen::{Pen, Piece, piece, pieces_width, row_of};
use crate::theme::Tone;
use ratatui::layout::Rect;

/// The least columns that a block takes, so that names and numbers fit. Chosen: a board of ten columns has 23.
const BLOCK_WIDTH_MIN: u16 = 24;

/// Columns between two boards, and between them and what is at their right.
const GAP: u16 = 3;

/// A board with what is said above and below it.
pub(crate) struct Block<'a> {
    pub(crate) title: Vec<Piece<'a>>,
    pub(crate) grid: Grid,
    pub(crate) notes: Vec<Vec<Piece<'a>>>,
    pub(crate) focus: Focus,
}

/// What two blocks have left of an area.
pub(crate) struct Rest {
    pub(crate) right: Rect,
    pub(crate) below: Rect,
}

/// Draws two blocks at the top left of an area.
pub(crate) fn draw_blocks(pen: &mut Pen<'_>, area: Rect, blocks: [&Block<'_>; 2]) -> Rest {
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

/// Draws a block, and says how many rows it took.
fn draw_block(pen: &mut Pen<'_>, area: Rect, block: &Block<'_>, board_rows: u16) -> u16 {
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
