//! Games whose code is loaded at run time, in the report.

use crate::Reported;
use arena_rules::Coord;
use arena_rules::loaded::Loaded;

impl Reported for Loaded {
    const SHOTS: &'static str = "Turns";

    const SIGNS: &'static [(&'static str, &'static str)] = &[];

    fn shot(_action: &String) -> Option<Coord> {
        None
    }

    fn ship_cells(_seed: &u64) -> Vec<Coord> {
        Vec::new()
    }
}
