//! Cells, directions and board sizes.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The longest side of a board, in cells. Chosen: larger boards do not fit a terminal, and the rules ask for 20 at most.
pub const SIDE_MAX: u8 = 32;

/// The row and the column of a cell. Row 0, column 0 is the top left.
///
/// A cell in a bot's answer may be off the board.
///
/// ```
/// use arena_rules::Coord;
///
/// let at = Coord::new(1, 2);
/// assert_eq!((at.row, at.column, at.to_string().as_str()), (1, 2, "(1, 2)"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u8, u8)", into = "(u8, u8)")]
pub struct Coord {
    /// The row, from 0 at the top.
    pub row: u8,
    /// The column, from 0 at the left.
    pub column: u8,
}

impl Coord {
    /// The cell in a row and a column.
    pub const fn new(row: u8, column: u8) -> Self {
        Self { row, column }
    }
}

impl From<(u8, u8)> for Coord {
    fn from((row, column): (u8, u8)) -> Self {
        Self { row, column }
    }
}

impl From<Coord> for (u8, u8) {
    fn from(coord: Coord) -> Self {
        (coord.row, coord.column)
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row, self.column)
    }
}

/// A direction on the board; north is towards row 0.
///
/// ```
/// use arena_rules::Direction;
///
/// assert_eq!(Direction::South.step(), (1, 0));
/// assert_eq!(Direction::ALL.len(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// Up: the row falls.
    #[serde(rename = "N")]
    North,
    /// Right: the column grows.
    #[serde(rename = "E")]
    East,
    /// Down: the row grows.
    #[serde(rename = "S")]
    South,
    /// Left: the column falls.
    #[serde(rename = "W")]
    West,
}

impl Direction {
    /// All four directions, clockwise from north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction back.
    ///
    /// ```
    /// use arena_rules::Direction;
    ///
    /// assert_eq!(Direction::North.opposite(), Direction::South);
    /// ```
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The change of (row, column) that one step makes.
    pub const fn step(self) -> (i16, i16) {
        match self {
            Self::North => (-1, 0),
            Self::East => (0, 1),
            Self::South => (1, 0),
            Self::West => (0, -1),
        }
    }
}

/// A ship's anchor cell and the direction it extends in; its length is the fleet's entry at the same index.
///
/// Its JSON form is `[row, column, "N"|"E"|"S"|"W"]`.
///
/// ```
/// use arena_rules::{Coord, Direction, Placement};
///
/// // A ship of length 3 there covers the columns 2, 3 and 4 of row 4.
/// let ship = Placement::new(Coord::new(4, 2), Direction::East);
/// assert_eq!(ship.anchor.column, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "(u8, u8, Direction)", into = "(u8, u8, Direction)")]
pub struct Placement {
    /// The first cell of the ship.
    pub anchor: Coord,
    /// The direction of the other cells.
    pub direction: Direction,
}

impl Placement {
    /// A ship from an anchor cell in a direction.
    pub const fn new(anchor: Coord, direction: Direction) -> Self {
        Self { anchor, direction }
    }
}

impl From<(u8, u8, Direction)> for Placement {
    fn from((row, column, direction): (u8, u8, Direction)) -> Self {
        Self::new(Coord::new(row, column), direction)
    }
}

impl From<Placement> for (u8, u8, Direction) {
    fn from(placement: Placement) -> Self {
        (placement.anchor.row, placement.anchor.column, placement.direction)
    }
}

/// The steps (down, right) to the eight neighbours of a cell, row by row.
const AROUND: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The size of a board.
///
/// ```
/// use arena_rules::{Coord, Size};
///
/// let size = Size::new(4, 3);
/// assert_eq!((size.width, size.height, size.cells()), (4, 3, 12));
/// assert!(size.contains(Coord::new(2, 3)) && !size.contains(Coord::new(3, 2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Columns, 1 to [`SIDE_MAX`].
    pub width: u8,
    /// Rows, 1 to [`SIDE_MAX`].
    pub height: u8,
}

impl Size {
    /// The size of a board without cells, in place of one that a side or a game does not have.
    pub const EMPTY: Self = Self::new(0, 0);

    /// The size of a board with these numbers of columns and rows.
    pub const fn new(width: u8, height: u8) -> Self {
        Self { width, height }
    }

    /// The number of cells.
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns true if a cell lies on the board.
    pub const fn contains(self, at: Coord) -> bool {
        at.row < self.height && at.column < self.width
    }

    /// The index of a cell in a flat row-major list; `None` off the board.
    ///
    /// ```
    /// use arena_rules::{Coord, Size};
    ///
    /// let size = Size::new(4, 3);
    /// assert_eq!(size.index(Coord::new(1, 2)), Some(6));
    /// assert_eq!(size.index(Coord::new(3, 0)), None);
    /// ```
    pub const fn index(self, at: Coord) -> Option<usize> {
        if self.contains(at) {
            Some(at.row as usize * self.width as usize + at.column as usize)
        } else {
            None
        }
    }

    /// The cell at an index of a flat row-major list.
    ///
    /// ```
    /// use arena_rules::{Coord, Size};
    ///
    /// assert_eq!(Size::new(4, 3).coord(6), Coord::new(1, 2));
    /// ```
    ///
    /// # Panics
    /// If the index is not that of a cell of this board.
    pub fn coord(self, index: usize) -> Coord {
        assert!(index < self.cells(), "index {index} is off a board of {self}");
        // Both fit: an index below 255 * 255 divides into a row below the height and a column below the width.
        Coord::new((index / self.width as usize) as u8, (index % self.width as usize) as u8)
    }

    /// All cells, row by row from the top left.
    ///
    /// ```
    /// use arena_rules::{Coord, Size};
    ///
    /// assert_eq!(Size::new(4, 3).coords().nth(4), Some(Coord::new(1, 0)));
    /// ```
    pub fn coords(self) -> Coords {
        Coords { row: 0, column: 0, width: usize::from(self.width), left: self.cells() }
    }

    /// The cell that is a number of steps from a cell in a direction; `None` off the board.
    ///
    /// ```
    /// use arena_rules::{Coord, Direction, Size};
    ///
    /// let size = Size::new(4, 3);
    /// assert_eq!(size.step(Coord::new(1, 0), Direction::East, 3), Some(Coord::new(1, 3)));
    /// assert_eq!(size.step(Coord::new(1, 0), Direction::West, 1), None);
    /// ```
    pub fn step(self, from: Coord, direction: Direction, steps: u8) -> Option<Coord> {
        let Coord { row, column } = from;
        let at = match direction {
            Direction::North => Coord::new(row.checked_sub(steps)?, column),
            Direction::East => Coord::new(row, column.checked_add(steps)?),
            Direction::South => Coord::new(row.checked_add(steps)?, column),
            Direction::West => Coord::new(row, column.checked_sub(steps)?),
        };
        self.contains(at).then_some(at)
    }

    /// The neighbours of a cell that share an edge with it, clockwise from north.
    ///
    /// ```
    /// use arena_rules::{Coord, Size};
    ///
    /// assert_eq!(Size::new(4, 3).edge_neighbours(Coord::new(0, 0)).count(), 2);
    /// ```
    pub fn edge_neighbours(self, at: Coord) -> impl Iterator<Item = Coord> {
        Direction::ALL.into_iter().filter_map(move |direction| self.step(at, direction, 1))
    }

    /// The neighbours of a cell that share an edge or a corner with it, row by row.
    ///
    /// ```
    /// use arena_rules::{Coord, Size};
    ///
    /// assert_eq!(Size::new(4, 3).neighbours(Coord::new(0, 0)).count(), 3);
    /// ```
    pub fn neighbours(self, at: Coord) -> impl Iterator<Item = Coord> {
        AROUND.into_iter().filter_map(move |(down, right)| {
            let (row, column) = (at.row.checked_add_signed(down)?, at.column.checked_add_signed(right)?);
            let near = Coord::new(row, column);
            self.contains(near).then_some(near)
        })
    }
}

/// All cells of a board, row by row from the top left. See [`Size::coords`].
///
/// It is made for the inner loops of bots. Two nested ranges take twice as long.
#[derive(Clone, Debug)]
pub struct Coords {
    row: u8,
    /// The column of the next cell; past the end of the row before the cell is given out.
    column: usize,
    width: usize,
    left: usize,
}

impl Iterator for Coords {
    type Item = Coord;

    #[inline]
    fn next(&mut self) -> Option<Coord> {
        self.nth(0)
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<Coord> {
        self.left = self.left.saturating_sub(skipped);
        self.left = self.left.checked_sub(1)?;
        self.column += skipped;
        // Rows are few, and a division costs more than all of this on most calls.
        while self.column >= self.width {
            self.column -= self.width;
            self.row += 1;
        }
        // A column of the board fits.
        let at = Coord::new(self.row, self.column as u8);
        self.column += 1;
        Some(at)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Coords {}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} columns by {} rows", self.width, self.height)
    }
}
