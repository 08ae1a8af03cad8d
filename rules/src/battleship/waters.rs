//! Which cells are still free while a fleet is laid out.

use crate::{Coord, Direction, Placement, Size};

/// The cells a further ship may not use.
///
/// The board lies in a frame of one cell, so that what is blocked around a ship needs no look at the edges. A cell is
/// blocked when its mark is that of the current layout: to clear the board is to go on to the next mark.
#[derive(Clone)]
pub(crate) struct Waters {
    /// Cells from one row to the next, the frame included.
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

    /// Takes all ships off the board.
    pub fn clear(&mut self) {
        // It does not come round: a drawing gives up long before four billion layouts.
        self.mark += 1;
    }

    /// Whether a ship that lies wholly on the board could be added.
    pub fn is_free(&self, placement: Placement, length: u8) -> bool {
        let (start, along) = self.line(placement);
        (0..isize::from(length)).all(|steps| self.marks[(start + steps * along) as usize] != self.mark)
    }

    /// Adds a ship that lies wholly on the board.
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

    /// Where a ship begins, and how far it is from one of its cells to the next.
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
