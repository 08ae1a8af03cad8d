//! What one side knows of the other's positions: exactly those that agree with every report.

use super::{Report, SIZE, Ship, View};
use crate::Coord;

/// The positions that the enemy may have, given all that was reported.
///
/// A side begins in one of 25 × 24 × 23 = 13,800 positions, and every report is exact, so the set is filtered, never
/// guessed: the true positions are always in it, as long as each report is told it in order. A sunk ship's cell no longer
/// matters, and positions that differ in it alone are one.
#[derive(Clone, Debug)]
pub struct Tracker {
    states: Vec<[u8; 3]>,
    afloat: [bool; 3],
}

impl Default for Tracker {
    fn default() -> Self {
        Self::new()
    }
}

/// The place of a sunk ship: no cell of the board.
const SUNK: u8 = u8::MAX;

impl Tracker {
    /// Nothing is known yet.
    pub fn new() -> Self {
        let cells = 0..SIZE.cells() as u8;
        let mut states = Vec::new();
        for battleship in cells.clone() {
            for cruiser in cells.clone().filter(|&cell| cell != battleship) {
                for submarine in cells.clone().filter(|&cell| cell != battleship && cell != cruiser) {
                    states.push([battleship, cruiser, submarine]);
                }
            }
        }
        Self { states, afloat: [true; 3] }
    }

    /// The positions that are possible, as the cells of the battleship, the cruiser and the submarine; none for a sunk one.
    pub fn states(&self) -> impl ExactSizeIterator<Item = [Option<Coord>; 3]> {
        self.states.iter().map(|state| state.map(|cell| (cell != SUNK).then(|| SIZE.coord(cell.into()))))
    }

    /// The number of positions that are possible.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Takes in what a view tells that is new since the last turn: first what came of one's own action, then the enemy's.
    ///
    /// `view` must be that of each of one's turns, in order.
    pub fn observe(&mut self, view: &View) {
        if let Some(Report::Attacked { at, hit, near }) = &view.my_last {
            let sunk = hit.filter(|hit| view.enemy.iter().all(|enemy| enemy.ship != *hit));
            self.attacked(*at, *hit, near, sunk.is_some());
        }
        match &view.enemy_last {
            Some(Report::Attacked { at, .. }) => self.was_attacked(*at),
            Some(Report::Moved { ship, down, right }) => self.moved(*ship, *down, *right),
            None => {}
        }
    }

    /// One's own attack: what it met, and whether that sank.
    pub fn attacked(&mut self, at: Coord, hit: Option<Ship>, near: &[Ship], sunk: bool) {
        let afloat = self.afloat;
        self.states.retain(|state| {
            Ship::ALL.into_iter().filter(|ship| afloat[ship.index()]).all(|ship| {
                match distance(state[ship.index()], at) {
                    0 => hit == Some(ship),
                    1 => hit != Some(ship) && near.contains(&ship),
                    _ => hit != Some(ship) && !near.contains(&ship),
                }
            })
        });
        if let (Some(ship), true) = (hit, sunk) {
            self.afloat[ship.index()] = false;
            self.states.iter_mut().for_each(|state| state[ship.index()] = SUNK);
            self.merge();
        }
    }

    /// The enemy attacked a cell: one of its ships is within a step of it.
    pub fn was_attacked(&mut self, at: Coord) {
        self.states.retain(|state| state.iter().any(|&cell| cell != SUNK && distance(cell, at) <= 1));
    }

    /// The enemy moved a ship so far.
    pub fn moved(&mut self, ship: Ship, down: i8, right: i8) {
        if !self.afloat[ship.index()] {
            // No sunk ship moves: whoever says so has left out a report, and nothing follows from it.
            return;
        }
        self.states.retain_mut(|state| {
            let from = SIZE.coord(state[ship.index()].into());
            let to = (from.row.checked_add_signed(down), from.column.checked_add_signed(right));
            let (Some(row), Some(column)) = to else { return false };
            let Some(cell) = SIZE.index(Coord::new(row, column)) else { return false };
            // A cell of the board fits a byte.
            let cell = cell as u8;
            let is_free = !state.contains(&cell);
            state[ship.index()] = cell;
            is_free
        });
        self.merge();
    }

    /// Two positions can become one.
    fn merge(&mut self) {
        self.states.sort_unstable();
        self.states.dedup();
    }
}

/// Steps from a cell of the board, by its index, to another, diagonal ones included.
fn distance(cell: u8, at: Coord) -> u8 {
    let from = SIZE.coord(cell.into());
    from.row.abs_diff(at.row).max(from.column.abs_diff(at.column))
}
