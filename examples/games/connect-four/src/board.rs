//! The rules, in plain Rust: this file knows nothing of the arena, and its tests run without WebAssembly.

/// A position. Players are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub columns: usize,
    pub rows: usize,
    /// The discs, row by row from the top.
    pub cells: Vec<Option<usize>>,
    pub player: usize,
    /// The end: the winner, or none in a draw.
    pub end: Option<Option<usize>>,
}

impl Board {
    pub fn new(columns: usize, rows: usize, player: usize) -> Self {
        Self { columns, rows, cells: vec![None; columns * rows], player, end: None }
    }

    /// The columns that are not full.
    pub fn free_columns(&self) -> Vec<u8> {
        (0..self.columns).filter(|&column| self.cells[column].is_none()).map(|column| column as u8).collect()
    }

    /// Drops a disc of the player to move, and returns its row; `None` when the column is full or missing.
    pub fn drop_disc(&mut self, column: usize) -> Option<usize> {
        if column >= self.columns {
            return None;
        }
        let row = (0..self.rows).rev().find(|row| self.cells[row * self.columns + column].is_none())?;
        self.cells[row * self.columns + column] = Some(self.player);
        if self.has_four(row, column) {
            self.end = Some(Some(self.player));
        } else if self.free_columns().is_empty() {
            self.end = Some(None);
        }
        self.player = 1 - self.player;
        Some(row)
    }

    /// True if the disc on a cell is in a line of four.
    fn has_four(&self, row: usize, column: usize) -> bool {
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right)| {
            let length = |sign: isize| {
                let at =
                    |step: isize| (row as isize + sign * step * down, column as isize + sign * step * right);
                let is_own = |&(row, column): &(isize, isize)| self.disc(row, column) == Some(self.player);
                (1..4).map(at).take_while(is_own).count()
            };
            1 + length(1) + length(-1) >= 4
        })
    }

    fn disc(&self, row: isize, column: isize) -> Option<usize> {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        let is_inside = row < self.rows && column < self.columns;
        is_inside.then(|| self.cells[row * self.columns + column]).flatten()
    }

    /// The board as text, with `X` for player 0 and `O` for player 1.
    pub fn picture(&self) -> String {
        let sign = |cell: &Option<usize>| cell.map_or(". ", |player| ["X ", "O "][player]);
        let row = |cells: &[Option<usize>]| cells.iter().map(sign).collect::<String>().trim_end().to_owned();
        self.cells.chunks(self.columns).map(row).collect::<Vec<_>>().join("\n")
    }
}
