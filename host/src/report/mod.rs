//! What the user reads: lines, tables, JSON and CSV, as text. Nothing here prints.

mod csv;
mod faults;
mod finding;
mod json;
mod lines;
mod rows;
mod solo;
mod sprt;
mod table;
mod verdict;

pub use finding::Finding;
pub use json::game_line;
pub use lines::{Lines, refusal, served};
pub use solo::SoloReport;
pub use sprt::SprtReport;
pub use verdict::{Verification, Verified};

use crate::roster::{Contestant, Refused};
use crate::tournament::{Course, Results};
use arena_league::{RatedGame, Ratings};
use arena_record::Limits;
use arena_rules::GameRules;
use arena_sandbox::WASMTIME_VERSION;
use serde::Serialize;

/// What a tournament was played by.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The version of the arena.
    pub arena: &'a str,
    /// The version of its wasmtime.
    pub wasmtime: &'a str,
    /// The rules.
    pub rules: &'a GameRules,
    /// What a turn may use.
    pub limits: Limits,
    /// The seed.
    pub seed: u64,
    /// Who plays whom.
    pub course: &'a Course,
}

impl<'a> Terms<'a> {
    /// Those of a tournament that is played here.
    pub fn here(rules: &'a GameRules, limits: Limits, seed: u64, course: &'a Course) -> Self {
        Self { arena: env!("CARGO_PKG_VERSION"), wasmtime: WASMTIME_VERSION, rules, limits, seed, course }
    }
}

/// A bot in a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Entrant<'a> {
    /// What tables call it.
    pub label: &'a str,
    /// What it calls itself, safe to print.
    pub name: &'a str,
    /// Its identity.
    pub sha256: &'a str,
}

impl<'a> Entrant<'a> {
    /// A contestant's entry.
    pub fn of(contestant: &'a Contestant) -> Self {
        Self { label: &contestant.label, name: contestant.bot.name(), sha256: contestant.bot.hash() }
    }
}

/// A tournament, to be reported: one that was just played, or one that a journal holds.
pub struct Report<'a> {
    terms: Terms<'a>,
    entrants: Vec<Entrant<'a>>,
    refused: &'a [Refused],
    results: &'a Results,
    ratings: Ratings,
    /// Where the recordings of its games are, for those who want to see one.
    locate: Option<&'a Locate<'a>>,
}

/// Says where the recording of a game is, by its number and its bots' labels.
pub type Locate<'a> = dyn Fn(usize, [&str; 2]) -> String + 'a;

impl<'a> Report<'a> {
    /// A report of these results.
    pub fn new(terms: Terms<'a>, entrants: Vec<Entrant<'a>>, results: &'a Results) -> Self {
        let ratings = arena_league::rate(entrants.len(), rated(results));
        Self { terms, entrants, refused: &[], results, ratings, locate: None }
    }

    /// The same, with those who were not admitted.
    pub fn with_refused(mut self, refused: &'a [Refused]) -> Self {
        self.refused = refused;
        self
    }

    /// The same, and where the recordings are.
    pub fn with_recordings(mut self, locate: Option<&'a Locate<'a>>) -> Self {
        self.locate = locate;
        self
    }

    /// The table for a reader.
    pub fn table(&self) -> String {
        table::text(self)
    }

    /// The document for a program, with every game.
    pub fn json(&self) -> String {
        json::run(self)
    }

    /// The document for a program, without the games.
    pub fn standings_json(&self) -> String {
        json::standings(self)
    }

    /// A line for each bot, comma-separated.
    pub fn csv(&self) -> String {
        csv::text(self)
    }

    fn label(&self, contestant: usize) -> &'a str {
        self.entrants[contestant].label
    }
}

/// The games that say something of strength: those that were played and had a result.
fn rated(results: &Results) -> impl Iterator<Item = RatedGame> {
    results.games.iter().filter(|game| game.is_played()).filter_map(|game| {
        let result = game.result.as_ref().ok()?;
        let score = crate::tournament::score(result.outcome);
        Some(RatedGame { seats: game.fixture.seats, pair: game.fixture.pair, score })
    })
}
