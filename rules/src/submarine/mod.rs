//! Submarine: ships that move and shoot from where they are, on a board of 5 by 5.
//!
//! Each side has a battleship, a cruiser and a submarine of one cell each, with 3, 2 and 1 hit points. A turn is an attack
//! on a cell within one step of an own ship, or a straight move of one ship. Both are reported to both sides: a hit exactly,
//! a near miss by the names of the ships next to it, a move by the ship and the distance. The rules are those of the server
//! of `submarine_game`, without its crashes: after any answer, the game goes on or the side has lost.

mod state;
mod tracker;
mod view;

pub use state::{
    Action, FLEET_SUNK, Illegal, Positions, PositionsError, Report, Rules, SIZE, Ship, Submarine,
};
pub use tracker::Tracker;
pub use view::{EnemyShip, GameInfo, OwnShip, View};

use crate::Coord;

/// The number of steps between two cells, diagonal ones included.
fn steps(from: Coord, to: Coord) -> u8 {
    from.row.abs_diff(to.row).max(from.column.abs_diff(to.column))
}
