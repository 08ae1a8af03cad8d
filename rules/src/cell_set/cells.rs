//! The cells of a set, one by one or by their number.

use super::CellSet;
use crate::Coord;

/// The cells of a set, row by row from the top left. See [`CellSet::iter`].
///
/// ```
/// use arena_rules::{CellSet, Coord, Size};
///
/// let mut cells = <CellSet>::board(Size::new(4, 3)).iter();
/// assert_eq!((cells.nth(4), cells.next(), cells.len()), (Some(Coord::new(1, 0)), Some(Coord::new(1, 1)), 6));
/// ```
#[derive(Clone, Debug)]
pub struct Cells<const WORDS: usize = 2> {
    /// The cells that are left.
    left: CellSet<WORDS>,
    /// The number of words without bits, from the first on.
    passed: usize,
}

impl<const WORDS: usize> Cells<WORDS> {
    #[inline]
    pub(super) fn new(set: CellSet<WORDS>) -> Self {
        Self { left: set, passed: 0 }
    }

    /// The cell of a bit in the first word that is not passed.
    #[inline]
    fn coord(&self, bit: u32) -> Coord {
        CellSet::<WORDS>::coord(self.passed as u32 * u64::BITS + bit)
    }
}

impl<const WORDS: usize> Iterator for Cells<WORDS> {
    type Item = Coord;

    #[inline]
    fn next(&mut self) -> Option<Coord> {
        while let Some(word) = self.left.words.get_mut(self.passed) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(self.coord(bit));
            }
            self.passed += 1;
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.left.len();
        (count, Some(count))
    }

    #[inline]
    fn nth(&mut self, mut number: usize) -> Option<Coord> {
        while let Some(word) = self.left.words.get_mut(self.passed) {
            let sums = byte_sums(*word);
            let count = (sums >> 56) as usize;
            if number < count {
                let bit = nth_of_word(*word, sums, number as u32);
                // The bits above it are left.
                *word &= !1 << bit;
                return Some(self.coord(bit));
            }
            number -= count;
            *word = 0;
            self.passed += 1;
        }
        None
    }

    #[inline]
    fn fold<B, F: FnMut(B, Coord) -> B>(self, initial: B, mut function: F) -> B {
        let mut value = initial;
        for (word, first) in self.left.words.into_iter().zip((0..).step_by(64)) {
            let mut word: u64 = word;
            while word != 0 {
                value = function(value, CellSet::<WORDS>::coord(first + word.trailing_zeros()));
                word &= word - 1;
            }
        }
        value
    }
}

impl<const WORDS: usize> ExactSizeIterator for Cells<WORDS> {}

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
