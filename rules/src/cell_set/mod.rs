//! Sets of cells, as bits.
//!
//! The cells of a row are neighbouring bits. The bit of the cell below comes a stride later, and the stride is one more than the
//! longest row. The bit between two rows is never set: it is the frame of the board. So a set moved by one cell does not continue
//! in the next row, and no operation needs a check for the edges. The stride depends only on the number of words, so it is known
//! at compile time, and a move is a few shifts. Measured natively for two words: with distances that are known only at
//! run time, a halo takes 1.5 to 2 times as long, and so do anchors.

mod cells;
mod moves;
mod operators;
mod ways;

pub use cells::Cells;
pub use ways::Ways;

use crate::{Coord, SIDE_MAX, Size};

/// A set of cells of a board, as bits: all cells are handled in a few instructions, and sets are copied like numbers.
///
/// `WORDS` says how large a board may be: with 2, both its sides are at most 10 cells; with 7, at most 20; with 17, at most 32.
/// Other sizes do not exist. [`for_board!`](crate::for_board) chooses the size for a board, so that code is written once.
///
/// A set does not know the size of its board. An operation that could leave the board, such as [`CellSet::halo`], takes the set of
/// allowed cells: all of the board, those not shot at, or others.
///
/// ```
/// use arena_rules::{CellSet, Coord, Size};
///
/// let board = <CellSet>::board(Size::new(8, 8));
/// let hits: CellSet = [Coord::new(0, 0), Coord::new(0, 1)].into_iter().collect();
/// let around = hits.halo(board) - hits;
/// assert_eq!(around.len(), 4);
/// assert_eq!(around.first(), Some(Coord::new(0, 2)));
/// assert!((hits | around).is_subset(board) && (hits & around).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet<const WORDS: usize = 2> {
    words: [u64; WORDS],
}

/// Evaluates an expression with the number of words of a [`CellSet`] that holds a board of a size, as a constant.
///
/// The expression is compiled three times, for boards with sides of at most 10, 20 and 32 cells. It is usually the call of a
/// function with this number as its parameter, so that the function is written once.
///
/// ```
/// use arena_rules::{CellSet, Coord, Size, for_board};
///
/// /// The cells of the board around its corner.
/// fn around_the_corner<const WORDS: usize>(size: Size) -> usize {
///     let corner = CellSet::<WORDS>::of(Coord::new(size.height - 1, size.width - 1));
///     corner.halo(CellSet::board(size)).len() - 1
/// }
///
/// for side in [10, 20, 32] {
///     let size = Size::new(side, side);
///     assert_eq!(for_board!(size, WORDS => around_the_corner::<WORDS>(size)), 3);
/// }
/// ```
#[macro_export]
macro_rules! for_board {
    ($size:expr, $words:ident => $value:expr) => {{
        let size: $crate::Size = $size;
        if $crate::CellSet::<2>::holds(size) {
            const $words: usize = 2;
            $value
        } else if $crate::CellSet::<7>::holds(size) {
            const $words: usize = 7;
            $value
        } else {
            const $words: usize = 17;
            $value
        }
    }};
}

impl<const WORDS: usize> CellSet<WORDS> {
    /// The set without cells.
    ///
    /// ```
    /// use arena_rules::CellSet;
    ///
    /// assert!(<CellSet>::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Self = Self { words: [0; WORDS] };

    /// The longest side of a board, in cells: 10, 20 or 32.
    ///
    /// ```
    /// use arena_rules::CellSet;
    ///
    /// assert_eq!([<CellSet>::SIDE, CellSet::<7>::SIDE, CellSet::<17>::SIDE], [10, 20, 32]);
    /// ```
    pub const SIDE: u8 = match WORDS {
        2 => 10,
        7 => 20,
        17 => SIDE_MAX,
        _ => panic!("a set of cells has 2, 7 or 17 words"),
    };

    /// The distance of the bits of two cells, one below the other.
    const STRIDE: u32 = Self::SIDE as u32 + 1;

    /// Returns true if a board of this size has no side longer than [`Self::SIDE`].
    ///
    /// ```
    /// use arena_rules::{CellSet, Size};
    ///
    /// assert!(<CellSet>::holds(Size::new(10, 7)) && !<CellSet>::holds(Size::new(7, 12)));
    /// ```
    #[inline]
    pub const fn holds(size: Size) -> bool {
        size.width <= Self::SIDE && size.height <= Self::SIDE
    }

    /// All cells of a board.
    ///
    /// ```
    /// use arena_rules::{CellSet, Size};
    ///
    /// assert_eq!(<CellSet>::board(Size::new(10, 7)).len(), 70);
    /// ```
    ///
    /// # Panics
    /// If a side is longer than [`Self::SIDE`].
    pub fn board(size: Size) -> Self {
        let row = (1 << size.width) - 1_u64;
        Self::from_rows((0..size.height).map(|_| row as u32))
    }

    /// The set of one cell.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let at = Coord::new(3, 4);
    /// assert!(<CellSet>::of(at).iter().eq([at]));
    /// ```
    ///
    /// # Panics
    /// If its row or its column is not less than [`Self::SIDE`].
    #[inline]
    pub fn of(at: Coord) -> Self {
        let mut set = Self::EMPTY;
        set.insert(at);
        set
    }

    /// The set of the bits of each row, from the top: bit 0 is the leftmost cell.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let set = <CellSet>::from_rows([0b000, 0b101]);
    /// assert!(set.iter().eq([Coord::new(1, 0), Coord::new(1, 2)]));
    /// ```
    ///
    /// # Panics
    /// If there are more than [`Self::SIDE`] rows, or a bit in a column that is not less.
    #[inline]
    pub fn from_rows(rows: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::EMPTY;
        let mut first = 0;
        for row in rows {
            let row = u64::from(row);
            assert!(
                first < Self::STRIDE * u32::from(Self::SIDE) && row >> Self::SIDE == 0,
                "a set of {WORDS} words holds boards of at most {} by {} cells",
                Self::SIDE,
                Self::SIDE
            );
            let (word, bit) = ((first / 64) as usize, first % 64);
            set.words[word] |= row << bit;
            if let Some(next) = set.words.get_mut(word + 1) {
                *next |= (row >> 1) >> (63 - bit);
            }
            first += Self::STRIDE;
        }
        set
    }

    /// The cells of a board whose values are chosen, from the values row by row.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let large = <CellSet>::from_values(Size::new(3, 2), &[7, 1, 2, 3, 9, 1], |&value| value > 5);
    /// assert!(large.iter().eq([Coord::new(0, 0), Coord::new(1, 1)]));
    /// ```
    ///
    /// # Panics
    /// If a side of the board is longer than [`Self::SIDE`].
    #[inline]
    pub fn from_values<T>(size: Size, values: &[T], is_chosen: impl Fn(&T) -> bool) -> Self {
        assert!(Self::holds(size), "a set of {WORDS} words does not hold a board of {size}");
        let rows = values.chunks_exact(size.width.into()).take(size.height.into());
        Self::from_rows(rows.map(|row| bits(row, &is_chosen)))
    }

    /// The number of cells.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// assert_eq!(<CellSet>::of(Coord::new(3, 4)).len(), 1);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones()).sum::<u32>() as usize
    }

    /// Returns true if the set has no cells.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// assert!(!<CellSet>::of(Coord::new(3, 4)).is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns true if a cell is in the set.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// assert!(board.contains(Coord::new(2, 3)) && !board.contains(Coord::new(3, 2)));
    /// ```
    #[inline]
    pub fn contains(&self, at: Coord) -> bool {
        Self::bit(at).is_some_and(|bit| self.has(bit))
    }

    /// Adds a cell. Returns true if it was not in the set.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let mut set = <CellSet>::EMPTY;
    /// assert!(set.insert(Coord::new(3, 4)) && !set.insert(Coord::new(3, 4)));
    /// ```
    ///
    /// # Panics
    /// If its row or its column is not less than [`Self::SIDE`].
    #[inline]
    pub fn insert(&mut self, at: Coord) -> bool {
        let Some(bit) = Self::bit(at) else { off_board(at, Self::SIDE) };
        let is_new = !self.has(bit);
        self.words[(bit / 64) as usize] |= 1 << (bit % 64);
        is_new
    }

    /// Removes a cell. Returns true if it was in the set.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let mut set = <CellSet>::of(Coord::new(3, 4));
    /// assert!(set.remove(Coord::new(3, 4)) && !set.remove(Coord::new(3, 4)));
    /// ```
    #[inline]
    pub fn remove(&mut self, at: Coord) -> bool {
        let Some(bit) = Self::bit(at) else { return false };
        let was_in = self.has(bit);
        self.words[(bit / 64) as usize] &= !(1 << (bit % 64));
        was_in
    }

    /// The first cell, row by row from the top left; `None` when there is none.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let set: CellSet = [Coord::new(3, 0), Coord::new(1, 7)].into_iter().collect();
    /// assert_eq!(set.first(), Some(Coord::new(1, 7)));
    /// ```
    #[inline]
    pub fn first(&self) -> Option<Coord> {
        self.iter().next()
    }

    /// The cell with a number, counted from 0 row by row from the top left; `None` when there are not as many.
    ///
    /// It does not visit the cells before it one by one, so drawing a random cell is fast.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// assert_eq!(board.nth(6), Some(Coord::new(1, 2)));
    /// assert_eq!(board.nth(12), None);
    /// ```
    #[inline]
    pub fn nth(&self, number: usize) -> Option<Coord> {
        self.iter().nth(number)
    }

    /// The cells, row by row from the top left.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let board = <CellSet>::board(Size::new(4, 3));
    /// assert_eq!(board.iter().len(), 12);
    /// assert_eq!(board.iter().last(), Some(Coord::new(2, 3)));
    /// ```
    #[inline]
    pub fn iter(&self) -> Cells<WORDS> {
        Cells::new(*self)
    }

    /// Returns true if no cell is in both sets.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord};
    ///
    /// let [one, other] = [Coord::new(3, 4), Coord::new(4, 3)].map(<CellSet>::of);
    /// assert!(one.is_disjoint(other) && !one.is_disjoint(one));
    /// ```
    #[inline]
    pub fn is_disjoint(&self, other: Self) -> bool {
        (*self & other).is_empty()
    }

    /// Returns true if all its cells are in the other set, too.
    ///
    /// ```
    /// use arena_rules::{CellSet, Coord, Size};
    ///
    /// let [small, large] = [4, 5].map(|side| <CellSet>::board(Size::new(side, 3)));
    /// assert!(small.is_subset(large) && !large.is_subset(small));
    /// ```
    #[inline]
    pub fn is_subset(&self, other: Self) -> bool {
        (*self - other).is_empty()
    }

    /// Removes the cells from one corner of a rectangle to the opposite one. Cells off the board are ignored.
    pub(crate) fn remove_rectangle(&mut self, [top, left]: [u8; 2], [bottom, right]: [u8; 2]) {
        let (right, bottom) = (right.min(Self::SIDE - 1), bottom.min(Self::SIDE - 1));
        let run = (2_u64 << (right - left)) - 1;
        for row in top..=bottom {
            let first = u32::from(row) * Self::STRIDE + u32::from(left);
            let (word, bit) = ((first / 64) as usize, first % 64);
            self.words[word] &= !(run << bit);
            if let Some(next) = self.words.get_mut(word + 1) {
                *next &= !((run >> 1) >> (63 - bit));
            }
        }
    }

    /// The bit of a cell; `None` when its row or its column is not less than [`Self::SIDE`].
    #[inline]
    fn bit(at: Coord) -> Option<u32> {
        let is_held = at.row < Self::SIDE && at.column < Self::SIDE;
        is_held.then(|| u32::from(at.row) * Self::STRIDE + u32::from(at.column))
    }

    /// Returns true if a bit is set.
    #[inline]
    fn has(&self, bit: u32) -> bool {
        self.words[(bit / 64) as usize] & (1 << (bit % 64)) != 0
    }

    /// The cell of a bit.
    #[inline]
    fn coord(bit: u32) -> Coord {
        // Both fit: they are a row and a column of the board.
        Coord::new((bit / Self::STRIDE) as u8, (bit % Self::STRIDE) as u8)
    }
}

/// A bit for each of at most 32 values of a row, set if the value is chosen.
#[inline]
fn bits<T>(row: &[T], is_chosen: impl Fn(&T) -> bool) -> u32 {
    let (eights, rest) = row.as_chunks::<8>();
    // Eight at a time without a loop, since loops are slow in WebAssembly with fuel.
    let bits_of = |eight: &[T; 8]| {
        let bits = eight.iter().zip(0..).map(|(value, place)| u32::from(is_chosen(value)) << place);
        bits.fold(0, |all, bit| all | bit)
    };
    let (bits, end) =
        eights.iter().fold((0, 0), |(bits, place), eight| (bits | bits_of(eight) << place, place + 8));
    rest.iter().zip(end..).fold(bits, |bits, (value, place)| bits | u32::from(is_chosen(value)) << place)
}

#[cold]
fn off_board(at: Coord, side: u8) -> ! {
    panic!("{at} is off a board of {}", Size::new(side, side))
}
