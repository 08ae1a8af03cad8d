//! The free cells while a fleet is laid out.

use crate::{Coord, Direction, Placement, Size};

/// The cells that the next ship may not use.
///
/// The board lies in a frame of one cell, so that blocking the cells around a ship needs no checks for the edges. A cell is
/// blocked if its mark is that of the current layout. Clearing the board only increments the current mark.
#[derive(Clone)]
pub(crate) struct Waters {
    /// The number of cells from one row to the next, the frame included.
    stride: isize,
    marks: Vec<u32>,
    mark: u32,
}

impl Waters {
    /// A board without ships.
    pub fn empty(size: Size) -> Self {
        let (width, height) = (usize::from(size.width) + 2, usize::from(size.height) + 2);
        Self { stride: width as isize, marks: vec![0; width * height], mark: 1 }
    }

    /// Removes all ships from the board.
    pub fn clear(&mut self) {
        // It cannot overflow: a drawing gives up long before four billion layouts.
        self.mark += 1;
    }

    /// Returns true if a ship, all of whose cells are on the board, can be added.
    pub fn is_free(&self, placement: Placement, length: u8) -> bool {
        let (start, along) = self.line(placement);
        (0..isize::from(length)).all(|steps| self.marks[(start + steps * along) as usize] != self.mark)
    }

    /// Adds a ship, all of whose cells are on the board.
    pub fn lay(&mut self, placement: Placement, length: u8, may_touch: bool) {
        let (start, along) = self.line(placement);
        let (mark, length) = (self.mark, isize::from(length));
        let mut block = |start: isize, steps| {
            for step in steps {
                self.marks[(start + step * along) as usize] = mark;
            }
        };
        if may_touch {
            block(start, 0..length);
        } else {
            let across = if along.abs() == 1 { self.stride } else { 1 };
            for start in [start - across, start, start + across] {
                block(start, -1..length + 1);
            }
        }
    }

    /// The index of a ship's first cell, and the distance from each of its cells to the next one.
    fn line(&self, placement: Placement) -> (isize, isize) {
        let Coord { row, column } = placement.anchor;
        let along = match placement.direction {
            Direction::North => -self.stride,
            Direction::East => 1,
            Direction::South => self.stride,
            Direction::West => -1,
        };
        ((isize::from(row) + 1) * self.stride + isize::from(column) + 1, along)
    }
}
