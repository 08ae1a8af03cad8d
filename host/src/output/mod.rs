//! The results as the user reads them: lines, tables, JSON and CSV, as text. Nothing here prints.

mod again;
mod board_rows;
mod cache;
mod compare;
mod confinement;
mod csv;
mod dev;
mod faults;
mod game_finding;
mod games;
mod history;
mod journal;
mod json;
mod lines;
mod pairings;
mod placings;
mod profile;
mod rerun;
mod seasons;
mod solo;
mod sprt;
mod submitted;
mod table;
mod verdict;
mod versions;
mod workers;

pub use again::AgainOutput;
pub use board_rows::BoardRows;
pub use cache::CacheOutput;
pub use compare::CompareOutput;
pub use confinement::{SandboxOutput, missing_measures};
pub use dev::{DevOutput, KeptBuild, first_difference};
pub use game_finding::GameFinding;
pub use games::GamesList;
pub use history::{history_json, history_table};
pub use journal::{JournalOutput, closed, trail_note};
pub use json::game_line;
pub use lines::{Lines, failed, refusal, served};
pub use profile::ProfileOutput;
pub use rerun::RerunOutput;
pub use seasons::{revealed, seasons};
pub use solo::SoloOutput;
pub use sprt::{FaultsOf, SprtOutput};
pub use submitted::{mine, submitted};
pub use verdict::{Verification, Verified};
pub use versions::{versions, versions_json};
pub use workers::{WorkersOutput, workers_line, workers_table};

use arena_engine::ranking::Ranking;
use arena_engine::roster::{FailedFile, RefusedFile};
use arena_record::{Conditions, Label, Seed};
use arena_store::ChainHead;
use arena_text::{Json, Place, Text};

/// A report of a tournament: one that was just played, or one that a journal holds.
pub struct StandingsOutput<'a> {
    conditions: &'a Conditions,
    ranking: Ranking<'a>,
    refused: &'a [RefusedFile],
    failed: &'a [FailedFile],
    revealed_seed: Option<Seed>,
    /// The end of the journal's chain of hashes, if there is a journal.
    head: Option<ChainHead>,
    /// The number of rows of a table, if the user chose it.
    top: Option<usize>,
    /// The places of the recordings of games, if they are recorded.
    locate: Option<&'a Locate<'a>>,
}

/// Returns the place of the recording of a game, by the game's number and its bots' labels.
pub type Locate<'a> = dyn Fn(usize, [&Label; 2]) -> Place + 'a;

impl<'a> StandingsOutput<'a> {
    /// A report of these standings.
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
        }
    }

    /// The same report with at most this number of rows in a table.
    pub fn with_top(self, top: Option<usize>) -> Self {
        Self { top, ..self }
    }

    /// The same report with the secret seed, if it has been revealed.
    pub fn with_revealed_seed(self, revealed_seed: Option<Seed>) -> Self {
        Self { revealed_seed, ..self }
    }

    /// The same report with the end of the journal's chain.
    pub fn with_head(self, head: Option<ChainHead>) -> Self {
        Self { head, ..self }
    }

    /// The same report with the files that were refused.
    pub fn with_refused(self, refused: &'a [RefusedFile]) -> Self {
        Self { refused, ..self }
    }

    /// The same report with the files that were not admitted because the arena failed.
    pub fn with_failed(self, failed: &'a [FailedFile]) -> Self {
        Self { failed, ..self }
    }

    /// The same report with the places of the recordings.
    pub fn with_recordings(self, locate: Option<&'a Locate<'a>>) -> Self {
        Self { locate, ..self }
    }

    /// The table for a reader.
    pub fn table(&self) -> Text {
        table::text(self)
    }

    /// The head-to-head table of all pairs of bots that have met, for a reader.
    pub fn pairings(&self) -> Text {
        pairings::text(self)
    }

    /// The document for a program, with every game.
    pub fn json(&self) -> Json {
        json::run(self)
    }

    /// The document for a program, without the games.
    pub fn standings_json(&self) -> Json {
        json::standings(self)
    }

    /// A line for each bot, comma-separated.
    pub fn csv(&self) -> Text {
        csv::text(self)
    }

    /// The seed of the tournament, unless it is still secret.
    pub fn seed(&self) -> Option<Seed> {
        self.conditions.seed.open().or(self.revealed_seed)
    }
}
