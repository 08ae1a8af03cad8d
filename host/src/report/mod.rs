//! The results as the user reads them: lines, tables, JSON and CSV, as text. Nothing here prints.

mod compare;
mod confinement;
mod csv;
mod faults;
mod finding;
mod json;
mod lines;
mod rerun;
mod rows;
mod solo;
mod sprt;
mod table;
mod trial;
mod verdict;

pub use compare::CompareReport;
pub use confinement::{SandboxReport, missing_measures};
pub use finding::Finding;
pub use json::game_line;
pub use lines::{Lines, failed, refusal, served};
pub use rerun::RerunReport;
pub use solo::SoloReport;
pub use sprt::{FaultsOf, SprtReport};
pub use trial::Trial;
pub use verdict::{Verification, Verified};

use crate::roster::{FailedFile, RefusedFile};
use crate::tournament::{Results, Settings};
use arena_league::{RatedGame, Ratings};
use arena_record::{BotId, Conditions, Label, Seed};
use arena_text::{Json, Line, Text};
use std::fmt::Display;

/// A report of a tournament: one that was just played, or one that a journal holds.
pub struct Report<'a> {
    conditions: &'a Conditions,
    settings: &'a Settings,
    bots: &'a [BotId],
    refused: &'a [RefusedFile],
    failed: &'a [FailedFile],
    results: &'a Results,
    told_seed: Option<Seed>,
    ratings: Ratings,
    /// The places of the recordings of games, if they are recorded.
    locate: Option<&'a Locate<'a>>,
}

/// Returns the place of the recording of a game, by the game's number and its bots' labels.
pub type Locate<'a> = dyn Fn(usize, [&Label; 2]) -> Place + 'a;

/// The place of a recording, in at most 160 characters: a path, or a journal and a game.
pub type Place = Line<160>;

impl<'a> Report<'a> {
    /// A report of the results of these bots.
    pub fn new(
        conditions: &'a Conditions,
        settings: &'a Settings,
        bots: &'a [BotId],
        results: &'a Results,
    ) -> Self {
        let ratings = arena_league::rate(bots.len(), rated(results));
        Self {
            conditions,
            settings,
            bots,
            refused: &[],
            failed: &[],
            results,
            told_seed: None,
            ratings,
            locate: None,
        }
    }

    /// The same report with the secret seed, if it has been told.
    pub fn with_told_seed(self, told_seed: Option<Seed>) -> Self {
        Self { told_seed, ..self }
    }

    /// The same report with the files that were refused.
    pub fn with_refused(self, refused: &'a [RefusedFile]) -> Self {
        Self { refused, ..self }
    }

    /// The same report with the files that were not admitted by a failure of ours.
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
        self.conditions.seed.open().or(self.told_seed)
    }

    fn label(&self, contestant: usize) -> &'a Label {
        &self.bots[contestant].label
    }

    fn labels(&self, contestants: [usize; 2]) -> [&'a Label; 2] {
        contestants.map(|contestant| self.label(contestant))
    }
}

/// A number of things in words: `1 game`, `2 games`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, thing: &str) -> String {
    if count == N::from(1) { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// The games that count for ratings: those that were played and have a result.
fn rated(results: &Results) -> impl Iterator<Item = RatedGame> {
    results.games.iter().filter(|game| game.is_played()).filter_map(|game| {
        let result = game.result.as_ref().ok()?;
        let score = crate::tournament::score(result.outcome);
        Some(RatedGame { seats: game.fixture.seats, pair: game.fixture.pair, score })
    })
}
