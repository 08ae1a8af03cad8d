//! Two boards side by side, with a title above and notes below each.

use super::{Focus, Window, tiles};
use crate::pen::{Pen, part_below, part_right, pieces_width, row_of};
use crate::target::Target;
use arena_pictures::text::{fit, fits, width};
use arena_pictures::{Emphasis, Grid, Piece, Tone, piece};
use arena_rules::Coord;
use ratatui::layout::Rect;

/// The smallest number of columns that a block takes, so that names and numbers fit. Chosen: a board of ten columns has 23.
const BLOCK_WIDTH_MIN: u16 = 24;

/// The largest number of columns for a title to count as needed. Chosen: longer names are cut rather than give a board the
/// whole screen.
const TITLE_WIDTH_MAX: usize = 20;

/// Columns between two boards, and between them and the panel at their right.
const GAP: u16 = 3;

/// The words after the name of a side with one ship left.
const LAST_SHIP: &str = " last ship";

/// The title of a board: a name with signs before and after it. The name is cut if it does not fit.
#[derive(Clone, Debug)]
pub struct Title {
    pub(crate) before: Piece<'static>,
    pub(crate) name: Piece<'static>,
    pub(crate) after: Piece<'static>,
    /// True if the side has one ship left. The title says so if there is room.
    pub(crate) is_on_last_ship: bool,
}

impl Title {
    /// The title of a side: its name, with a sign if it is its turn, and if it has won.
    pub(crate) fn new(name: String, is_mover: bool, has_won: bool) -> Self {
        Self {
            before: piece(if is_mover { "▸ " } else { "  " }, Tone::Last),
            name: piece(name, if is_mover || has_won { Tone::Strong } else { Tone::Text }),
            after: piece(if has_won { " won" } else { "" }, Tone::Good),
            is_on_last_ship: false,
        }
    }

    /// Its pieces, from left to right.
    pub(crate) fn pieces(&self) -> [Piece<'static>; 3] {
        [self.before.clone(), self.name.clone(), self.after.clone()]
    }
}

/// A board with a title above it and notes below it.
#[derive(Debug)]
pub struct Block {
    pub(crate) title: Title,
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

    /// The number of rows of the screen that the board takes at a scale.
    fn board_rows(&self, scale: u16) -> u16 {
        let rows = u16::from(self.grid.size.height);
        match scale {
            1 if self.grid.cell_width > 1 => (2 * rows).saturating_sub(1),
            1 => rows,
            _ => rows * tiles::pitch(self.grid.cell_width, scale).1,
        }
    }

    /// The number of columns of the screen that the board takes at a scale, roomy or not at the smallest one.
    fn board_columns(&self, scale: u16, is_roomy: bool) -> u16 {
        match scale {
            1 => Window::board_width(self.grid.size, self.grid.cell_width, is_roomy),
            _ => {
                Window::GUTTER + u16::from(self.grid.size.width) * tiles::pitch(self.grid.cell_width, scale).0
            }
        }
    }

    /// The number of columns that the whole block takes at a scale, at least.
    fn columns_needed(&self, scale: u16) -> usize {
        let title = pieces_width(&self.title.pieces());
        let notes = self.notes.iter().map(|note| pieces_width(without_label(note))).max().unwrap_or(0);
        title.min(TITLE_WIDTH_MAX).max(notes).max(self.board_columns(scale, false).into())
    }

    /// The number of rows that the whole block takes at a scale: with its title, the labels and the notes.
    fn rows_needed(&self, scale: u16) -> u16 {
        2 + self.board_rows(scale) + self.notes.len() as u16
    }
}

/// The way in which two boards fill an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The number of times that cells have grown.
    scale: u16,
    /// The number of rows that both blocks need.
    pub(crate) rows_needed: u16,
}

impl Layout {
    /// The largest boards that fit completely, with a panel of some columns at their right if there is room for both; boards
    /// that do not fit have the smallest size.
    pub(crate) fn new(area: Rect, blocks: [&Block; 2], panel_width: u16) -> Self {
        let fits = |scale: u16, panel: u16| {
            let [left, right] = blocks.map(|block| block.board_columns(scale, false));
            let widths = 1 + 2 * left.max(right) + GAP;
            let panel = if panel > 0 { GAP + panel } else { 0 };
            widths + panel <= area.width && blocks.iter().all(|block| block.rows_needed(scale) <= area.height)
        };
        let largest = |panel| (2..=tiles::SCALE_MAX).rev().find(|&scale| fits(scale, panel));
        let scale = largest(panel_width).or_else(|| largest(0)).unwrap_or(1);
        let rows_needed = blocks[0].rows_needed(scale).max(blocks[1].rows_needed(scale));
        Self { scale, rows_needed }
    }

    /// True if the width of an area is enough for both blocks: for their boards, their titles and their notes.
    pub(crate) fn shows_all(self, area: Rect, blocks: [&Block; 2]) -> bool {
        let width = usize::from(self.block_width(area, blocks));
        blocks.iter().all(|block| width >= block.columns_needed(self.scale))
    }

    /// The number of columns that both blocks take on an area, with the margin before them.
    pub(crate) fn columns(self, area: Rect, blocks: [&Block; 2]) -> u16 {
        (1 + 2 * self.block_width(area, blocks) + GAP).min(area.width)
    }

    /// The number of columns of each block on an area.
    fn block_width(self, area: Rect, blocks: [&Block; 2]) -> u16 {
        let half = area.width.saturating_sub(1 + GAP) / 2;
        let [width, narrow] = [true, false].map(|is_roomy| {
            let widths = blocks.map(|block| block.board_columns(self.scale, is_roomy));
            widths[0].max(widths[1]).max(BLOCK_WIDTH_MIN)
        });
        if width <= half { width } else { narrow.min(half) }
    }
}

/// What two blocks leave of an area: the parts to the right of and below them, and what they did not show.
pub(crate) struct Rest {
    /// True if a name above a board was cut.
    pub(crate) has_cut_name: bool,
    pub(crate) right: Rect,
    pub(crate) below: Rect,
}

/// Draws two blocks at the top left of an area.
pub(crate) fn draw_blocks(pen: &mut Pen<'_>, area: Rect, blocks: [&Block; 2], layout: Layout) -> Rest {
    let margin = u16::from(area.width > 0);
    let width = layout.block_width(area, blocks);
    let notes = blocks.map(|block| block.notes.len() as u16);
    let board_rows = area.height.saturating_sub(1 + notes[0].max(notes[1]));
    let mut rows_used = 0;
    let mut has_cut_name = false;
    for (number, block) in blocks.into_iter().enumerate() {
        // There are two.
        let x = area.x + margin + number as u16 * (width + GAP);
        let place = Rect { x, width, ..area }.intersection(area);
        let window = Window::new(&block.grid, place.width, board_rows, block.focus);
        let cut = if layout.scale == 1 { window.cut(block.grid.size) } else { None };
        has_cut_name |= !draw_title(pen, row_of(place, 0), &block.title, cut);
        let rows = match layout.scale {
            1 => draw_rows(pen, place, number, block, &window),
            scale => draw_tiles(pen, place, number, block, scale),
        };
        for (row, note) in (rows..).zip(&block.notes) {
            let fits = pieces_width(note) <= place.width.into();
            pen.line(row_of(place, row), if fits { note } else { without_label(note) });
        }
        rows_used = rows_used.max((rows + notes[number]).min(area.height));
    }
    let used = (margin + 2 * width + GAP).min(area.width);
    Rest {
        has_cut_name,
        right: part_right(area, usize::from(used + GAP)),
        below: part_below(area, rows_used),
    }
}

/// A note without its label, the first of several pieces: for a place where it does not fit with it.
fn without_label<'a>(note: &'a [Piece<'static>]) -> &'a [Piece<'static>] {
    match note {
        [_, rest @ ..] if !rest.is_empty() => rest,
        note => note,
    }
}

/// Draws the title of a board and, at its right, the part of the board that is shown if that is not all. Returns true if there
/// is room for the whole name.
fn draw_title(pen: &mut Pen<'_>, row: Rect, title: &Title, part: Option<String>) -> bool {
    let Title { before, name: (name, tone), after, is_on_last_ship } = title;
    let part = part.map(|part| piece(format!(" {part}"), Tone::Last));
    let taken = width(&before.0) + width(&after.0) + pieces_width(part.as_slice());
    let room = usize::from(row.width).saturating_sub(taken);
    let last_ship = *is_on_last_ship && width(name) + LAST_SHIP.len() <= room;
    let last_ship = piece(if last_ship { LAST_SHIP } else { "" }, Tone::Last);
    pen.line(row, &[before.clone(), piece(fit(name, room), *tone), after.clone(), last_ship]);
    pen.line_right(row, part.as_slice());
    fits(name, room)
}

/// Draws a board with large cells. Returns the number of rows that it took, with those above it.
fn draw_tiles(pen: &mut Pen<'_>, area: Rect, number: usize, block: &Block, scale: u16) -> u16 {
    tiles::draw(pen, part_below(area, 1), Window::GUTTER, &block.grid, scale);
    let pitch = tiles::pitch(block.grid.cell_width, scale);
    let rows = block.board_rows(scale);
    let width = u16::from(block.grid.size.width) * pitch.0;
    let cells = Rect { x: area.x + Window::GUTTER, y: area.y + 2, width, height: rows };
    pen.target(cells, Target::Board { number, first: Coord::new(0, 0), pitch });
    2 + rows
}

/// Draws the part of a board in a window, with cells of one character, or three. Returns the number of rows that it took, with
/// those above it.
fn draw_rows(pen: &mut Pen<'_>, area: Rect, number: usize, block: &Block, window: &Window) -> u16 {
    if window.rows.is_empty() {
        return 1.min(area.height);
    }
    pen.line(row_of(area, 1), &[piece(window.labels(&block.grid), Tone::Faint)]);
    let shown = window.rows.len() as u16;
    let height = (shown * window.row_pitch + 1).saturating_sub(window.row_pitch);
    let width = window.columns.len() as u16 * window.pitch;
    let cells = Rect { x: area.x + Window::GUTTER, y: area.y + 2, width, height }.intersection(area);
    // The space in which the first emphasis begins is water, too.
    pen.flood(Rect { x: cells.x.saturating_sub(1), width: cells.width + 1, ..cells }.intersection(area));
    let first = Coord::new(window.rows.start, window.columns.start);
    pen.target(cells, Target::Board { number, first, pitch: (window.pitch, window.row_pitch) });
    let mut y = 2;
    for row in window.rows.clone() {
        pen.line(row_of(area, y), &window.row(&block.grid, row));
        y += window.row_pitch;
    }
    y + 1 - window.row_pitch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Theme;
    use arena_rules::Size;
    use ratatui::buffer::Buffer;

    fn block(name: &'static str, grid: Grid) -> Block {
        Block {
            title: Title::new(name.to_owned(), false, false),
            grid,
            notes: vec![vec![piece("a note", Tone::Text)]],
            focus: Focus::default(),
        }
    }

    #[test]
    fn a_side_without_a_board_has_its_title_and_its_notes_at_any_size() {
        let board = || Grid::of_glyphs(Size::new(7, 6), |_| ('o', Tone::Ship));
        let threes = || Grid::of_threes(Size::new(7, 6), |_| (['o'; 3], Tone::Ship));
        for grid in [board as fn() -> Grid, threes] {
            for (width, height) in [(56, 10), (80, 24), (120, 40), (250, 90)] {
                let area = Rect { x: 0, y: 0, width, height };
                let blocks = [block("first", grid()), block("second", Grid::none())];
                let layout = Layout::new(area, [&blocks[0], &blocks[1]], 25);
                let mut buffer = Buffer::empty(area);
                let mut pen = Pen::new(&mut buffer, Theme::of(|_| None));
                draw_blocks(&mut pen, area, [&blocks[0], &blocks[1]], layout);
                let text: String = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
                for part in ["first", "second"] {
                    assert!(text.contains(part), "{width}x{height}: {part}");
                }
                assert_eq!(text.matches("a note").count(), 2, "{width}x{height}");
            }
        }
    }
}
