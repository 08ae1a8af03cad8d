//! The results as the user reads them: a type for each, which [`Console::show`](crate::console::Console::show) prints in the form that is asked
//! for. Nothing here prints.

mod again;
mod boards;
mod cache;
mod compare;
mod confinement;
mod csv;
mod dev;
mod dev_game;
mod faults;
mod game_bench;
mod game_finding;
mod games;
mod history;
mod invitations;
mod journal;
mod json;
mod lines;
mod marks;
mod pairings;
mod placings;
mod profile;
mod rerun;
mod seasons;
mod solo;
mod sprt;
mod submitted;
mod table;
#[cfg(test)]
mod tests;
mod verdict;
mod versions;
mod workers;

pub use again::AgainOutput;
pub use boards::BoardsOutput;
pub use cache::CacheOutput;
pub use confinement::{SandboxOutput, missing_measures};
pub use dev::{DevOutput, KeptBuild, first_difference};
pub use dev_game::DevGameOutput;
pub use game_bench::GameBenchOutput;
pub use game_finding::GameFinding;
pub use games::{FaultsList, GamesList};
pub use history::History;
pub use invitations::Invitations;
pub use journal::{JournalOutput, closed, trail_note};
pub use json::game_line;
pub use lines::{Lines, failed, refusal, served};
pub use marks::Marks;
pub use profile::ProfileOutput;
pub use rerun::RerunOutput;
pub use seasons::{Seasons, revealed};
pub use sprt::SprtOutput;
pub use submitted::Mine;
pub use verdict::{Verdicts, Verification, Verified};
pub use versions::Versions;
pub use workers::{WorkersOutput, workers_line, workers_table};

use arena_engine::{FailedFile, Ranking, RefusedFile};
use arena_experiments::finding::Finding;
use arena_record::{Conditions, Label, Seed};
use arena_store::ChainHead;
use arena_text::{Json, RecordingName, Text};
use serde::Serialize;
use std::iter;

/// A result in the forms that its command offers.
pub trait Output {
    /// The text for a reader.
    fn text(&self) -> Text;

    /// The document for a program.
    fn json(&self) -> impl Serialize {}

    /// A line for each row, comma-separated, under a header; in parts that are not too long to print.
    fn csv(&self) -> Vec<Text> {
        Vec::new()
    }

    /// A line of JSON for each row.
    fn jsonl(&self) -> impl Iterator<Item = Json> {
        iter::empty()
    }

    /// A line for each stack, with its samples: the format that programs for flame graphs read.
    fn folded(&self) -> Text {
        Text::default()
    }
}

/// A report of a tournament: one that was just played, or one that a journal holds.
pub struct StandingsOutput<'a> {
    /// The conditions of its games.
    pub conditions: &'a Conditions,
    /// The standings.
    pub ranking: Ranking<'a>,
    /// The files that were refused.
    pub refused: &'a [RefusedFile],
    /// The files that were not admitted because the arena failed.
    pub failed: &'a [FailedFile],
    /// The secret seed, if it has been revealed.
    pub revealed_seed: Option<Seed>,
    /// The end of the journal's chain of hashes, if there is a journal.
    pub head: Option<ChainHead>,
    /// The number of rows of a table, if the user chose it.
    pub top: Option<usize>,
    /// The places of the recordings of games, if they are recorded.
    pub locate: Option<&'a Locate<'a>>,
    /// True if the document has every game.
    pub has_games: bool,
    /// True if the text is the head-to-head table of all pairs of bots that have met.
    pub is_of_pairings: bool,
}

/// Returns the place of the recording of a game, by the game's number and its bots' labels.
pub type Locate<'a> = dyn Fn(usize, [&Label; 2]) -> RecordingName + 'a;

impl<'a> StandingsOutput<'a> {
    /// A report of these standings and nothing else.
    pub fn new(conditions: &'a Conditions, ranking: Ranking<'a>) -> Self {
        Self {
            conditions,
            ranking,
            refused: &[],
            failed: &[],
            revealed_seed: None,
            head: None,
            top: None,
            locate: None,
            has_games: false,
            is_of_pairings: false,
        }
    }

    /// The seed of the tournament, unless it is still secret.
    pub fn seed(&self) -> Option<Seed> {
        self.conditions.seed.open().or(self.revealed_seed)
    }
}

impl Output for StandingsOutput<'_> {
    fn text(&self) -> Text {
        if self.is_of_pairings { pairings::text(self) } else { table::text(self) }
    }

    fn json(&self) -> impl Serialize {
        json::document(self)
    }

    fn csv(&self) -> Vec<Text> {
        vec![csv::text(self)]
    }
}

impl Output for Finding<'_> {
    fn text(&self) -> Text {
        Finding::text(self)
    }

    fn json(&self) -> impl Serialize {
        Finding::json(self)
    }
}
