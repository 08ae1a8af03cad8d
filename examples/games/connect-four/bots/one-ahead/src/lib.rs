//! A bot for Connect Four that looks one move ahead: it completes its own four, or else blocks the opponent's, or else plays near the
//! middle, unless that lets the opponent win above it.

use exports::games::connect_four::bot::{Guest, Observation};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

const EMPTY: u8 = b'.';
const MINE: u8 = b'x';
const THEIRS: u8 = b'o';

impl Guest for Component {
    fn name() -> String {
        "one-ahead".into()
    }

    fn play(seen: Observation) -> u8 {
        let board =
            Board { columns: seen.columns.into(), rows: seen.rows.into(), cells: seen.board.into_bytes() };
        let mut free: Vec<usize> =
            (0..board.columns).filter(|&column| board.cells[column] == EMPTY).collect();
        free.sort_by_key(|column| (2 * column + 1).abs_diff(board.columns));
        let wins = |of: u8| free.iter().copied().find(|&column| board.wins(column, of));
        let is_safe = |column: &usize| !board.with(*column, MINE).wins(*column, THEIRS);
        let choice = wins(MINE).or_else(|| wins(THEIRS)).or_else(|| free.iter().copied().find(is_safe));
        choice.unwrap_or(free[0]) as u8
    }
}

/// The cells, row by row from the top.
struct Board {
    columns: usize,
    rows: usize,
    cells: Vec<u8>,
}

impl Board {
    /// The row on which a disc comes to rest; none in a full column.
    fn rest(&self, column: usize) -> Option<usize> {
        (0..self.rows).rev().find(|row| self.cells[row * self.columns + column] == EMPTY)
    }

    fn with(&self, column: usize, disc: u8) -> Self {
        let mut cells = self.cells.clone();
        if let Some(row) = self.rest(column) {
            cells[row * self.columns + column] = disc;
        }
        Self { cells, ..*self }
    }

    /// True if a disc in this column completes a line of four.
    fn wins(&self, column: usize, disc: u8) -> bool {
        let Some(row) = self.rest(column) else { return false };
        let count = |down: isize, right: isize| {
            let cell = |step: isize| {
                let row = row.checked_add_signed(step * down).filter(|&row| row < self.rows)?;
                let column =
                    column.checked_add_signed(step * right).filter(|&column| column < self.columns)?;
                Some(self.cells[row * self.columns + column])
            };
            (1..4).take_while(|&step| cell(step) == Some(disc)).count()
        };
        [(0, 1), (1, 0), (1, 1), (1, -1)]
            .iter()
            .any(|&(down, right)| count(down, right) + count(-down, -right) >= 3)
    }
}
