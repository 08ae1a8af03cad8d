//! The knowledge of a side about the other side's positions: exactly those that agree with every report.

use super::{Report, SIZE, Ship, View, steps};
use crate::Coord;

/// The positions that the enemy may have, given all reports.
///
/// A side begins in one of 25 × 24 × 23 = 13,800 positions, and every report is exact. So the set is filtered without
/// guesses: the true positions are always in it if the tracker gets all reports in order. The cell of a sunk ship no longer
/// matters: positions that differ only in it are one.
///
/// ```
/// use arena_rules::Coord;
/// use arena_rules::submarine::{Ship, Tracker};
///
/// let mut tracker = Tracker::new();
/// assert_eq!(tracker.count(), 13_800);
/// tracker.attacked(Coord::new(2, 2), Some(Ship::Cruiser), &[], false);
/// assert!(tracker.states().all(|[_, cruiser, _]| cruiser == Some(Coord::new(2, 2))));
/// ```
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
    /// A tracker before any report: all positions are possible.
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

    /// The possible positions: the cells of the battleship, the cruiser and the submarine; `None` for a sunk ship.
    pub fn states(&self) -> impl ExactSizeIterator<Item = [Option<Coord>; 3]> {
        self.states.iter().map(|state| state.map(|cell| (cell != SUNK).then(|| SIZE.coord(cell.into()))))
    }

    /// The number of possible positions.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Processes the new reports of a view: first that of the side's own last action, then that of the enemy's.
    ///
    /// It must get the views of all turns of the side, in order.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::{Report, Ship, Tracker, View};
    ///
    /// let mut tracker = Tracker::new();
    /// let own = [Coord::new(0, 0), Coord::new(0, 1), Coord::new(4, 4)];
    /// let moved = Report::Moved { ship: Ship::Submarine, down: 4, right: 0 };
    /// tracker.observe(&View { enemy_last: Some(moved), ..View::first(own) });
    /// assert!(tracker.states().all(|[_, _, submarine]| submarine.is_some_and(|at| at.row == 4)));
    /// ```
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

    /// Processes the report of an own attack; `sunk` is true if it sank the ship that it hit.
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

    /// Processes an attack of the enemy on a cell: one of its ships is within a step of it.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::Tracker;
    ///
    /// let mut tracker = Tracker::new();
    /// tracker.was_attacked(Coord::new(0, 0));
    /// assert!(tracker.count() < 13_800, "an enemy's ship is within a step");
    /// ```
    pub fn was_attacked(&mut self, at: Coord) {
        self.states.retain(|state| state.iter().any(|&cell| cell != SUNK && distance(cell, at) <= 1));
    }

    /// Processes a move of an enemy's ship, by these numbers of rows and columns.
    ///
    /// ```
    /// use arena_rules::Coord;
    /// use arena_rules::submarine::{Ship, Tracker};
    ///
    /// let mut tracker = Tracker::new();
    /// tracker.moved(Ship::Battleship, 0, 4);
    /// assert!(tracker.states().all(|[battleship, ..]| battleship.is_some_and(|at| at.column == 4)));
    /// ```
    pub fn moved(&mut self, ship: Ship, down: i8, right: i8) {
        if !self.afloat[ship.index()] {
            // A sunk ship does not move, so an earlier report is missing, and this one is ignored.
            return;
        }
        self.states.retain_mut(|state| {
            let from = SIZE.coord(state[ship.index()].into());
            let to = (from.row.checked_add_signed(down), from.column.checked_add_signed(right));
            let (Some(row), Some(column)) = to else { return false };
            let Some(cell) = SIZE.index(Coord::new(row, column)) else { return false };
            // The index of a cell fits a byte.
            let cell = cell as u8;
            let is_free = !state.contains(&cell);
            state[ship.index()] = cell;
            is_free
        });
        self.merge();
    }

    /// Merges positions that have become equal.
    fn merge(&mut self) {
        self.states.sort_unstable();
        self.states.dedup();
    }
}

/// The number of steps from a cell of the board, by its index, to another one.
fn distance(cell: u8, at: Coord) -> u8 {
    steps(SIZE.coord(cell.into()), at)
}
