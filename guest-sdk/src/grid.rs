//! A board with a value for each cell.

use crate::cells::CellsOf;
use arena_rules::battleship::{Mark, OwnCell};
use arena_rules::{CellSet, Coord, Size};
use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// A board with a value for each cell, such as a mark, a score or a flag.
///
/// The values are in one flat, row-major list, so a grid is cheap to make, copy and traverse.
///
/// ```
/// use arena_sdk::{Coord, Grid, Size};
///
/// let mut score = Grid::filled(Size::new(4, 3), 0);
/// let at = Coord::new(1, 2);
/// score[at] += 5;
/// assert_eq!(score.get(at), Some(&5));
/// assert_eq!(score.get(Coord::new(3, 0)), None, "there are three rows: 0, 1 and 2");
/// assert_eq!(score.neighbours(at).count(), 8);
///
/// let best = score.iter().max_by_key(|&(_, value)| value);
/// assert_eq!(best, Some((at, &5)));
/// ```
///
/// Boards can be printed, for example to the bot's log (`println!("{}", view.attacks)`), and parsed, for example in the
/// bot's tests:
///
/// ```
/// use arena_sdk::{Coord, Grid, Mark};
///
/// let attacks: Grid<Mark> = "
///     . . o .
///     . X X .
///     . . . .
/// "
/// .parse()?;
/// assert_eq!(attacks[Coord::new(0, 2)], Mark::Miss);
/// assert_eq!(attacks.coords_of(Mark::Hit).count(), 2);
/// # Ok::<(), arena_sdk::DrawingError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid<T> {
    size: Size,
    cells: Vec<T>,
}

impl<T> Grid<T> {
    /// A board with the same value everywhere.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// assert_eq!(Grid::filled(Size::new(2, 2), 7)[Coord::new(1, 1)], 7);
    /// ```
    pub fn filled(size: Size, value: T) -> Self
    where
        T: Clone,
    {
        Self { size, cells: vec![value; size.cells()] }
    }

    /// A board with the value that a function returns for each cell.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// // The distance of each cell from the top left.
    /// let distance = Grid::from_fn(Size::new(3, 2), |at| at.row + at.column);
    /// assert_eq!(distance.as_slice(), [0, 1, 2, 1, 2, 3]);
    /// ```
    pub fn from_fn(size: Size, value: impl FnMut(Coord) -> T) -> Self {
        Self { size, cells: size.coords().map(value).collect() }
    }

    /// A board from the values of its cells, row by row from the top left.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// let grid = Grid::from_cells(Size::new(2, 2), vec!["a", "b", "c", "d"]);
    /// assert_eq!(grid[Coord::new(1, 0)], "c");
    /// ```
    ///
    /// # Panics
    /// If the number of values is not the number of cells.
    pub fn from_cells(size: Size, cells: Vec<T>) -> Self {
        assert_eq!(cells.len(), size.cells(), "a board of {size} needs one value for each cell");
        Self { size, cells }
    }

    /// The size of the board.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// assert_eq!(Grid::filled(Size::new(4, 3), 0).size().height, 3);
    /// ```
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value of a cell, or `None` off the board. For a cell that is known to be on the board, `grid[at]` is
    /// shorter.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// let grid = Grid::filled(Size::new(4, 3), 0);
    /// assert_eq!(grid.get(Coord::new(2, 3)), Some(&0));
    /// assert_eq!(grid.get(Coord::new(3, 2)), None);
    /// ```
    pub fn get(&self, at: Coord) -> Option<&T> {
        self.size.index(at).map(|index| &self.cells[index])
    }

    /// The rows, from the top.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// let grid = Grid::from_fn(Size::new(3, 2), |at| at.row);
    /// assert_eq!(grid.rows().collect::<Vec<_>>(), [[0, 0, 0], [1, 1, 1]]);
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.cells.chunks_exact(usize::from(self.size.width))
    }

    /// All cells with their values, row by row from the top left.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// let score = Grid::from_cells(Size::new(2, 2), vec![3, 9, 1, 4]);
    /// let best = score.iter().max_by_key(|&(_, score)| score);
    /// assert_eq!(best, Some((Coord::new(0, 1), &9)));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Coord, &T)> {
        self.size.coords().zip(&self.cells)
    }

    /// The cells that share an edge or a corner with a cell, with their values. At most eight.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// let grid = Grid::filled(Size::new(3, 3), 0);
    /// assert_eq!(grid.neighbours(Coord::new(0, 0)).count(), 3);
    /// ```
    pub fn neighbours(&self, at: Coord) -> impl Iterator<Item = (Coord, &T)> {
        self.size.neighbours(at).map(|near| (near, &self[near]))
    }

    /// The cells that share an edge with a cell, with their values. At most four.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// let grid = Grid::from_fn(Size::new(3, 3), |at| 10 * at.row + at.column);
    /// let near: Vec<u8> = grid.edge_neighbours(Coord::new(1, 1)).map(|(_, &value)| value).collect();
    /// assert_eq!(near, [1, 12, 21, 10], "clockwise from north");
    /// ```
    pub fn edge_neighbours(&self, at: Coord) -> impl Iterator<Item = (Coord, &T)> {
        self.size.edge_neighbours(at).map(|near| (near, &self[near]))
    }

    /// The cells with this value, row by row from the top left.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// let grid = Grid::from_cells(Size::new(2, 2), vec![0, 1, 1, 0]);
    /// assert!(grid.coords_of(1).eq([Coord::new(0, 1), Coord::new(1, 0)]));
    /// ```
    pub fn coords_of(&self, value: T) -> CellsOf<'_, T>
    where
        T: PartialEq,
    {
        CellsOf::new(self.size, &self.cells, value)
    }

    /// The cells with this value, as a set.
    ///
    /// ```
    /// use arena_sdk::{CellSet, Grid, Mark};
    ///
    /// let attacks: Grid<Mark> = ". X o\n. X .".parse()?;
    /// let hits: CellSet = attacks.set_of(Mark::Hit);
    /// let around = hits.halo(attacks.set_of(Mark::Unknown));
    /// assert_eq!((hits.len(), around.len()), (2, 3));
    /// # Ok::<(), arena_sdk::DrawingError>(())
    /// ```
    ///
    /// # Panics
    /// If the board is larger than the set allows; see [`CellSet::SIDE`].
    pub fn set_of<const WORDS: usize>(&self, value: T) -> CellSet<WORDS>
    where
        T: PartialEq,
    {
        CellSet::from_values(self.size, &self.cells, |cell| *cell == value)
    }

    /// The values as one flat list, row by row.
    ///
    /// ```
    /// use arena_sdk::{Coord, Grid, Size};
    ///
    /// assert_eq!(Grid::filled(Size::new(2, 2), 7).as_slice(), [7; 4]);
    /// ```
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }
}

impl<T> Index<Coord> for Grid<T> {
    type Output = T;

    /// The value of a cell.
    ///
    /// # Panics
    /// If the cell is off the board.
    fn index(&self, at: Coord) -> &T {
        self.get(at).unwrap_or_else(|| off_board(at, self.size))
    }
}

impl<T> IndexMut<Coord> for Grid<T> {
    fn index_mut(&mut self, at: Coord) -> &mut T {
        match self.size.index(at) {
            Some(index) => &mut self.cells[index],
            None => off_board(at, self.size),
        }
    }
}

fn off_board(at: Coord, size: Size) -> ! {
    panic!("{at} is off a board of {size}")
}

/// The values row by row, so that `{:?}` of a grid of scores or flags is readable.
impl<T: fmt::Debug> fmt::Debug for Grid<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().try_for_each(|row| writeln!(f, "{row:?}"))
    }
}

/// The values of cells that are drawn as symbols.
pub trait Symbols: Copy + PartialEq + 'static {
    /// All values with the symbol of each.
    const SYMBOLS: &'static [(Self, char)];
}

impl Symbols for Mark {
    const SYMBOLS: &'static [(Self, char)] = &[(Self::Unknown, '.'), (Self::Miss, 'o'), (Self::Hit, 'X')];
}

impl Symbols for OwnCell {
    const SYMBOLS: &'static [(Self, char)] =
        &[(Self::Water, '.'), (Self::Ship, 'S'), (Self::Missed, 'o'), (Self::Hit, 'X')];
}

/// Prints the opponent's board with `.` unknown, `o` miss, `X` hit, and the bot's own board with `.` water, `S` ship,
/// `o` missed, `X` hit.
impl<T: Symbols> fmt::Display for Grid<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            for (column, cell) in row.iter().enumerate() {
                let symbol = T::SYMBOLS.iter().find(|(value, _)| value == cell);
                let symbol = symbol.map_or('?', |&(_, symbol)| symbol);
                write!(f, "{}{symbol}", if column > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Parses the format that `Display` prints. Spaces and empty lines are ignored.
impl<T: Symbols> FromStr for Grid<T> {
    type Err = DrawingError;

    fn from_str(drawing: &str) -> Result<Self, DrawingError> {
        let value = |symbol: char| {
            let known = T::SYMBOLS.iter().find(|&&(_, known)| known == symbol);
            known.map(|&(value, _)| value).ok_or(DrawingError::Symbol(symbol))
        };
        let lines = drawing.lines().filter(|line| !line.trim().is_empty());
        let cells = |line: &str| line.chars().filter(|symbol| !symbol.is_whitespace()).map(value).collect();
        let rows: Vec<Vec<T>> = lines.map(cells).collect::<Result<_, _>>()?;
        let width = rows.first().ok_or(DrawingError::Empty)?.len();
        if let Some(row) = rows.iter().position(|row| row.len() != width) {
            return Err(DrawingError::Ragged { row, cells: rows[row].len(), width });
        }
        let side = |cells: usize| u8::try_from(cells).map_err(|_| DrawingError::Large);
        Ok(Grid::from_cells(Size::new(side(width)?, side(rows.len())?), rows.concat()))
    }
}

/// The reason why a drawing of a board cannot be parsed.
///
/// ```
/// use arena_sdk::{DrawingError, Grid, Mark};
///
/// assert_eq!("".parse::<Grid<Mark>>(), Err(DrawingError::Empty));
/// assert_eq!("X ?".parse::<Grid<Mark>>().unwrap_err().to_string(), "'?' is not a symbol for a cell");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// The drawing has no rows.
    #[error("the drawing has no rows")]
    Empty,
    /// The rows differ in length.
    #[error("row {row} has {cells} cells, but row 0 has {width}")]
    Ragged {
        /// The first row with another length than row 0, counted from 0.
        row: usize,
        /// The number of its cells.
        cells: usize,
        /// The number of cells of row 0.
        width: usize,
    },
    /// The drawing has more than 255 rows or columns.
    #[error("the drawing has more than 255 rows or columns")]
    Large,
    /// A symbol that is not a value of a cell.
    #[error("{0:?} is not a symbol for a cell")]
    Symbol(char),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_board;

    #[test]
    fn a_board_printed_and_read_back_is_the_same_board() {
        let attacks = Grid::from_cells(
            Size::new(3, 2),
            vec![Mark::Unknown, Mark::Miss, Mark::Hit, Mark::Hit, Mark::Miss, Mark::Unknown],
        );
        assert_eq!(attacks.to_string(), ". o X\nX o .\n");
        assert_eq!(attacks.to_string().parse(), Ok(attacks));

        let board = Grid::from_cells(
            Size::new(2, 2),
            vec![OwnCell::Water, OwnCell::Ship, OwnCell::Missed, OwnCell::Hit],
        );
        assert_eq!(board.to_string(), ". S\no X\n");
        assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn a_drawing_that_is_not_a_board_is_refused_with_the_reason() {
        let read = |drawing: &str| drawing.parse::<Grid<Mark>>().unwrap_err();
        assert_eq!(read("\n  \n"), DrawingError::Empty);
        assert_eq!(read("..\n.S"), DrawingError::Symbol('S'));
        assert_eq!(read("..\n..."), DrawingError::Ragged { row: 1, cells: 3, width: 2 });
        assert_eq!(read(&".".repeat(256)), DrawingError::Large);
    }

    #[test]
    fn cells_are_found_by_row_and_column_on_boards_that_are_not_square() {
        let grid = Grid::from_fn(Size::new(4, 2), |at| (at.row, at.column));
        assert!(grid.iter().all(|(at, &value)| value == (at.row, at.column)));
        assert_eq!(grid.rows().map(<[_]>::len).collect::<Vec<_>>(), [4, 4]);
        assert_eq!(grid.edge_neighbours(Coord::new(0, 3)).count(), 2);
        assert_eq!(grid.get(Coord::new(2, 0)), None);
        assert_eq!(format!("{:?}", Grid::filled(Size::new(2, 2), 7)), "[7, 7]\n[7, 7]\n");
    }

    #[test]
    fn the_set_of_a_value_has_the_cells_with_it_on_boards_of_all_sizes() {
        for (width, height) in (1..=32).flat_map(|width| (1..=32).map(move |height| (width, height))) {
            let grid = Grid::from_fn(Size::new(width, height), |at| (at.row ^ at.column) % 3);
            for_board!(grid.size(), WORDS => {
                let set: CellSet<WORDS> = grid.set_of(1);
                assert!(set.iter().eq(grid.coords_of(1)), "{set:?} of\n{grid:?}");
            });
        }
    }

    #[test]
    #[should_panic = "(2, 0) is off a board of 4 columns by 2 rows"]
    fn the_panic_for_an_index_off_the_board_names_the_index_and_the_board() {
        let _ = Grid::filled(Size::new(4, 2), 0)[Coord::new(2, 0)];
    }
}
