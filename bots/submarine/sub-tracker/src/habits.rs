//! The habits of an enemy: how often it moves, and where its ships go.
//!
//! Nothing in the rules says how an enemy flees. A bot that goes where the enemy was is always a step late; one that waits where
//! the enemy likes to go catches it.

use crate::cells::{Cells, SUNK, WAYS, bits, set};
use arena_sdk::submarine::{Report, View};

/// The habits of an enemy that were observed so far.
pub struct Habits {
    /// The probability that it moves: the share of moves among its actions. The last actions count most.
    moves: f64,
    /// By ship and cell, the number of its moves there, each divided among the cells that are possible.
    visits: [[f64; 26]; 3],
}

/// The probability of a move before anything is known. Chosen: 0.2 and 0.5 are no better.
const MOVES_AT_FIRST: f64 = 0.3;

/// The weight of the last action in the probability of a move. Chosen: 0.25 is no better.
const RECENT: f64 = 0.15;

/// The weight of a visit, relative to that of any cell. Measured over 800 games with the rival that flees: without it, it escapes
/// in 15 of 100, and in 4 with it; 1 and 10 are no better.
const VISIT: f64 = 3.0;

/// The largest number of positions whose moves are tried out. Chosen: with more positions left, fleeing does not matter.
const POSITIONS_MAX: usize = 300;

/// The number of moves that can be distinguished by a ship's differences of cells: along its row, and along its column.
const WAYS_OF_SHIP: usize = 9 + 9;

impl Default for Habits {
    fn default() -> Self {
        Self { moves: MOVES_AT_FIRST, visits: [[0.0; 26]; 3] }
    }
}

impl Habits {
    /// The probability that the enemy moves in its next turn.
    pub fn moves(&self) -> f64 {
        self.moves
    }

    /// Updates the habits by the enemy's last action. The enemy now has one of these positions.
    pub fn observe(&mut self, view: &View, enemy: &[Cells]) {
        let moved = match &view.enemy_last {
            Some(Report::Moved { ship, .. }) => {
                let share = 1.0 / enemy.len().max(1) as f64;
                for cells in enemy {
                    self.visits[ship.index()][usize::from(cells[ship.index()])] += share;
                }
                1.0
            }
            Some(Report::Attacked { .. }) => 0.0,
            None => return,
        };
        self.moves += RECENT * (moved - self.moves);
    }

    /// For each move that the enemy may report, by cell: the worth of a hit there after the move, times the probability of the
    /// move and of a ship on the cell, for an enemy that moves. `worths` are those of a hit on each ship.
    pub fn after_moves(&self, enemy: &[Cells], worths: [f64; 3]) -> Vec<[f64; 26]> {
        let mut after = vec![[0.0; 26]; 3 * WAYS_OF_SHIP];
        let some = || enemy.iter().step_by(enemy.len().div_ceil(POSITIONS_MAX).max(1));
        let share = 1.0 / some().count().max(1) as f64;
        for cells in some() {
            let moves: Vec<(usize, usize, f64)> = self.moves_from(cells).collect();
            let sum: f64 = moves.iter().map(|(.., weight)| weight).sum();
            for (ship, to, weight) in moves {
                let from = usize::from(cells[ship]);
                let way = if from / 5 == to / 5 { 4 + to - from } else { 13 + to / 5 - from / 5 };
                let mut moved = *cells;
                moved[ship] = to as u8;
                for (cell, worth) in moved.into_iter().zip(worths) {
                    after[ship * WAYS_OF_SHIP + way][usize::from(cell)] += worth * share * weight / sum;
                }
            }
        }
        after.retain(|worths| worths[..usize::from(SUNK)].iter().any(|&worth| worth > 0.0));
        after
    }

    /// The legal moves from a position: the ship, the cell to which it moves, and the weight.
    fn moves_from(&self, cells: &Cells) -> impl Iterator<Item = (usize, usize, f64)> {
        let free = !set(cells);
        let afloat = cells.iter().enumerate().filter(|&(_, &cell)| cell != SUNK);
        afloat.flat_map(move |(ship, &from)| {
            let ends = bits(WAYS[usize::from(from)] & free);
            ends.map(move |to| (ship, to, 1.0 + VISIT * self.visits[ship][to]))
        })
    }
}

#[cfg(test)]
impl Habits {
    /// The habits of an enemy that never moves.
    pub fn of_a_sitter() -> Self {
        Self { moves: 0.0, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_sdk::Coord;
    use arena_sdk::submarine::Ship;

    /// Only the enemy's submarine is afloat, in the top left corner.
    const ENEMY: [Cells; 1] = [[SUNK, SUNK, 0]];

    fn after(habits: &Habits) -> [f64; 25] {
        let mut sum = [0.0; 25];
        for worths in habits.after_moves(&ENEMY, [1.0; 3]) {
            (0..25).for_each(|cell| sum[cell] += worths[cell]);
        }
        sum
    }

    fn view(last: Report) -> View {
        let own = [Coord::new(2, 2), Coord::new(2, 3), Coord::new(2, 4)];
        View { enemy_last: Some(last), ..View::first(own) }
    }

    #[test]
    fn at_first_all_moves_are_equally_likely() {
        let worths = after(&Habits::default());
        for cell in 0..25_u32 {
            let expected = if WAYS[0] >> cell & 1 == 1 { 1.0 / 8.0 } else { 0.0 };
            assert!((worths[cell as usize] - expected).abs() < 1e-9, "{cell}: {worths:?}");
        }
    }

    #[test]
    fn a_cell_to_which_the_enemy_went_is_likelier_the_next_time() {
        let mut habits = Habits::default();
        habits
            .observe(&view(Report::Moved { ship: Ship::Submarine, down: 4, right: 0 }), &[[SUNK, SUNK, 20]]);
        let worths = after(&habits);
        let expected = (1.0 + VISIT) / (8.0 + VISIT);
        assert!((worths[20] - expected).abs() < 1e-9, "{worths:?}");
        assert!((worths.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_enemy_that_always_moves_is_expected_to_move_and_one_that_attacks_to_attack() {
        let (mut flees, mut attacks) = (Habits::default(), Habits::default());
        for _ in 0..20 {
            flees.observe(&view(Report::Moved { ship: Ship::Submarine, down: 0, right: 1 }), &ENEMY);
            attacks.observe(
                &view(Report::Attacked { at: Coord::new(0, 0), hit: None, near: Vec::new() }),
                &ENEMY,
            );
        }
        assert!(flees.moves() > 0.9 && attacks.moves() < 0.1);
    }
}
