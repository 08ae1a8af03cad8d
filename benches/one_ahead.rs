//! The bot `one-ahead` of the example game Connect Four, natively: it makes the same choices.

use arena_connect_four::{Cell, Column, ConnectFour, Info, View};
use arena_referee::{NoReply, Player, Reply};

/// A player that completes a line of four, or else prevents one, or else plays near the middle where the opponent cannot win above it.
pub struct OneAhead;

impl Player<ConnectFour> for OneAhead {
    fn deploy(&mut self, _: &Info, _: u64) -> Result<Reply<()>, NoReply> {
        Ok(Reply { answer: (), fuel_used: 0 })
    }

    fn play(&mut self, _: &Info, view: &View, _: u64) -> Result<Reply<Column>, NoReply> {
        let count = view.columns.len();
        let mut free: Vec<usize> = view.open().map(|Column(column)| column.into()).collect();
        free.sort_by_key(|column| (2 * column + 1).abs_diff(count));
        let find = |of| free.iter().copied().find(|&column| wins(&view.columns, column, of));
        let is_safe = |&column: &usize| {
            let mut after = view.columns.clone();
            if let Some(row) = rest(&after, column) {
                after[column][row] = Cell::Mine;
            }
            !wins(&after, column, Cell::Theirs)
        };
        let choice = find(Cell::Mine).or_else(|| find(Cell::Theirs));
        let choice = choice.or_else(|| free.iter().copied().find(is_safe)).unwrap_or(free[0]);
        Ok(Reply { answer: Column(choice as u8), fuel_used: 0 })
    }
}

/// The row on which a disc comes to rest; `None` in a full column.
fn rest(columns: &[Vec<Cell>], column: usize) -> Option<usize> {
    columns[column].iter().position(|&cell| cell == Cell::Empty)
}

/// True if a disc in this column completes a line of four.
fn wins(columns: &[Vec<Cell>], column: usize, disc: Cell) -> bool {
    let Some(row) = rest(columns, column) else { return false };
    let count = |up: isize, right: isize| {
        let cell = |step: isize| {
            let column = columns.get(column.checked_add_signed(step * right)?)?;
            column.get(row.checked_add_signed(step * up)?).copied()
        };
        (1..4).take_while(|&step| cell(step) == Some(disc)).count()
    };
    [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|&(up, right)| count(up, right) + count(-up, -right) >= 3)
}
