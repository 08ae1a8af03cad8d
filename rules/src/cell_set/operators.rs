//! The operators of sets, and the traits of the standard library.

use super::{CellSet, Cells};
use crate::Coord;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

/// Implements an operator of sets, and its form that assigns.
macro_rules! operator {
    ($operator:ident, $method:ident, $assigning:ident, $assign:ident, $($doc:literal)+, $combine:expr) => {
        impl<const WORDS: usize> $assigning for CellSet<WORDS> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                let combine: fn(u64, u64) -> u64 = $combine;
                for (word, other) in self.words.iter_mut().zip(other.words) {
                    *word = combine(*word, other);
                }
            }
        }

        impl<const WORDS: usize> $operator for CellSet<WORDS> {
            type Output = Self;

            $(#[doc = $doc])+
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                self.$assign(other);
                self
            }
        }
    };
}

operator!(BitOr, bitor, BitOrAssign, bitor_assign, "The cells of both sets.", |one, other| one | other);
operator!(BitAnd, bitand, BitAndAssign, bitand_assign, "The cells that are in both sets.", |one, other| one
    & other);
operator!(
    BitXor,
    bitxor,
    BitXorAssign,
    bitxor_assign,
    "The cells that are in one of the sets, but not in both.",
    |one, other| { one ^ other }
);
operator!(Sub, sub, SubAssign, sub_assign, "The cells that are not in the other set.", |one, other| one
    & !other);

impl<const WORDS: usize> Default for CellSet<WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const WORDS: usize> Extend<Coord> for CellSet<WORDS> {
    #[inline]
    fn extend<T: IntoIterator<Item = Coord>>(&mut self, cells: T) {
        for at in cells {
            self.insert(at);
        }
    }
}

impl<const WORDS: usize> FromIterator<Coord> for CellSet<WORDS> {
    #[inline]
    fn from_iter<T: IntoIterator<Item = Coord>>(cells: T) -> Self {
        let mut set = Self::EMPTY;
        set.extend(cells);
        set
    }
}

impl<const WORDS: usize> IntoIterator for CellSet<WORDS> {
    type Item = Coord;
    type IntoIter = Cells<WORDS>;

    #[inline]
    fn into_iter(self) -> Cells<WORDS> {
        self.iter()
    }
}

/// The cells, such as `{(0, 1), (2, 3)}`.
impl<const WORDS: usize> fmt::Debug for CellSet<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|at| (at.row, at.column))).finish()
    }
}
