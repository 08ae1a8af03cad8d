//! Sets that move, grow and hold ships, a whole set at a time.

use super::CellSet;
use crate::{Direction, Placement};

impl<const WORDS: usize> CellSet<WORDS> {
    /// Its cells moved by one in a direction, as far as they are cells of `within`.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Direction, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// let column: CellSet = (0..3).map(|row| Coord::new(row, 3)).collect();
    /// assert!(column.shift(Direction::North, board).iter().eq([Coord::new(0, 3), Coord::new(1, 3)]));
    /// assert!(column.shift(Direction::East, board).is_empty());
    /// ```
    #[inline]
    pub fn shift(&self, direction: Direction, within: Self) -> Self {
        self.step(direction) & within
    }

    /// The cells of `within` that share an edge with a cell of the set. Cells of the set itself are among them if they share
    /// an edge with each other.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// let near = <CellSet>::of(Coord::new(0, 0)).edge_neighbours(board);
    /// assert!(near.iter().eq([Coord::new(0, 1), Coord::new(1, 0)]));
    /// ```
    #[inline]
    pub fn edge_neighbours(&self, within: Self) -> Self {
        let [north, east, south, west] = Direction::ALL.map(|direction| self.step(direction));
        (north | east | south | west) & within
    }

    /// The cells of `within` that share a corner, and no edge, with a cell of the set. They are diagonal to it. Cells of the set
    /// itself are among them if they are diagonal to each other.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// let near = <CellSet>::of(Coord::new(0, 1)).corner_neighbours(board);
    /// assert!(near.iter().eq([Coord::new(1, 0), Coord::new(1, 2)]));
    /// ```
    #[inline]
    pub fn corner_neighbours(&self, within: Self) -> Self {
        // The bits that leave a row are in the frame, and are never moved sideways again.
        let beside = self.step(Direction::East) | self.step(Direction::West);
        (beside.step(Direction::North) | beside.step(Direction::South)) & within
    }

    /// The cells of the set, and the cells of `within` that can be reached from it by steps to edge neighbours in `within`.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let hits = <CellSet>::from_rows([0b1011, 0b0010]);
    /// let ship = <CellSet>::of(Coord::new(0, 0)).spread(hits);
    /// assert!(ship.iter().eq([Coord::new(0, 0), Coord::new(0, 1), Coord::new(1, 1)]));
    /// ```
    #[inline]
    pub fn spread(&self, within: Self) -> Self {
        let mut set = *self;
        loop {
            let more = set | set.edge_neighbours(within);
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The cells of `within` that are in the set, or share an edge or a corner with one of its cells: for a ship, those that no
    /// other ship may use where ships may not touch.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// assert_eq!(<CellSet>::of(Coord::new(1, 1)).halo(board).len(), 9);
    /// assert_eq!(<CellSet>::of(Coord::new(2, 3)).halo(board).len(), 4);
    /// ```
    #[inline]
    pub fn halo(&self, within: Self) -> Self {
        // The bits that leave a row are in the frame, and are never moved sideways again.
        let rows = *self | self.step(Direction::East) | self.step(Direction::West);
        (rows | rows.step(Direction::North) | rows.step(Direction::South)) & within
    }

    /// The cells from which a ship of this length lies wholly in the set, if the others are in this direction.
    ///
    /// ```
    /// use arena_rules::{CellSet, Direction, Size};
    ///
    /// let board = <CellSet>::board(Size::new(10, 10));
    /// let ways = [Direction::East, Direction::South].map(|direction| board.anchors(4, direction).len());
    /// assert_eq!(ways, [70, 70], "the ways to lay a ship of length 4");
    /// ```
    #[inline]
    pub fn anchors(&self, length: u8, direction: Direction) -> Self {
        let mut anchors = *self;
        for _ in 1..length {
            // The next cell is an anchor of a ship that is one shorter.
            anchors = anchors.step(direction.opposite()) & *self;
        }
        anchors
    }

    /// All ways in which a ship of this length lies wholly in the set, each as the set of its cells: the eastward ones first, then
    /// the southward ones, both row by row. A ship of length 1 has one way to lie on a cell, not two.
    ///
    /// ```
    /// use arena_rules::{CellSet, Size};
    ///
    /// let free = <CellSet>::from_rows([0b0110, 0b1110]);
    /// assert_eq!([1, 2, 3].map(|length| free.ways(length).count()), [5, 5, 1]);
    /// assert!(free.ways(2).all(|way| way.len() == 2 && way.is_subset(free)));
    /// ```
    pub fn ways(self, length: u8) -> impl Iterator<Item = Self> {
        let directions = [Direction::East, Direction::South].into_iter().take(length.into());
        directions.flat_map(move |direction| {
            let anchors = self.anchors(length, direction).iter();
            anchors.map(move |anchor| Self::ship(Placement::new(anchor, direction), length))
        })
    }

    /// The cells of a ship. Those off the board are left out, if the board is as large as the set allows.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Direction, Placement};
    ///
    /// let ship = <CellSet>::ship(Placement::new(Coord::new(1, 2), Direction::South), 2);
    /// assert!(ship.iter().eq([Coord::new(1, 2), Coord::new(2, 2)]));
    /// ```
    #[inline]
    pub fn ship(placement: Placement, length: u8) -> Self {
        let mut ship = Self::EMPTY;
        Self::bits_of(placement, length).for_each(|bit| ship.words[(bit / 64) as usize] |= 1 << (bit % 64));
        ship
    }

    /// Returns true if a ship lies wholly in the set.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Direction, Placement, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// let corner = |direction| Placement::new(Coord::new(0, 0), direction);
    /// assert!(board.contains_ship(corner(Direction::East), 4));
    /// assert!(!board.contains_ship(corner(Direction::South), 4));
    /// ```
    #[inline]
    pub fn contains_ship(&self, placement: Placement, length: u8) -> bool {
        let mut bits = Self::bits_of(placement, length);
        bits.len() == usize::from(length) && bits.all(|bit| self.has(bit))
    }

    /// The bits of a ship, without those off a board of [`Self::SIDE`] by [`Self::SIDE`] cells.
    #[inline]
    fn bits_of(placement: Placement, length: u8) -> impl ExactSizeIterator<Item = u32> {
        let Placement { anchor, direction } = placement;
        let (place, step) = match direction {
            Direction::North | Direction::South => (anchor.row, Self::STRIDE),
            Direction::East | Direction::West => (anchor.column, 1),
        };
        let (before, onward) = match direction {
            Direction::North | Direction::West => (length.saturating_sub(1).min(place), 1),
            Direction::East | Direction::South => (0, length.min(Self::SIDE.saturating_sub(place))),
        };
        let anchor = Self::bit(anchor);
        let count = if anchor.is_some() && length > 0 { u32::from(before + onward) } else { 0 };
        // Where there are no bits, the first one does not matter. Measured: in this form `density` takes a seventh less fuel than
        // with an option of the first bit.
        let first = anchor.unwrap_or(0).wrapping_sub(u32::from(before) * step);
        (0..count).map(move |steps| first + steps * step)
    }

    /// Its bits moved by one cell in a direction; some may be outside of the board.
    #[inline(always)]
    pub(super) fn step(&self, direction: Direction) -> Self {
        match direction {
            Direction::North => self.down(Self::STRIDE),
            Direction::East => self.up(1),
            Direction::South => self.up(Self::STRIDE),
            Direction::West => self.down(1),
        }
    }

    /// Its bits moved to higher ones. The distance is 1 to 63.
    #[inline(always)]
    fn up(&self, distance: u32) -> Self {
        let mut words = self.words;
        for index in (1..WORDS).rev() {
            words[index] = (words[index] << distance) | (words[index - 1] >> (64 - distance));
        }
        words[0] <<= distance;
        Self { words }
    }

    /// Its bits moved to lower ones. The distance is 1 to 63.
    #[inline(always)]
    fn down(&self, distance: u32) -> Self {
        let mut words = self.words;
        for index in 1..WORDS {
            words[index - 1] = (words[index - 1] >> distance) | (words[index] << (64 - distance));
        }
        words[WORDS - 1] >>= distance;
        Self { words }
    }
}
