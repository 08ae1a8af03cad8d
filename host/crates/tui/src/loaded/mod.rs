//! Games whose code is loaded at run time, on the screens.

mod choosing;

use crate::help::Keys;
use crate::on_screen::{Input, OnScreen};
use arena_pictures::Moment;
use arena_rules::loaded::Loaded;
use arena_rules::{Coord, Game, Seat};
use choosing::Choosing;

impl OnScreen for Loaded {
    const GLYPHS: &'static Keys = &[("▁▃█ 2M/9M", "fuel of the last turns, the most, the budget")];

    const PLAY_KEYS: &'static Keys = &[
        ("text", "type an action, as the game writes it"),
        ("↑ ↓ tab", "choose one of the legal actions"),
        ("enter", "do it, if the game allows it"),
        ("esc", "clear the line; other keys are typed"),
        ("pgup pgdn", "scroll a large picture; ← → sideways"),
    ];

    fn placing(_info: &<Self as Game>::Info) -> Box<dyn Input<Self>> {
        // The referee asks for no deployment in a game without one.
        Box::new(Choosing::none())
    }

    fn turn(moment: &Moment<Self>, _me: Seat, _cursor: Coord) -> Box<dyn Input<Self>> {
        Box::new(Choosing::of(moment))
    }
}
