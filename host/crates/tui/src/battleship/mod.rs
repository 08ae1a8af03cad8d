//! Battleship on the screens.

mod aiming;
mod placing;

use crate::help::Keys;
use crate::on_screen::{Input, OnScreen};
use aiming::Aiming;
use arena_pictures::Moment;
use arena_rules::battleship::{Battleship, GameInfo};
use arena_rules::{Coord, Seat};
use placing::Placing;

impl OnScreen for Battleship {
    const GLYPHS: &'static Keys = &[
        ("■ ·", "a ship, water"),
        ("X o", "a hit, a miss"),
        ("#", "a ship that is sunk"),
        ("- 7", "no ship; its chance (9 is largest)"),
        ("[X]", "the last shot"),
        ("b7", "column b, row 7: (7, 1) in logs"),
        ("▁▃█ 2M/9M", "fuel of the last turns, the most, the budget"),
    ];

    const PLAY_KEYS: &'static Keys = &[
        ("arrows", "move the cursor; home, end and page keys too"),
        ("r", "placing: turn the ship"),
        ("x", "placing: draw a random fleet"),
        ("backspace", "placing: take the last ship back"),
        ("enter", "place the ship; shoot"),
        ("b7 enter", "shoot at column b, row 7"),
        ("7,1 enter", "the same, as row,column, both from 0"),
        ("s", "skip the turn; s enter if s is a column"),
        ("!", "hint: the cell with the best chance"),
    ];

    fn placing(info: &GameInfo) -> Box<dyn Input<Self>> {
        Box::new(Placing::new(info))
    }

    fn turn(moment: &Moment<Self>, me: Seat, cursor: Coord) -> Box<dyn Input<Self>> {
        Box::new(Aiming::new(moment.rules().size(), me, cursor))
    }
}
