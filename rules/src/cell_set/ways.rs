//! The ways in which ships can lie on an empty board, as sets of cells.

use super::CellSet;
use crate::{Coord, Direction, Placement, Size};
use std::ops::Range;

/// All ways in which a ship of a length can lie on an empty board, each as the set of its cells.
///
/// ```
/// use arena_rules::{CellSet, Coord, Size, Ways};
///
/// let ways = <Ways>::new(Size::new(10, 10), 4);
/// assert_eq!(ways.all().len(), 140);
/// assert_eq!(ways.over(Coord::new(0, 0)).count(), 2);
///
/// // Those that a miss leaves.
/// let miss = <CellSet>::of(Coord::new(4, 4));
/// assert_eq!(ways.all().iter().filter(|way| way.is_disjoint(miss)).count(), 132);
/// ```
#[derive(Clone, Debug)]
pub struct Ways<const WORDS: usize = 2> {
    size: Size,
    length: u8,
    /// The eastward ways row by row, then the southward ways column by column: those over a cell lie together.
    all: Vec<CellSet<WORDS>>,
}

impl<const WORDS: usize> Ways<WORDS> {
    /// The ways of ships of a length on a board of a size. A ship of length 1 has one way to lie on a cell, not two.
    ///
    /// ```
    /// use arena_rules::{Size, Ways};
    ///
    /// let counts = [1, 3, 5].map(|length| <Ways>::new(Size::new(4, 3), length).all().len());
    /// assert_eq!(counts, [12, 10, 0]);
    /// ```
    ///
    /// # Panics
    /// If a side is longer than [`CellSet::SIDE`].
    pub fn new(size: Size, length: u8) -> Self {
        let board = CellSet::<WORDS>::board(size);
        let mut all = Vec::new();
        let mut add = |anchors: CellSet<WORDS>, direction: Direction| {
            all.extend(anchors.iter().map(|anchor| CellSet::ship(Placement::new(anchor, direction), length)));
        };
        if length > 0 {
            add(board.anchors(length, Direction::East), Direction::East);
        }
        if length > 1 {
            let anchors = board.anchors(length, Direction::South);
            for column in 0..size.width {
                let column: CellSet<WORDS> = (0..size.height).map(|row| Coord::new(row, column)).collect();
                add(anchors & column, Direction::South);
            }
        }
        Self { size, length, all }
    }

    /// The length of the ships, in cells.
    ///
    /// ```
    /// use arena_rules::{Size, Ways};
    ///
    /// assert_eq!(<Ways>::new(Size::new(4, 3), 2).length(), 2);
    /// ```
    pub fn length(&self) -> u8 {
        self.length
    }

    /// All ways: the eastward ones row by row, then the southward ones column by column.
    ///
    /// ```
    /// use arena_rules::{Coord, Size, Ways};
    ///
    /// let ways = <Ways>::new(Size::new(4, 3), 2);
    /// assert!(ways.all()[0].iter().eq([Coord::new(0, 0), Coord::new(0, 1)]));
    /// ```
    pub fn all(&self) -> &[CellSet<WORDS>] {
        &self.all
    }

    /// The ways that cover a cell; empty if it is off the board.
    ///
    /// ```
    /// use arena_rules::{Coord, Size, Ways};
    ///
    /// let ways = <Ways>::new(Size::new(4, 3), 2);
    /// let at = Coord::new(1, 1);
    /// assert_eq!(ways.over(at).count(), 4);
    /// assert!(ways.over(at).all(|way| way.contains(at)));
    /// ```
    pub fn over(&self, at: Coord) -> impl Iterator<Item = &CellSet<WORDS>> {
        let [eastward, southward] = self.ranges(at).unwrap_or_default();
        self.all[eastward].iter().chain(&self.all[southward])
    }

    /// The index in the list of all ways of the one from an anchor, eastwards or southwards; `None` when there is no such way.
    /// The only way of a ship of length 1 is an eastward one.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Direction, Placement, Size, Ways};
    ///
    /// let ways = <Ways>::new(Size::new(4, 3), 2);
    /// let way = Placement::new(Coord::new(1, 1), Direction::South);
    /// let index = ways.index(way).unwrap();
    /// assert_eq!(ways.all()[index], CellSet::ship(way, 2));
    /// ```
    #[inline]
    pub fn index(&self, way: Placement) -> Option<usize> {
        let Placement { anchor: Coord { row, column }, direction } = way;
        let Size { width, height } = self.size;
        let [row, column] = [row, column].map(usize::from);
        let columns = anchors(width, self.length);
        match direction {
            Direction::East => (row < height.into() && column < columns).then_some(row * columns + column),
            Direction::South => {
                let rows = if self.length > 1 { anchors(height, self.length) } else { 0 };
                let eastwards = usize::from(height) * columns;
                (column < width.into() && row < rows).then_some(eastwards + column * rows + row)
            }
            Direction::North | Direction::West => None,
        }
    }

    /// The indices in the list of the ways over a cell; `None` when it is off the board.
    fn ranges(&self, at: Coord) -> Option<[Range<usize>; 2]> {
        let Size { width, height } = self.size;
        let columns = anchors(width, self.length);
        let rows = if self.length > 1 { anchors(height, self.length) } else { 0 };
        let eastwards = usize::from(height) * columns;
        let eastward = line(columns, self.length, at.row, at.column);
        let southward = line(rows, self.length, at.column, at.row);
        let southward = southward.start + eastwards..southward.end + eastwards;
        self.size.contains(at).then_some([eastward, southward])
    }
}

/// The number of anchors in a line of cells.
fn anchors(cells: u8, length: u8) -> usize {
    (usize::from(cells) + 1).saturating_sub(length.max(1).into())
}

/// The indices of the ways over a cell, among the ways in the lines of one direction, each with this number of anchors.
fn line(anchors: usize, length: u8, line: u8, place: u8) -> Range<usize> {
    let (line, place) = (usize::from(line) * anchors, usize::from(place));
    let end = (place + 1).min(anchors);
    let start = (place + 1).saturating_sub(length.into()).min(end);
    line + start..line + end
}
