//! The results as the user reads them: lines, tables, JSON and CSV, as text. Nothing here prints.

mod compare;
mod confinement;
mod csv;
mod elo;
mod faults;
mod finding;
mod games;
mod journal;
mod json;
mod lines;
mod pairings;
mod place;
mod placings;
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
pub use games::GamesReport;
pub use journal::JournalReport;
pub use json::game_line;
pub use lines::{Lines, failed, refusal, served};
pub use place::PlaceReport;
pub use rerun::RerunReport;
pub use rows::Row;
pub use solo::SoloReport;
pub use sprt::{FaultsOf, SprtReport};
pub use trial::Trial;
pub use verdict::{Verification, Verified};

use crate::ranking;
use crate::roster::{FailedFile, RefusedFile};
use crate::tournament::{Results, Settings};
use arena_league::Ratings;
use arena_record::{BotId, Conditions, Label, Seed};
use arena_store::ChainHead;
use arena_text::{Json, Place, Text};

/// A report of a tournament: one that was just played, or one that a journal holds.
pub struct Report<'a> {
    conditions: &'a Conditions,
    settings: &'a Settings,
    bots: &'a [BotId],
    refused: &'a [RefusedFile],
    failed: &'a [FailedFile],
    results: &'a Results,
    told_seed: Option<Seed>,
    /// The end of the journal's chain of hashes, if there is a journal.
    head: Option<ChainHead>,
    ratings: Ratings,
    /// The contestant that the user chose as the anchor of its group.
    anchor: Option<usize>,
    /// The anchors by group: their ratings are 0.
    anchors: Vec<Option<usize>>,
    /// The number of rows of a table, if the user chose it.
    top: Option<usize>,
    /// The places of the recordings of games, if they are recorded.
    locate: Option<&'a Locate<'a>>,
}

/// Returns the place of the recording of a game, by the game's number and its bots' labels.
pub type Locate<'a> = dyn Fn(usize, [&Label; 2]) -> Place + 'a;

impl<'a> Report<'a> {
    /// A report of the results of these bots.
    pub fn new(
        conditions: &'a Conditions,
        settings: &'a Settings,
        bots: &'a [BotId],
        results: &'a Results,
    ) -> Self {
        let ratings = results.sums.rated.rate();
        let report = Self {
            conditions,
            settings,
            bots,
            refused: &[],
            failed: &[],
            results,
            told_seed: None,
            head: None,
            ratings,
            anchor: None,
            anchors: Vec::new(),
            top: None,
            locate: None,
        };
        report.with_anchor(None)
    }

    /// The same report with this contestant as the anchor of its group, if it has a rating. The anchor of a group is
    /// otherwise the bot in the middle.
    pub fn with_anchor(self, anchor: Option<usize>) -> Self {
        let anchor_of = |group: &Vec<usize>| {
            let mut rated = group.iter().copied().filter(|&member| self.is_rated(member));
            match anchor.filter(|anchor| rated.clone().any(|member| member == *anchor)) {
                Some(anchor) => Some(anchor),
                None => self.ratings.middle(&mut rated),
            }
        };
        let anchors = self.ratings.groups().iter().map(anchor_of).collect();
        Self { anchor, anchors, ..self }
    }

    /// The same report with at most this number of rows in a table.
    pub fn with_top(self, top: Option<usize>) -> Self {
        Self { top, ..self }
    }

    /// The same report with the secret seed, if it has been told.
    pub fn with_told_seed(self, told_seed: Option<Seed>) -> Self {
        Self { told_seed, ..self }
    }

    /// The same report with the end of the journal's chain.
    pub fn with_head(self, head: Option<ChainHead>) -> Self {
        Self { head, ..self }
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

    /// The rows of the standings, best first.
    pub fn rows(&self) -> Vec<Row<'_>> {
        rows::rows(self)
    }

    /// The worth of seat 1, in Elo, in words; none if the games cannot tell it.
    pub fn first_seat(&self) -> Option<String> {
        self.ratings.first_seat().map(|first| elo::text(first.into()))
    }

    /// Notes on the bots: the anchor of their ratings, or the groups that cannot be compared, and those that have left.
    pub fn notes_on_bots(&self) -> Vec<String> {
        table::bots(self)
    }

    /// The table for a reader.
    pub fn table(&self) -> Text {
        table::text(self)
    }

    /// The table of each two bots that have met, for a reader.
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
        self.conditions.seed.open().or(self.told_seed)
    }

    /// True if a bot has a rating: it has played, and was not disqualified.
    fn is_rated(&self, contestant: usize) -> bool {
        self.ratings.strength(contestant).is_some() && !ranking::is_disqualified(self.results, contestant)
    }

    /// The anchor of a bot's group.
    fn anchor_of(&self, contestant: usize) -> Option<usize> {
        self.anchors[self.ratings.group_of(contestant)]
    }

    /// The bots that do not play any more.
    fn gone(&self) -> impl Iterator<Item = &'a Label> {
        let gone = (0..self.bots.len()).filter(|bot| !self.results.field.contains(bot));
        gone.map(|bot| self.label(bot))
    }

    fn label(&self, contestant: usize) -> &'a Label {
        &self.bots[contestant].label
    }

    fn labels(&self, contestants: [usize; 2]) -> [&'a Label; 2] {
        contestants.map(|contestant| self.label(contestant))
    }
}

/// The bots of a tournament that have a rating, best first. Those of different groups, which cannot be compared, are in the
/// order of their distances from the mean of their group.
pub fn by_rating<'a>(bots: &'a [BotId], results: &Results) -> Vec<&'a BotId> {
    let ratings = results.sums.rated.rate();
    let strength = |bot: usize| {
        ratings.strength(bot).filter(|_| !ranking::is_disqualified(results, bot)).map(rows::tenths)
    };
    let mut rated: Vec<_> = (0..bots.len()).filter_map(|bot| Some((strength(bot)?, bot))).collect();
    rated.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    rated.into_iter().map(|(_, bot)| &bots[bot]).collect()
}
