//! The part of lines on a cell.

use arena_rules::Coord;
use std::ops::{BitOr, BitOrAssign};

/// The lines on a cell: the directions in which they leave its middle, to neighbours that share an edge or a corner with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stroke(u8);

/// The steps to the neighbours, down and right.
const STEPS: [(i32, i32); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

impl Stroke {
    /// The part of a line from the middle of a cell towards a neighbour.
    pub fn towards(from: Coord, to: Coord) -> Self {
        let [down, right] =
            [(from.row, to.row), (from.column, to.column)].map(|(from, to)| i32::from(to) - i32::from(from));
        STEPS
            .iter()
            .position(|step| *step == (down, right))
            .map_or_else(Self::default, |place| Self(1 << place))
    }

    /// The directions of its lines, as steps down and right.
    pub fn steps(self) -> impl Iterator<Item = (i32, i32)> {
        STEPS.into_iter().enumerate().filter(move |(place, _)| self.0 & 1 << place != 0).map(|(_, step)| step)
    }

    /// True if a line leaves to the right.
    pub fn goes_east(self) -> bool {
        self.0 & 1 << 2 != 0
    }

    /// The sign for it; `None` without a line.
    pub fn sign(self) -> Option<char> {
        let goes = |directions: u8| self.0 & directions != 0;
        let is_across = goes(0b0100_0100);
        let is_upright = goes(0b0001_0001);
        let [rises, falls] = [goes(0b0010_0010), goes(0b1000_1000)];
        // One line has two directions at most; it is upright or across if a part of it is.
        let is_crossing = self.0.count_ones() > 2 || (is_across && is_upright);
        Some(match (is_across, is_upright) {
            _ if self.0 == 0 => return None,
            _ if is_crossing => '┼',
            (true, _) => '─',
            (_, true) => '│',
            _ if rises && falls => '┼',
            _ if rises => '╱',
            _ => '╲',
        })
    }
}

impl BitOr for Stroke {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Stroke {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
