//! The findings of `arena sprt`.

use super::Output;
use arena_experiments::sprt::{FaultsOf, Tested};
use arena_league::{Decision, summary};
use arena_record::{Label, Seed};
use arena_text::{Text, counted};
use serde::Serialize;
use serde_json::json;

/// A test, decided or not.
#[derive(Clone, Copy, Debug)]
pub struct SprtOutput<'a> {
    /// The labels of the new bot and the old one.
    pub labels: [&'a Label; 2],
    /// The test.
    pub tested: &'a Tested,
    /// The random seed of the games.
    pub seed: Seed,
    /// The number of games after which the test ends undecided.
    pub games_planned: u64,
}

impl Output for SprtOutput<'_> {
    fn text(&self) -> Text {
        let [new, old] = self.labels;
        let Tested { test, tally, decision, faults, has_contest, failed } = self.tested;
        let unit = test.model().unit();
        let verdict = match decision {
            Decision::AcceptH1 => {
                format!("H1 accepted: {new} is better than {old} by more than {} {unit}", test.elo0())
            }
            Decision::AcceptH0 => {
                format!("H0 accepted: {new} is not better than {old} by {} {unit}", test.elo1())
            }
            Decision::Continue if failed.is_some() => "not decided: the test has stopped".into(),
            Decision::Continue if tally.never_counts() => {
                let games = if *has_contest { "a game of every pair" } else { "every game" };
                format!("not decided: both bots are at fault in {games}, so no pair counts")
            }
            Decision::Continue => "not decided: the test needs more games".into(),
        };
        let mut text = format!("{}\n{verdict}", summary(tally, Some(test)));
        for (label, FaultsOf { count, first }) in self.labels.into_iter().zip(faults) {
            if let Some((class, detail)) = first {
                text += &format!("\n{label} faulted {}, first: {class}: {detail}", counted(*count, "time"));
            }
        }
        if tally.incomplete > 0 {
            text += &format!("\nno contest, which does not count: {}", counted(tally.incomplete, "pair"));
        }
        text += &format!("\nseed {}", self.seed);
        text.into()
    }

    fn json(&self) -> impl Serialize {
        let [new, old] = self.labels;
        let Tested { test, tally, decision, faults, .. } = self.tested;
        json!({
            "new": new,
            "old": old,
            "test": test,
            "decision": match decision {
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
            "faults": faults.each_ref().map(|faults| faults.count),
            "first-faults": faults.each_ref().map(|faults| {
                faults.first.as_ref().map(|(class, detail)| json!({ "class": class, "detail": detail }))
            }),
            "seed": self.seed,
        })
    }
}
