//! Battleship in the report.

use crate::Reported;
use arena_rules::Coord;
use arena_rules::battleship::{Action, Battleship, Fleet, Ship};

impl Reported for Battleship {
    const SHOTS: &'static str = "Shots";

    const SIGNS: &'static [(&'static str, &'static str)] = &[
        ("■ ·", "a ship, water"),
        ("X o", "a hit, a miss"),
        ("#", "a ship that is sunk"),
        ("-", "no ship can be there, as a bot knows"),
        ("frame", "the last shot"),
        ("b7", "column b, row 7: (7, 1) in logs"),
        ("44 3", "ships afloat, by length; · is sunk"),
    ];

    fn shot(action: &Action) -> Option<Coord> {
        match action {
            Action::Shot(at) => Some(*at),
            Action::Skip => None,
        }
    }

    fn ship_cells(fleet: &Fleet) -> Vec<Coord> {
        fleet.ships().iter().flat_map(Ship::cells).collect()
    }
}
