//! Values from bytes. They are taken from the front, a byte for each number, so that people can read a seed, and a change
//! of one byte changes one value. Missing bytes are zeros.

use arbitrary::Unstructured;
use arena_rules::battleship::{Fleet, FleetSpec};
use arena_rules::{Coord, Direction, Placement, Seat, Size};
use std::ops::RangeInclusive;

/// Bytes that are read as values.
pub(crate) struct Drawing<'a>(Unstructured<'a>);

impl<'a> Drawing<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self(Unstructured::new(data))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.0.arbitrary().expect("a missing byte is a zero")
    }

    /// A number of a range. It takes a byte even if the range has one number, so that every loop over drawn values ends.
    pub(crate) fn number(&mut self, range: RangeInclusive<u8>) -> u8 {
        let count = u16::from(range.end() - range.start()) + 1;
        // The remainder fits a byte, because the count is at most 256.
        range.start() + (u16::from(self.byte()) % count) as u8
    }

    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::from(self.number(0..=values.len() as u8 - 1))]
    }

    pub(crate) fn is(&mut self) -> bool {
        self.number(0..=1) == 1
    }

    pub(crate) fn seat(&mut self) -> Seat {
        self.one_of(&Seat::BOTH)
    }

    pub(crate) fn size(&mut self, side_max: u8) -> Size {
        Size::new(self.number(1..=side_max), self.number(1..=side_max))
    }

    /// A cell of a board.
    pub(crate) fn cell(&mut self, size: Size) -> Coord {
        Coord::new(self.number(0..=size.height - 1), self.number(0..=size.width - 1))
    }

    /// A cell of a board or, one time in sixteen, any coordinates.
    pub(crate) fn spot(&mut self, size: Size) -> Coord {
        match self.number(0..=15) {
            15 => Coord::new(self.byte(), self.byte()),
            _ => self.cell(size),
        }
    }

    pub(crate) fn placement(&mut self, size: Size) -> Placement {
        Placement::new(self.spot(size), self.one_of(&Direction::ALL))
    }

    /// A legal fleet for each side, of the same lengths, longest first: those of the drawn ships that both can place.
    /// `None` when there is no such ship.
    pub(crate) fn fleets(
        &mut self,
        size: Size,
        may_touch: bool,
        ships_max: u8,
    ) -> Option<(Vec<u8>, [Fleet; 2])> {
        let mut drawn: Vec<u8> = (0..self.number(1..=ships_max)).map(|_| self.number(1..=5)).collect();
        drawn.sort_unstable_by(|a, b| b.cmp(a));
        let mut spec = FleetSpec { size, lengths: Vec::new(), may_touch };
        let mut laid: [Vec<Placement>; 2] = Default::default();
        let mut fleets = None;
        for length in drawn {
            spec.lengths.push(length);
            laid.iter_mut().for_each(|side| side.push(self.placement(size)));
            match laid.each_ref().map(|side| Fleet::parse(&spec, side)) {
                [Ok(first), Ok(second)] => fleets = Some([first, second]),
                _ => {
                    spec.lengths.pop();
                    laid.iter_mut().for_each(|side| side.truncate(spec.lengths.len()));
                }
            }
        }
        fleets.map(|fleets| (spec.lengths, fleets))
    }
}
