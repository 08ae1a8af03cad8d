//! The free cells of a board while a fleet is laid out, as bits.
//!
//! Each cell has one bit, which is set if the cell is free. The bit of the cell below comes a stride later, which is one more
//! than the width. The bits between two rows, before the first row and after the last one are never set: they are the frame
//! of the board. So no run of free cells goes on in the next row, and blocking the cells around a ship needs no checks for the
//! edges.

use super::FleetSpec;
use crate::{Coord, Direction, Placement, SIDE_MAX, Size};

/// Evaluates an expression with the empty waters of a fleet, in the smallest type that holds its board; `None` if a side of the
/// board is not 1 to [`SIDE_MAX`] cells.
///
/// Two words hold a board of 10 by 10 cells, 7 words one of 20 by 20, and 18 words the largest.
macro_rules! with_waters {
    ($spec:expr, |$waters:ident| $value:expr) => {
        match $crate::battleship::waters::words($spec.size) {
            Some(0..=2) => Some({
                let $waters = &$crate::battleship::waters::Waters::<2>::empty($spec);
                $value
            }),
            Some(3..=7) => Some({
                let $waters = &$crate::battleship::waters::Waters::<7>::empty($spec);
                $value
            }),
            Some(_) => Some({
                let $waters = &$crate::battleship::waters::Waters::<18>::empty($spec);
                $value
            }),
            None => None,
        }
    };
}
pub(super) use with_waters;

/// The number of words that hold a board, at most 18; `None` if a side is not 1 to [`SIDE_MAX`] cells.
pub(super) fn words(size: Size) -> Option<usize> {
    let bits = (usize::from(size.height) + 1) * (usize::from(size.width) + 1);
    let is_possible = [size.width, size.height].iter().all(|side| (1..=SIDE_MAX).contains(side));
    is_possible.then(|| bits.div_ceil(u64::BITS as usize))
}

/// A way in which a ship can lie on the board.
#[derive(Clone, Copy, Default)]
pub(super) struct Way {
    /// The bit of its anchor.
    anchor: u32,
    /// True if it lies southwards, false if eastwards.
    southward: bool,
}

/// The cells that the next ship may use.
#[derive(Clone, Copy)]
pub(super) struct Waters<const WORDS: usize> {
    stride: u32,
    /// The number of cells around a ship that are blocked with it, in each direction.
    margin: u32,
    free: Bits<WORDS>,
}

impl<const WORDS: usize> Waters<WORDS> {
    /// A board without ships.
    pub fn empty(spec: &FleetSpec) -> Self {
        let mut free = Bits([0; WORDS]);
        let stride = u32::from(spec.size.width) + 1;
        for row in 1..=u32::from(spec.size.height) {
            for (word, mask) in Bits::<WORDS>::masks(row * stride + 1, stride - 1) {
                free.update(word, |bits| bits | mask);
            }
        }
        Self { stride, margin: u32::from(!spec.may_touch), free }
    }

    /// The way to lie as placed, eastwards or southwards, with all cells on the board.
    pub fn way(&self, placement: Placement) -> Way {
        let Coord { row, column } = placement.anchor;
        Way {
            anchor: (u32::from(row) + 1) * self.stride + u32::from(column) + 1,
            southward: placement.direction == Direction::South,
        }
    }

    /// The placement of a ship that lies in this way.
    pub fn placement(&self, way: Way) -> Placement {
        // Both fit: they are a row and a column of the board.
        let (row, column) = (way.anchor / self.stride - 1, way.anchor % self.stride - 1);
        let direction = if way.southward { Direction::South } else { Direction::East };
        Placement::new(Coord::new(row as u8, column as u8), direction)
    }

    /// Returns true if a ship can be added.
    pub fn is_free(&self, way: Way, length: u8) -> bool {
        let length = u32::from(length);
        if way.southward {
            (0..length).all(|steps| self.free.has(way.anchor + steps * self.stride, 1))
        } else {
            self.free.has(way.anchor, length)
        }
    }

    /// The number of free ways in which a ship can be added.
    pub fn count(&self, length: u8) -> u32 {
        let south = if length == 1 { 0 } else { self.anchors(length, true).count() };
        self.anchors(length, false).count() + south
    }

    /// The free way with a number, counted from 0: eastward ones first, row by row, then southward ones. `None` if there are not
    /// as many.
    #[inline]
    pub fn nth(&self, length: u8, number: u32) -> Option<Way> {
        match self.anchors(length, false).nth(number) {
            Ok(anchor) => Some(Way { anchor, southward: false }),
            // One cell has one way to lie on it.
            Err(_) if length == 1 => None,
            Err(number) => {
                let anchor = self.anchors(length, true).nth(number).ok()?;
                Some(Way { anchor, southward: true })
            }
        }
    }

    /// Adds a ship.
    #[inline]
    pub fn lay(&mut self, way: Way, length: u8) {
        let length = u32::from(length);
        let (down, right) = if way.southward { (length, 1) } else { (1, length) };
        let mut first = way.anchor - self.margin * (self.stride + 1);
        for _ in 0..down + 2 * self.margin {
            for (word, mask) in Bits::<WORDS>::masks(first, right + 2 * self.margin) {
                self.free.update(word, |bits| bits & !mask);
            }
            first += self.stride;
        }
    }

    /// The anchors of all free ways in one direction: the bits from which as many in line are set as the ship is long.
    #[inline]
    fn anchors(&self, length: u8, southward: bool) -> Bits<WORDS> {
        let (length, step) = (u32::from(length), if southward { self.stride } else { 1 });
        let mut anchors = self.free;
        let mut covered = 1;
        while covered < length {
            let more = covered.min(length - covered);
            anchors = anchors.and_further(more * step);
            covered += more;
        }
        anchors
    }
}

/// A set of bits.
#[derive(Clone, Copy)]
struct Bits<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    /// A run of at most 63 bits, as the two words in which it lies and its bits in them. The second word may not exist; then the run
    /// has no cells of the board in it.
    #[inline]
    fn masks(first: u32, length: u32) -> [(usize, u64); 2] {
        let (word, bit) = ((first / 64) as usize, first % 64);
        let run = (1 << length) - 1;
        [(word, run << bit), (word + 1, (run >> 1) >> (63 - bit))]
    }

    /// Changes a word, if it exists. Those after the last one are all frame.
    #[inline]
    fn update(&mut self, word: usize, change: impl FnOnce(u64) -> u64) {
        if let Some(bits) = self.0.get_mut(word) {
            *bits = change(*bits);
        }
    }

    /// Returns true if all bits of a run are set.
    fn has(&self, first: u32, length: u32) -> bool {
        let word = |word: usize| self.0.get(word).copied().unwrap_or(0);
        Self::masks(first, length).iter().all(|&(index, mask)| word(index) & mask == mask)
    }

    /// The number of set bits.
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The index of the set bit with a number, counted from 0; the number less all set bits if there are not as many.
    #[inline]
    fn nth(&self, mut number: u32) -> Result<u32, u32> {
        let mut first = 0;
        for &word in &self.0 {
            let sums = byte_sums(word);
            let count = (sums >> 56) as u32;
            if number < count {
                return Ok(first + nth_of_word(word, sums, number));
            }
            number -= count;
            first += u64::BITS;
        }
        Err(number)
    }

    /// The bits that are set both here and at a distance further on.
    #[inline]
    fn and_further(&self, distance: u32) -> Self {
        let (words, bits) = ((distance / 64) as usize, distance % 64);
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        let mut both = *self;
        for (index, both) in both.0.iter_mut().enumerate() {
            *both &= (word(index + words) >> bits) | ((word(index + words + 1) << 1) << (63 - bits));
        }
        both
    }
}

/// The lowest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// In each byte, the number of bits that are set in this byte of a word and all lower ones.
#[inline]
fn byte_sums(word: u64) -> u64 {
    let pairs = word - ((word >> 1) & (ONES * 0x55));
    let fours = (pairs & (ONES * 0x33)) + ((pairs >> 2) & (ONES * 0x33));
    ((fours + (fours >> 4)) & (ONES * 0xf)).wrapping_mul(ONES)
}

/// The index of the set bit with a number, counted from 0, in a word that has more set bits than that.
#[inline]
fn nth_of_word(word: u64, sums: u64, number: u32) -> u32 {
    // The high bit of a byte stays exactly if its sum is not more than the number. These bytes come before the bit's.
    let before = (((ONES << 7) | (u64::from(number) * ONES)) - sums) & (ONES << 7);
    let first = ((before >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
    let passed = ((sums << 8) >> first) as u32 & 0xff;
    let mut byte = (word >> first) as u32;
    for _ in passed..number {
        byte &= byte - 1;
    }
    first + byte.trailing_zeros()
}
