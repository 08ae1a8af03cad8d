//! Submarine on the screens.

mod acting;
mod positioning;

use crate::help::Keys;
use crate::on_screen::{Input, OnScreen};
use acting::Acting;
use arena_pictures::Moment;
use arena_rules::submarine::{GameInfo, Submarine};
use arena_rules::{Coord, Seat};
use positioning::Positioning;

impl OnScreen for Submarine {
    const GLYPHS: &'static Keys = &[
        ("w3 c2 s1", "battleship, cruiser, submarine: hit points"),
        ("!", "the cell that was attacked last"),
        ("→ [w3]", "the ship that moved last, and from where"),
        ("wc·", "ships that may be there, as one side sees it"),
        ("o, Xw ~cs", "nothing hit; w hit, c and s next to it"),
        ("b3", "column b, row 3: (3, 1) in logs"),
        ("▁▃█ 2M/9M", "fuel of the last turns, the most, the budget"),
    ];

    const PLAY_KEYS: &'static Keys = &[
        ("arrows", "move the cursor"),
        ("x", "placing: draw the ships at random"),
        ("backspace", "placing: take the last ship back"),
        ("tab", "attack, or the next ship to move"),
        ("enter", "do it; cells in reach are between colons"),
        ("b3 enter", "attack column b, row 3; the same: a 3,1"),
        ("m w b3", "and enter: move the battleship; or m c, m s"),
        ("!", "hint: the attack with the best chance"),
    ];

    fn placing(info: &GameInfo) -> Box<dyn Input<Self>> {
        Box::new(Positioning::new(info.seed))
    }

    fn turn(_moment: &Moment<Self>, me: Seat, cursor: Coord) -> Box<dyn Input<Self>> {
        Box::new(Acting::new(me, cursor))
    }
}
