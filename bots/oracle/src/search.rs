//! The search for ships where no sinking is announced, ships may not touch, and the rest of the game is too long to be played out.
//!
//! The most likely cell is not the best one there: misses differ in worth, and so do hits. A miss in open sea, next to no ship,
//! would have been needed some time in any case. A miss next to a ship that was hit would not: once the ship is known, its
//! neighbours are known to be water. And the first hit on a long ship gives more information than one on a short ship, or than a
//! further hit.

use arena_sdk::battleship::Fleets;
use arena_sdk::{CellSet, Coord, Game, Grid, Mark, View};

/// The worth of a miss in open sea, as a part of that of a hit.
// This and the next three: chosen after a fit to 8,000 games in which all such worths were drawn at random.
const OPEN_SEA: f64 = 0.12;

/// The worth of a miss next to a ship that was hit before.
const BESIDE_HIT: f64 = -0.12;

/// The worth of the first hit on a long ship, beyond that of any hit.
const LONG_SHIP: f64 = 0.4;

/// The share of a fleet's cells that are left to hit, from which on the search goes on. Later, the most likely cell is as
/// good.
const LEFT_MIN: f64 = 0.4;

/// The length from which on a ship is long. Chosen.
const LONG_MIN: u8 = 3;

/// The share of the highest probability of a ship that a cell needs to be compared. Chosen.
const SHARE_MIN: f64 = 0.5;

/// The probability of a ship that is certain, except for rounding. Chosen. A hit that is certain costs nothing, and may give
/// information.
const CERTAIN: f64 = 0.9995;

/// The number of cells to compare: the most likely ones. Chosen: at the beginning, most cells are about equally likely, and those
/// at the edge would be worth most as open sea.
const COMPARED_MAX: usize = 12;

/// True if ships are still searched for in this way.
pub fn is_on<const WORDS: usize>(game: &Game, fleets: &Fleets<WORDS>) -> bool {
    let cells: usize = game.fleet.iter().copied().map(usize::from).sum();
    let left = if fleets.is_empty() { 0 } else { fleets.cells(0).len() };
    !game.may_touch && !game.sinkings_announced && left as f64 >= LEFT_MIN * cells as f64
}

/// The cells that are worth most, given these fleets.
pub fn worthiest<const WORDS: usize>(game: &Game, view: &View, fleets: &Fleets<WORDS>) -> Vec<Coord> {
    let board = CellSet::board(game.size);
    let hits: CellSet<WORDS> = view.attacks.set_of(Mark::Hit);
    let mut worth = Grid::filled(game.size, 0.0);
    let mut add = |cells: CellSet<WORDS>, value: f64| cells.iter().for_each(|at| worth[at] += value);
    for fleet in 0..fleets.len() {
        add(fleets.cells(fleet), fleets.weight(fleet));
    }
    let mut likely: Vec<Coord> = view.targets().collect();
    likely.sort_by(|&one, &other| worth[other].total_cmp(&worth[one]));
    let highest = likely.first().map_or(0.0, |&at| worth[at]);
    let total: f64 = (0..fleets.len()).map(|fleet| fleets.weight(fleet)).sum();
    let share = if highest >= CERTAIN * total { 1.0 } else { SHARE_MIN };
    let is_likely = |at: &Coord| worth[*at] >= share * highest;
    let likely: CellSet<WORDS> = likely.into_iter().take(COMPARED_MAX).filter(is_likely).collect();

    let mut add =
        |cells: CellSet<WORDS>, value: f64| (cells & likely).iter().for_each(|at| worth[at] += value);
    for fleet in 0..fleets.len() {
        let (weight, cells) = (fleets.weight(fleet), fleets.cells(fleet));
        let mut found = hits;
        for (&ship, &length) in fleets.ships(fleet).iter().zip(fleets.lengths()) {
            if ship.len() < length.into() {
                found |= ship;
            } else if length >= LONG_MIN {
                add(ship, LONG_SHIP * weight);
            }
        }
        add(board - (cells | hits).halo(board), OPEN_SEA * weight);
        add(found.halo(board) - cells, BESIDE_HIT * weight);
    }
    let most = likely.iter().map(|at| worth[at]).fold(f64::MIN, f64::max);
    likely.iter().filter(|&at| worth[at] >= most).collect()
}
