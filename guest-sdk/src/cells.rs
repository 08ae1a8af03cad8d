//! The cells of a board that have a value, for the inner loops of bots: without divisions or allocations, and with the number
//! of items known in advance.

use arena_rules::{Coord, Coords, Size};
use std::slice;

/// The cells of a board that have a value, row by row from the top left.
///
/// ```
/// use arena_sdk::{Coord, Grid, Mark};
///
/// let attacks: Grid<Mark> = ". X o\n. X .".parse()?;
/// let hits = attacks.coords_of(Mark::Hit);
/// assert_eq!(hits.len(), 2, "they are counted in advance");
/// assert_eq!(hits.last(), Some(Coord::new(1, 1)));
/// # Ok::<(), arena_sdk::DrawingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CellsOf<'a, T> {
    values: slice::Iter<'a, T>,
    /// The cells of the values.
    coords: Coords,
    value: T,
}

/// The number of cells that are counted without a loop. Measured: WebAssembly with fuel spends more time on a loop than on
/// the comparison in it, so a pick from a hundred cells takes 0.1 µs instead of 0.25.
const CHUNK: usize = 8;

impl<'a, T: PartialEq> CellsOf<'a, T> {
    pub(crate) fn new(size: Size, values: &'a [T], value: T) -> Self {
        Self { values: values.iter(), coords: size.coords(), value }
    }

    #[inline]
    fn count_in(&self, values: &[T]) -> usize {
        values.iter().map(|value| usize::from(*value == self.value)).sum()
    }
}

impl<T: PartialEq> Iterator for CellsOf<'_, T> {
    type Item = Coord;

    #[inline]
    fn next(&mut self) -> Option<Coord> {
        // Where cells with the value are rare, whole chunks are skipped; where they are common, the first cell is one.
        let mut skipped = 0;
        while let Some((chunk, rest)) = self.values.as_slice().split_first_chunk::<CHUNK>() {
            if chunk[0] == self.value || self.count_in(chunk) > 0 {
                break;
            }
            self.values = rest.iter();
            skipped += CHUNK;
        }
        skipped += self.values.position(|value| *value == self.value)?;
        self.coords.nth(skipped)
    }

    /// Exact: the cells are counted. That is faster than a list that grows.
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (chunks, rest) = self.values.as_slice().as_chunks::<CHUNK>();
        let count = chunks.iter().map(|chunk| self.count_in(chunk)).sum::<usize>() + self.count_in(rest);
        (count, Some(count))
    }

    #[inline]
    fn nth(&mut self, mut n: usize) -> Option<Coord> {
        let mut skipped = 0;
        for chunk in self.values.as_slice().as_chunks::<CHUNK>().0 {
            let count = self.count_in(chunk);
            if n < count {
                break;
            }
            n -= count;
            skipped += CHUNK;
        }
        self.values = self.values.as_slice()[skipped..].iter();
        if let Some(last) = skipped.checked_sub(1) {
            self.coords.nth(last);
        }
        (0..n).try_for_each(|_| self.next().map(drop))?;
        self.next()
    }
}

impl<T: PartialEq> ExactSizeIterator for CellsOf<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Rng};

    /// Boards of many sizes with values from 0 to 2, all three common on most of them.
    fn boards() -> impl Iterator<Item = Grid<u64>> {
        let sizes = [(1, 1), (1, 32), (32, 1), (3, 2), (8, 1), (9, 1), (10, 10), (7, 13), (32, 32)];
        sizes.into_iter().flat_map(|(width, height)| {
            (0..20).map(move |seed| {
                let mut rng = Rng::seeded(seed);
                let common = rng.below(4) as u64;
                Grid::from_fn(Size::new(width, height), |_| (rng.bits() % 5).saturating_sub(common).min(2))
            })
        })
    }

    /// The cells with a value, found one by one.
    fn found(board: &Grid<u64>, value: u64) -> Vec<Coord> {
        board.size().coords().filter(|&at| board[at] == value).collect()
    }

    #[test]
    fn all_cells_come_row_by_row_with_their_values() {
        for board in boards() {
            let expected: Vec<(Coord, u64)> = board.size().coords().map(|at| (at, board[at])).collect();
            assert_eq!(board.iter().len(), expected.len());
            assert_eq!(board.iter().map(|(at, &value)| (at, value)).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn the_cells_with_a_value_come_row_by_row_and_are_counted_in_advance() {
        for board in boards() {
            for value in 0..3 {
                let expected = found(&board, value);
                let mut cells = board.coords_of(value);
                for (index, &at) in expected.iter().enumerate() {
                    assert_eq!(cells.len(), expected.len() - index);
                    assert_eq!(cells.next(), Some(at), "value {value} of\n{board:?}");
                }
                assert_eq!((cells.len(), cells.next(), cells.next()), (0, None, None));
            }
        }
    }

    #[test]
    fn a_jump_over_some_cells_is_as_many_steps() {
        for board in boards() {
            for value in 0..3 {
                let expected = found(&board, value);
                for first in 0..=expected.len() {
                    let mut cells = board.coords_of(value);
                    assert_eq!(cells.nth(first), expected.get(first).copied());
                    let rest = expected.get(first + 1..).unwrap_or_default();
                    assert_eq!(cells.clone().collect::<Vec<_>>(), rest, "after {first} of\n{board:?}");
                    assert_eq!(cells.nth(3), rest.get(3).copied());
                }
            }
        }
    }
}
