//! A cell, as in the contracts of all games.

use arena_rules as rules;
use wasmtime::component::{ComponentType, Lift, Lower};

#[derive(Clone, Copy, ComponentType, Lift, Lower)]
#[component(record)]
pub(super) struct Coord {
    row: u8,
    column: u8,
}

impl From<rules::Coord> for Coord {
    fn from(at: rules::Coord) -> Self {
        Self { row: at.row, column: at.column }
    }
}

impl From<Coord> for rules::Coord {
    fn from(at: Coord) -> Self {
        Self::new(at.row, at.column)
    }
}
