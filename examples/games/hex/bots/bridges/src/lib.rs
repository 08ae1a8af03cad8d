//! A bot for Hex that knows bridges: two stones with two common empty neighbours are as good as connected. It saves its bridges, builds
//! others at random, and otherwise places a stone anywhere.

#[path = "../../../src/board.rs"]
#[allow(dead_code, reason = "the bot needs the neighbours of the rules only")]
mod board;

use board::neighbours;
use exports::games::hex::bot::{Action, Guest, Observation};
use games::hex::types::Cell;
use std::hash::{BuildHasher, RandomState};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "bridges".into()
    }

    fn play(seen: Observation) -> Action {
        let size = usize::from(seen.size);
        let last = seen.last.map(|cell| usize::from(cell.row) * size + usize::from(cell.column));
        let is_inside = |cell: usize| [cell / size, cell % size].iter().all(|&at| 2 <= at && at + 2 < size);
        if seen.may_swap && last.is_some_and(is_inside) {
            return Action::Swap;
        }
        let cells = seen.cells.as_bytes();
        let all = 0..cells.len();
        let saved = last.and_then(|last| saved(cells, size, last));
        let cell =
            saved.or_else(|| random(all.clone().filter(|&cell| is_bridge(cells, size, cell)).collect()));
        let cell = cell.or_else(|| random(all.filter(|&cell| cells[cell] == b'.').collect())).unwrap_or(0);
        Action::Place(Cell { row: (cell / size) as u8, column: (cell % size) as u8 })
    }
}

/// The sign of each neighbour of a cell, in a circle, with its cell.
fn around(cells: &[u8], size: usize, cell: usize) -> [Option<(u8, usize)>; 6] {
    neighbours(size, cell).map(|cell| cell.map(|cell| (cells[cell], cell)))
}

/// The cell that saves a bridge into which the opponent's last stone was placed: empty, between two own stones around that stone.
fn saved(cells: &[u8], size: usize, last: usize) -> Option<usize> {
    let around = around(cells, size, last);
    (0..6).find_map(|at| match [around[at], around[(at + 1) % 6], around[(at + 2) % 6]] {
        [Some((b'x', _)), Some((b'.', cell)), Some((b'x', _))] => Some(cell),
        _ => None,
    })
}

/// True if a stone in this cell makes a bridge to an own one.
fn is_bridge(cells: &[u8], size: usize, cell: usize) -> bool {
    let around = around(cells, size, cell);
    cells[cell] == b'.'
        && (0..6).any(|at| match [around[at], around[(at + 1) % 6]] {
            // The far end is a neighbour of both.
            [Some((b'.', one)), Some((b'.', two))] => {
                let ends = neighbours(size, one);
                neighbours(size, two)
                    .into_iter()
                    .flatten()
                    .any(|end| end != cell && ends.contains(&Some(end)) && cells[end] == b'x')
            }
            _ => false,
        })
}

fn random(cells: Vec<usize>) -> Option<usize> {
    // The standard library draws the key of a hasher from the random numbers that the arena gives a bot.
    let random = RandomState::new().hash_one(()) as usize;
    (!cells.is_empty()).then(|| cells[random % cells.len()])
}
