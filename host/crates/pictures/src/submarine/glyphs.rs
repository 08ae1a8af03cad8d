//! The characters of ships and water.

use crate::tone::Tone;
use arena_rules::submarine::Ship;

/// A cell without a ship.
pub const WATER: ([char; 3], Tone) = ([' ', '·', ' '], Tone::Faint);

/// The letter of a ship, as in the contract over a socket.
pub const fn letter(ship: Ship) -> char {
    match ship {
        Ship::Battleship => 'w',
        Ship::Cruiser => 'c',
        Ship::Submarine => 's',
    }
}

/// A ship with its hit points, as the three characters of a cell.
pub fn three(ship: Ship, hit_points: u8) -> [char; 3] {
    [letter(ship), char::from_digit(hit_points.into(), 10).unwrap_or('?'), ' ']
}
