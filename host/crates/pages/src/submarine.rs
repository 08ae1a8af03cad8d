//! Submarine in the report.

use crate::Reported;
use arena_rules::Coord;
use arena_rules::submarine::{Action, Positions, Ship, Submarine};

impl Reported for Submarine {
    const SHOTS: &'static str = "Attacks";

    const SIGNS: &'static [(&'static str, &'static str)] = &[
        ("w3 c2 s1", "battleship, cruiser, submarine, hit points"),
        ("!", "the cell that was attacked last"),
        ("→", "the cell that a ship has left"),
        ("frame", "the last turn"),
        ("wc·", "ships that may be there, as a bot knows"),
        ("b3", "column b, row 3: (3, 1) in logs"),
    ];

    fn shot(action: &Action) -> Option<Coord> {
        match action {
            Action::Attack(at) => Some(*at),
            Action::Move(..) => None,
        }
    }

    fn ship_cells(positions: &Positions) -> Vec<Coord> {
        Ship::ALL.map(|ship| positions.of(ship)).to_vec()
    }
}
