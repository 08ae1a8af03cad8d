//! The figures of `arena bench` for several bots, side by side.

use super::rows::tenths;
use super::solo::{self, SoloReport};
use super::table::table;
use crate::boards::Board;
use crate::plan::Plan;
use crate::roster::Contestant;
use arena_league::Interval;
use arena_record::Name;
use arena_text::{Json, Text};
use serde_json::{Value, json};

/// The figures of several bots over the same boards.
#[derive(Debug)]
pub struct CompareReport<'a> {
    plan: &'a Plan,
    boards: usize,
    bots: Vec<Compared<'a>>,
}

/// A bot beside the first one.
#[derive(Debug)]
struct Compared<'a> {
    solo: SoloReport<'a>,
    /// The difference to the first bot, on the boards that both cleared.
    difference: Option<Difference>,
}

/// The number of shots of a bot less those of the first one.
#[derive(Clone, Copy, Debug)]
struct Difference {
    boards: usize,
    mean: Option<Interval>,
}

impl<'a> CompareReport<'a> {
    /// The figures of these bots over these boards, the same ones for each.
    pub fn new(contestants: &'a [Contestant], plan: &'a Plan, played: &'a [Vec<Board>]) -> Self {
        let bots = contestants.iter().zip(played).enumerate().map(|(index, (contestant, boards))| Compared {
            solo: SoloReport::new(contestant, plan, boards),
            difference: (index > 0).then(|| difference(&played[0], boards)),
        });
        Self { plan, boards: played.iter().map(Vec::len).min().unwrap_or(0), bots: bots.collect() }
    }

    /// The text for a reader.
    pub fn text(&self) -> Text {
        let conditions = &self.plan.conditions;
        let title = format!(
            "{} bots on {} common boards, rules `{}` on {}\nseed {}",
            self.bots.len(),
            self.boards,
            Name::new(conditions.rules.name()),
            conditions.rules.size(),
            conditions.seed
        );
        let first = self.bots.first().map_or(String::new(), |bot| bot.solo.contestant.id.label.to_string());
        let against = format!("against {first}");
        let header = ["bot", "cleared", "shots", "±", "median", "p95", "fuel a shot", &against, "±"];
        let rows = self.bots.iter().map(Compared::cells);
        let mut lines = vec![title, String::new(), table(&header, &[0], rows)];
        for bot in &self.bots {
            let label = &bot.solo.contestant.id.label;
            lines.extend(bot.solo.failures().map(|failure| format!("{label} {failure}")));
        }
        lines.push(String::new());
        lines.push(
            "against: mean difference in shots on the boards that both cleared; ±: half the 95 % interval"
                .into(),
        );
        lines.join("\n").into()
    }

    /// The document for a program.
    pub fn json(&self) -> Json {
        let conditions = &self.plan.conditions;
        let bot = |bot: &Compared<'_>| {
            let mut document = bot.solo.figures();
            if let Some(Difference { boards, mean }) = bot.difference {
                document["difference"] = json!({
                    "to": self.bots[0].solo.contestant.id.label,
                    "boards": boards,
                    "mean": mean.map(|mean| solo::hundredths(mean.value)),
                    "error": mean.map(|mean| solo::hundredths(mean.error)),
                });
            }
            document
        };
        Json::pretty(&json!({
            "rules": conditions.rules,
            "seed": conditions.seed,
            "boards": self.boards,
            "bots": self.bots.iter().map(bot).collect::<Value>(),
        }))
    }
}

impl Compared<'_> {
    fn cells(&self) -> Vec<String> {
        let Self { solo, difference } = self;
        let none = || "-".to_owned();
        let shots = solo.shots.summary();
        let error = |error: Option<f64>| error.map_or("?".into(), |error| format!("{error:.2}"));
        let mean = difference.and_then(|difference| difference.mean);
        vec![
            solo.contestant.id.label.to_string(),
            solo.shots.len().to_string(),
            shots.map_or_else(none, |shots| format!("{:.2}", shots.mean)),
            shots.map_or_else(none, |shots| error(shots.error)),
            shots.map_or_else(none, |shots| shots.median.to_string()),
            shots.map_or_else(none, |shots| shots.p95.to_string()),
            solo.fuel_per_shot.map_or_else(none, |fuel| format!("{:.0}", tenths(fuel))),
            mean.map_or_else(none, |mean| format!("{:+.2}", mean.value)),
            mean.map_or_else(none, |mean| format!("{:.2}", mean.error)),
        ]
    }
}

/// The difference in shots between two bots, on the boards that both cleared.
fn difference(first: &[Board], other: &[Board]) -> Difference {
    let both = first.iter().zip(other).filter_map(|(first, other)| {
        debug_assert_eq!(first.number, other.number);
        let (first, other) = (first.result.as_ref().ok()?, other.result.as_ref().ok()?);
        Some(i64::from(other.shots) - i64::from(first.shots))
    });
    let differences: Vec<i64> = both.collect();
    Difference { boards: differences.len(), mean: Interval::of_mean(differences) }
}
