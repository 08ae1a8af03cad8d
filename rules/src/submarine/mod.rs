//! Submarine: ships that move and shoot from where they are, on a board of 5 by 5.
//!
//! Each side has a battleship, a cruiser and a submarine of one cell each, with 3, 2 and 1 hit points. A turn is an attack
//! on a cell within one step of an own ship, or a straight move of one ship. Both are reported: a hit exactly, a near miss
//! by the names of the ships beside it, a move by the ship and how far it went. The rules are those of `submarine_game`'s
//! server, without its crashes: whatever a side answers, the game goes on or is lost.

mod state;
mod tracker;

pub use state::{
    Action, EnemyShip, GameInfo, Illegal, OwnShip, Positions, PositionsError, Report, Rules, SIZE, Ship,
    Submarine, View,
};
pub use tracker::Tracker;
