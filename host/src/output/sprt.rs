//! The findings of `arena sprt`.

use super::Output;
use arena_experiments::sprt::{FaultsOf, Test, Tested};
use arena_league::{Decision, Interval, MeanScore, summary};
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

impl SprtOutput<'_> {
    /// The summary of the games, with the state of the test.
    fn summary(&self) -> String {
        let Tested { test, tally, scores, .. } = self.tested;
        let test = match test {
            Test::Results(test) => return summary(tally, Some(test)),
            Test::Scores(test) => test,
        };
        let difference = scores.mean().map_or("-".into(), |MeanScore { mean, error }| match error {
            Some(error) => Interval { value: mean, error }.to_string(),
            None => format!("{mean:.2}"),
        });
        let ([lower, upper], llr) = (test.bounds(), test.llr(scores));
        format!(
            "{}\nScore difference: {difference} a game, Pairs: {}\nLLR: {llr:.2} ({lower:.2}, {upper:.2}) [{}, {}] a game",
            summary(tally, None),
            scores.pairs(),
            test.score0(),
            test.score1(),
        )
    }
}

impl Output for SprtOutput<'_> {
    fn text(&self) -> Text {
        let [new, old] = self.labels;
        let Tested { test, tally, decision, faults, has_contest, failed, .. } = self.tested;
        let ([is, is_not], [h0, h1], unit) = match test {
            Test::Results(test) => {
                (["is better", "is not better"], [test.elo0(), test.elo1()], test.model().unit())
            }
            Test::Scores(test) => {
                (["scores more", "does not score more"], [test.score0(), test.score1()], "a game")
            }
        };
        let verdict = match decision {
            Decision::AcceptH1 => {
                format!("H1 accepted: {new} {is} than {old} by more than {h0} {unit}")
            }
            Decision::AcceptH0 => {
                format!("H0 accepted: {new} {is_not} than {old} by {h1} {unit}")
            }
            Decision::Continue if failed.is_some() => "not decided: the test has stopped".into(),
            Decision::Continue if tally.never_counts() => {
                let games = if *has_contest { "a game of every pair" } else { "every game" };
                format!("not decided: both bots are at fault in {games}, so no pair counts")
            }
            Decision::Continue => "not decided: the test needs more games".into(),
        };
        let mut text = format!("{}\n{verdict}", self.summary());
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
        let Tested { test, tally, scores, decision, faults, .. } = self.tested;
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
            "llr": self.tested.llr(),
            "bounds": self.tested.bounds(),
            "score-difference": scores.mean(),
            "estimate": tally.pairs.estimate(),
            "faults": faults.each_ref().map(|faults| faults.count),
            "first-faults": faults.each_ref().map(|faults| {
                faults.first.as_ref().map(|(class, detail)| json!({ "class": class, "detail": detail }))
            }),
            "seed": self.seed,
        })
    }
}
