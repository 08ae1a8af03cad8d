//! The figures of `arena bench` for several bots, side by side.

use super::solo::{self, SoloOutput};
use arena_engine::internals::ranking::tenths;
use arena_experiments::boards::BoardResult;
use arena_league::Interval;
use arena_players::{Contestant, Plan};
use arena_record::Name;
use arena_text::{Text, table};
use serde_json::{Value, json};

/// The figures of several bots over the same boards.
#[derive(Debug)]
pub struct CompareOutput<'a> {
    plan: &'a Plan,
    boards: usize,
    bots: Vec<Compared<'a>>,
}

/// A bot compared with the first one.
#[derive(Debug)]
struct Compared<'a> {
    solo: SoloOutput<'a>,
    /// The difference to the first bot, on the boards that both cleared.
    difference: Option<Difference>,
}

/// The number of shots on boards minus those on the same boards before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) boards: usize,
    pub(super) mean: Option<Interval>,
}

impl<'a> CompareOutput<'a> {
    /// The figures of these bots over these boards, the same ones for each.
    pub fn new(contestants: &'a [Contestant], plan: &'a Plan, played: &'a [Vec<BoardResult>]) -> Self {
        let bots = contestants.iter().zip(played).enumerate().map(|(index, (contestant, boards))| Compared {
            solo: SoloOutput::new(contestant, plan, boards),
            difference: (index > 0).then(|| Difference::between(&played[0], boards)),
        });
        Self { plan, boards: played.iter().map(Vec::len).min().unwrap_or(0), bots: bots.collect() }
    }

    /// The text for a reader.
    pub fn text(&self) -> Text {
        let conditions = &self.plan.conditions;
        let title = format!(
            "{} bots on {} common boards, rules `{}`{}\nseed {}",
            self.bots.len(),
            self.boards,
            Name::new(conditions.rules.name()),
            conditions.rules.on_board(),
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
    pub fn json(&self) -> Value {
        let bot = |bot: &Compared<'_>| {
            let mut document = bot.solo.document();
            if let Some(difference) = bot.difference {
                document["difference"] = difference.figures();
                document["difference"]["to"] = json!(self.bots[0].solo.contestant.id.label);
            }
            document
        };
        solo::document(self.plan, self.boards, self.bots.iter().map(bot).collect())
    }
}

impl Compared<'_> {
    fn cells(&self) -> Vec<String> {
        let Self { solo, difference } = self;
        let none = || "-".to_owned();
        let shots = solo.shots.summary();
        let [mean, error] = mean_cells(solo);
        let [difference, difference_error] = difference.map_or_else(|| [none(), none()], Difference::cells);
        vec![
            solo.contestant.id.label.to_string(),
            solo.shots.len().to_string(),
            mean,
            error,
            shots.map_or_else(none, |shots| shots.median.to_string()),
            shots.map_or_else(none, |shots| shots.p95.to_string()),
            solo.fuel_per_shot.map_or_else(none, |fuel| format!("{:.0}", tenths(fuel))),
            difference,
            difference_error,
        ]
    }
}

/// The cells of the mean number of shots and its error.
pub(super) fn mean_cells(solo: &SoloOutput<'_>) -> [String; 2] {
    let Some(shots) = solo.shots.summary() else { return ["-".into(), "-".into()] };
    let error = shots.error.map_or("?".into(), |error| format!("{error:.2}"));
    [format!("{:.2}", shots.mean), error]
}

impl Difference {
    /// The difference in shots between two series of boards, on those that were cleared in both. The first series is of all
    /// boards in order, the other one may lack some.
    pub(super) fn between(first: &[BoardResult], other: &[BoardResult]) -> Self {
        let both = other.iter().filter_map(|other| {
            let first = first.get(other.number as usize - 1)?;
            debug_assert_eq!(first.number, other.number);
            let (first, other) = (first.result.as_ref().ok()?, other.result.as_ref().ok()?);
            Some(i64::from(other.shots) - i64::from(first.shots))
        });
        let differences: Vec<i64> = both.collect();
        Self { boards: differences.len(), mean: Interval::of_mean(differences) }
    }

    /// The cells of the mean and its error.
    pub(super) fn cells(self) -> [String; 2] {
        self.mean.map_or_else(
            || ["-".into(), "-".into()],
            |mean| [format!("{:+.2}", mean.value), format!("{:.2}", mean.error)],
        )
    }

    /// The figures for a program.
    pub(super) fn figures(self) -> Value {
        json!({
            "boards": self.boards,
            "mean": self.mean.map(|mean| solo::hundredths(mean.value)),
            "error": self.mean.map(|mean| solo::hundredths(mean.error)),
        })
    }
}
