//! The findings of `arena sprt`.

use super::Output;
use arena_league::{Decision, PairTally, Sprt, summary};
use arena_record::{GameResult, Label, Seed};
use arena_referee::{Detail, FaultClass};
use arena_rules::Seat;
use arena_text::{Text, counted};
use serde::Serialize;
use serde_json::json;

/// A test, decided or not.
#[derive(Clone, Copy, Debug)]
pub struct SprtOutput<'a> {
    /// The labels of the new bot and the old one.
    pub labels: [&'a Label; 2],
    /// The test.
    pub test: &'a Sprt,
    /// The pairs of games, from the new bot's side.
    pub tally: &'a PairTally,
    /// The decision of the test.
    pub decision: Decision,
    /// The faults of the new bot and the old one.
    pub faults: [&'a FaultsOf; 2],
    /// The random seed of the games.
    pub seed: Seed,
    /// The number of games after which the test ends undecided.
    pub games_planned: u64,
    /// True if a failure has stopped it.
    pub has_failed: bool,
    /// True if a game had a result.
    pub has_contest: bool,
}

/// The faults of a bot in a test.
#[derive(Clone, Debug, Default)]
pub struct FaultsOf {
    /// The number of faults.
    pub count: u32,
    /// The first one: its class and line, if there was one.
    pub first: Option<(FaultClass, Detail)>,
}

impl FaultsOf {
    /// Counts the faults of a game at a seat.
    pub fn add(&mut self, result: &GameResult, seat: Seat) {
        self.count += result.fault_count(seat);
        if self.first.is_none() {
            let mut faults = result.faults.iter().filter(|((by, _), _)| *by == seat);
            self.first = faults.next().map(|((_, class), fault)| (*class, fault.detail.clone()));
        }
    }
}

impl Output for SprtOutput<'_> {
    fn text(&self) -> Text {
        let [new, old] = self.labels;
        let unit = self.test.model().unit();
        let verdict = match self.decision {
            Decision::AcceptH1 => {
                format!("H1 accepted: {new} is better than {old} by more than {} {unit}", self.test.elo0())
            }
            Decision::AcceptH0 => {
                format!("H0 accepted: {new} is not better than {old} by {} {unit}", self.test.elo1())
            }
            Decision::Continue if self.has_failed => "not decided: the test has stopped".into(),
            Decision::Continue if self.tally.never_counts() => {
                let games = if self.has_contest { "a game of every pair" } else { "every game" };
                format!("not decided: both bots are at fault in {games}, so no pair counts")
            }
            Decision::Continue => "not decided: the test needs more games".into(),
        };
        let mut text = format!("{}\n{verdict}", summary(self.tally, Some(self.test)));
        for (label, FaultsOf { count, first }) in self.labels.into_iter().zip(self.faults) {
            if let Some((class, detail)) = first {
                text += &format!("\n{label} faulted {}, first: {class}: {detail}", counted(*count, "time"));
            }
        }
        if self.tally.incomplete > 0 {
            text +=
                &format!("\nno contest, which does not count: {}", counted(self.tally.incomplete, "pair"));
        }
        text += &format!("\nseed {}", self.seed);
        text.into()
    }

    fn json(&self) -> impl Serialize {
        let Self { labels: [new, old], test, tally, .. } = self;
        json!({
            "new": new,
            "old": old,
            "test": test,
            "decision": match self.decision {
                Decision::AcceptH1 => "accept-h1",
                Decision::AcceptH0 => "accept-h0",
                Decision::Continue => "undecided",
            },
            "games-planned": self.games_planned,
            "games-played": tally.games() + 2 * tally.incomplete,
            "pairs": tally.pairs.pairs(),
            "pentanomial": tally.pairs,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "incomplete-pairs": tally.incomplete,
            "no-pair-counts": tally.never_counts(),
            "llr": test.llr(&tally.pairs),
            "bounds": test.bounds(),
            "estimate": tally.pairs.estimate(),
            "faults": self.faults.map(|faults| faults.count),
            "first-faults": self.faults.map(|faults| {
                faults.first.as_ref().map(|(class, detail)| json!({ "class": class, "detail": detail }))
            }),
            "seed": self.seed,
        })
    }
}
