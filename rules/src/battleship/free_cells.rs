//! The free cells of a board while a fleet is laid out.

use super::FleetSpec;
use crate::{CellSet, Coord, Direction, Placement, SIDE_MAX, Size};

/// Evaluates an expression with the empty board of a fleet; `None` when a side of the board is not 1 to [`SIDE_MAX`]
/// cells.
macro_rules! with_free_cells {
    ($spec:expr, |$free_cells:ident| $value:expr) => {{
        let spec: &$crate::battleship::FleetSpec = $spec;
        $crate::battleship::free_cells::is_possible(spec.size).then(|| {
            $crate::for_board!(spec.size, WORDS => {
                let $free_cells = &$crate::battleship::free_cells::FreeCells::<WORDS>::empty(spec);
                $value
            })
        })
    }};
}
pub(super) use with_free_cells;

/// Returns true if both sides of a board are 1 to [`SIDE_MAX`] cells.
pub(super) fn is_possible(size: Size) -> bool {
    [size.width, size.height].iter().all(|side| (1..=SIDE_MAX).contains(side))
}

/// The cells that the next ship may use.
#[derive(Clone, Copy)]
pub(super) struct FreeCells<const WORDS: usize> {
    /// The number of cells around a ship, in each direction, that are blocked too.
    margin: u8,
    free: CellSet<WORDS>,
}

impl<const WORDS: usize> FreeCells<WORDS> {
    /// A board without ships.
    pub fn empty(spec: &FleetSpec) -> Self {
        Self { margin: u8::from(!spec.may_touch), free: CellSet::board(spec.size) }
    }

    /// Returns true if a ship can be added.
    pub fn is_free(&self, way: Placement, length: u8) -> bool {
        self.free.contains_ship(way, length)
    }

    /// The number of free ways in which a ship can be added.
    pub fn count(&self, length: u8) -> u32 {
        let [east, south] = self.anchors(length);
        // There are at most two ways from each cell, so the number fits.
        (east.len() + south.len()) as u32
    }

    /// The free way with a number, counted from 0: eastward ones first, row by row, then southward ones. `None` when there are
    /// not as many.
    #[inline]
    pub fn nth(&self, length: u8, number: u32) -> Option<Placement> {
        let ([east, south], number) = (self.anchors(length), number as usize);
        match number.checked_sub(east.len()) {
            None => Some(Placement::new(east.nth(number)?, Direction::East)),
            Some(number) => Some(Placement::new(south.nth(number)?, Direction::South)),
        }
    }

    /// Adds a ship that lies eastwards or southwards.
    #[inline]
    pub fn lay(&mut self, way: Placement, length: u8) {
        let Coord { row, column } = way.anchor;
        let onward = length - 1 + self.margin;
        let end = match way.direction {
            Direction::South => [row + onward, column + self.margin],
            _ => [row + self.margin, column + onward],
        };
        self.free.remove_rectangle([row, column].map(|place| place.saturating_sub(self.margin)), end);
    }

    /// The anchors of the free ways: of eastward ones, and of southward ones.
    #[inline]
    fn anchors(&self, length: u8) -> [CellSet<WORDS>; 2] {
        // A ship of length 1 has one way to lie on a cell, not two.
        let south = if length == 1 { CellSet::EMPTY } else { self.free.anchors(length, Direction::South) };
        [self.free.anchors(length, Direction::East), south]
    }
}
