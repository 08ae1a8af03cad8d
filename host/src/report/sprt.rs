//! What `arena sprt` found.

use super::json::pretty;
use arena_league::{Decision, Estimate, PairTally, Sprt, summary};
use serde::Serialize;

/// A test, decided or not.
#[derive(Clone, Copy, Debug)]
pub struct SprtReport<'a> {
    /// The new bot and the old one.
    pub labels: [&'a str; 2],
    /// The test.
    pub test: &'a Sprt,
    /// The pairs of games, from the new bot's side.
    pub tally: &'a PairTally,
    /// What the test says.
    pub decision: Decision,
    /// Faults of the new bot and the old one.
    pub faults: [u32; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Document<'a> {
    new: &'a str,
    old: &'a str,
    test: &'a Sprt,
    decision: &'static str,
    pairs: u64,
    pentanomial: [u64; 5],
    wins: u64,
    draws: u64,
    losses: u64,
    incomplete_pairs: u64,
    llr: f64,
    bounds: [f64; 2],
    estimate: Option<Estimate>,
    faults: [u32; 2],
}

impl SprtReport<'_> {
    /// For a reader: the usual block, and what it means.
    pub fn text(&self) -> String {
        let [new, old] = self.labels;
        let verdict = match self.decision {
            Decision::AcceptH1 => {
                format!("H1 accepted: {new} is better than {old} by more than {} Elo", self.test.elo0())
            }
            Decision::AcceptH0 => {
                format!("H0 accepted: {new} is not better than {old} by {} Elo", self.test.elo1())
            }
            Decision::Continue => "not decided: the test needs more games".into(),
        };
        let mut text = format!("{}\n{verdict}", summary(self.tally, Some(self.test)));
        for (label, faults) in self.labels.into_iter().zip(self.faults).filter(|(_, faults)| *faults > 0) {
            text += &format!("\n{label} faulted {faults} times: `arena run` shows how");
        }
        if self.tally.incomplete > 0 {
            text += &format!("\n{} pairs were no contest and do not count", self.tally.incomplete);
        }
        text
    }

    /// For a program.
    pub fn json(&self) -> String {
        let [new, old] = self.labels;
        pretty(&Document {
            new,
            old,
            test: self.test,
            decision: match self.decision {
                Decision::AcceptH1 => "accept-h1",
                Decision::AcceptH0 => "accept-h0",
                Decision::Continue => "undecided",
            },
            pairs: self.tally.pairs.pairs(),
            pentanomial: self.tally.pairs.0,
            wins: self.tally.wins,
            draws: self.tally.draws,
            losses: self.tally.losses,
            incomplete_pairs: self.tally.incomplete,
            llr: self.test.llr(&self.tally.pairs),
            bounds: self.test.bounds(),
            estimate: self.tally.pairs.estimate(),
            faults: self.faults,
        })
    }
}
