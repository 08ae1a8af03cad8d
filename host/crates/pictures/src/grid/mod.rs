//! A board as cells to show.

mod blast;
mod stroke;

pub use blast::Blast;
pub use stroke::Stroke;

use crate::tone::Tone;
use arena_rules::{Coord, Direction, Size};

/// The emphasis on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Nothing stands out.
    None,
    /// The last turn happened on it.
    Last,
    /// The cursor is on it.
    Cursor,
    /// It is in reach.
    Reach,
}

/// A cell to show: one character, or three.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Its characters, of which a board shows the first one or all.
    pub text: [char; 3],
    /// The meaning of the text.
    pub tone: Tone,
    /// Its emphasis.
    pub emphasis: Emphasis,
    /// The part of a ship on it, if one is known to be there.
    pub hull: Option<Hull>,
    /// Its shade in tenths, from 0 to 9, if it has one: a chance, or a number of a bot.
    pub shade: Option<u8>,
    /// True if its text is written over what is there: the digit of a shade, or a bot's text.
    pub is_written: bool,
    /// The lines over it.
    pub stroke: Stroke,
}

/// A part of a ship: the sides at which the ship goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hull {
    /// True if the ship goes on in the row above.
    pub north: bool,
    /// True if it goes on in the column to the right.
    pub east: bool,
    /// True if it goes on in the row below.
    pub south: bool,
    /// True if it goes on in the column to the left.
    pub west: bool,
}

/// A board to show.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Its size.
    pub size: Size,
    /// Characters of a cell: 1 or 3.
    pub cell_width: u8,
    cells: Vec<Cell>,
}

impl Grid {
    /// A board with one character on each cell.
    pub fn of_glyphs(size: Size, mut glyph: impl FnMut(Coord) -> (char, Tone)) -> Self {
        Self::new(size, 1, |at| {
            let (glyph, tone) = glyph(at);
            ([glyph, ' ', ' '], tone)
        })
    }

    /// A board with three characters on each cell.
    pub fn of_threes(size: Size, three: impl FnMut(Coord) -> ([char; 3], Tone)) -> Self {
        Self::new(size, 3, three)
    }

    /// No board: that of seat 2 in a game with one board for both sides.
    pub fn none() -> Self {
        Self::of_glyphs(Size::EMPTY, |_| (' ', Tone::Faint))
    }

    fn new(size: Size, cell_width: u8, mut text: impl FnMut(Coord) -> ([char; 3], Tone)) -> Self {
        let cell = |at| {
            let (text, tone) = text(at);
            let stroke = Stroke::default();
            Cell { text, tone, emphasis: Emphasis::None, hull: None, shade: None, is_written: false, stroke }
        };
        Self { size, cell_width, cells: size.coords().map(cell).collect() }
    }

    /// A cell; `None` off the board.
    pub fn cell(&self, at: Coord) -> Option<&Cell> {
        self.cells.get(self.size.index(at)?)
    }

    /// A cell to change; `None` off the board.
    pub fn cell_mut(&mut self, at: Coord) -> Option<&mut Cell> {
        self.cells.get_mut(self.size.index(at)?)
    }

    /// Emphasises a cell. A cell off the board is ignored.
    pub fn mark(&mut self, at: Coord, emphasis: Emphasis) {
        if let Some(cell) = self.cell_mut(at) {
            cell.emphasis = emphasis;
        }
    }

    /// Replaces the text of a cell.
    pub fn put(&mut self, at: Coord, glyph: char, tone: Tone) {
        let text = if self.cell_width == 1 { [glyph, ' ', ' '] } else { [' ', glyph, ' '] };
        if let Some(cell) = self.cell_mut(at) {
            (cell.text, cell.tone) = (text, tone);
        }
    }

    /// Joins cells to a ship, so that it is drawn in one piece.
    pub fn join(&mut self, ship: &[Coord]) {
        let size = self.size;
        for &at in ship {
            let goes_on =
                |direction| size.step(at, direction, 1).is_some_and(|beside| ship.contains(&beside));
            let hull = Hull {
                north: goes_on(Direction::North),
                east: goes_on(Direction::East),
                south: goes_on(Direction::South),
                west: goes_on(Direction::West),
            };
            if let Some(cell) = self.cell_mut(at) {
                cell.hull = Some(hull);
            }
        }
    }
}
