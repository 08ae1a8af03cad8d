//! What the user reads: lines, tables and JSON, as text. Nothing here prints.

mod finding;
mod json;
mod lines;
mod table;
mod verdict;

pub use finding::Finding;
pub use json::game_line;
pub use lines::{Lines, refusal, served};
pub use verdict::{Verification, Verified};

use crate::plan::Plan;
use crate::roster::Roster;
use crate::tournament::Results;

/// A run, to be reported.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was to be played.
    pub plan: &'a Plan,
    /// Who played and who was refused.
    pub roster: &'a Roster,
    /// What came of it.
    pub results: &'a Results,
    /// Games on the schedule; fewer are played when the user stops it.
    pub games_planned: usize,
}

impl Report<'_> {
    /// The table for a reader.
    pub fn table(&self) -> String {
        table::text(self)
    }

    /// The document for a program.
    pub fn json(&self) -> String {
        json::document(self)
    }
}
