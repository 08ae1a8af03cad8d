//! What `arena bench` measured.

use super::json::pretty;
use super::rows::tenths;
use crate::boards::Board;
use crate::plan::Plan;
use crate::roster::Contestant;
use arena_league::Sample;
use arena_referee::FaultClass;
use arena_rules::Ruleset;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most bars of the histogram. Chosen: it fits a screen with the figures.
const COLUMNS_MAX: u32 = 15;

/// The longest bar of the histogram, in characters. Chosen: a line of 80 with its labels.
const BAR_CHARS_MAX: u64 = 50;

/// A bot's figures over boards that it cleared alone.
#[derive(Debug)]
pub struct SoloReport<'a> {
    contestant: &'a Contestant,
    plan: &'a Plan,
    rules: &'a Ruleset,
    boards: usize,
    shots: Sample,
    /// Of all shots, by the way the fuel is added up.
    total: u64,
    fuel: u64,
    failed: Vec<Failed<'a>>,
}

/// Boards that were not cleared, by the class of the fault.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Failed<'a> {
    class: FaultClass,
    boards: u32,
    /// The first of them.
    first: u32,
    detail: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Document<'a> {
    bot: &'a str,
    name: &'a str,
    sha256: &'a str,
    rules: &'a Ruleset,
    seed: u64,
    boards: usize,
    cleared: u64,
    shots: Option<Shots>,
    fuel_per_shot: Option<f64>,
    failed: &'a [Failed<'a>],
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Shots {
    mean: f64,
    error: Option<f64>,
    min: u32,
    median: f64,
    p95: u32,
    max: u32,
    histogram: Vec<Bucket>,
}

#[derive(Serialize)]
struct Bucket {
    from: u32,
    to: u32,
    boards: u64,
}

impl<'a> SoloReport<'a> {
    /// The figures of a bot over these boards.
    pub fn new(contestant: &'a Contestant, plan: &'a Plan, rules: &'a Ruleset, played: &'a [Board]) -> Self {
        let mut failed: BTreeMap<FaultClass, Failed<'a>> = BTreeMap::new();
        let mut fuel = 0;
        let mut total = 0;
        let mut shots = Sample::default();
        for board in played {
            match &board.result {
                Ok(cleared) => {
                    fuel += cleared.fuel;
                    total += u64::from(cleared.shots);
                    shots.add(cleared.shots);
                }
                Err(fault) => {
                    let (class, first, detail) = (fault.class, board.number, fault.detail.as_str());
                    let line = failed.entry(class).or_insert(Failed { class, boards: 0, first, detail });
                    line.boards += 1;
                }
            }
        }
        Self {
            contestant,
            plan,
            rules,
            boards: played.len(),
            shots,
            total,
            fuel,
            failed: failed.into_values().collect(),
        }
    }

    /// For a reader.
    pub fn text(&self) -> String {
        let mut lines = vec![format!(
            "{}: {} of {} boards cleared, rules `{}` on {}, seed {}",
            self.contestant.label,
            self.shots.len(),
            self.boards,
            self.rules.name,
            self.rules.size(),
            self.plan.seed
        )];
        match self.shots() {
            Some(shots) => {
                lines.push(format!(
                    "shots  {:.2} ± {}   min {}   median {}   p95 {}   max {}",
                    shots.mean,
                    shots.error.map_or("?".into(), |error| format!("{error:.2}")),
                    shots.min,
                    shots.median,
                    shots.p95,
                    shots.max
                ));
                lines.push(format!("fuel   {:.0} a shot", self.fuel_per_shot().unwrap_or_default()));
                lines.push(String::new());
                lines.extend(histogram(&shots.histogram));
            }
            None => lines.push("no board was cleared: there is nothing to measure".into()),
        }
        for failed in &self.failed {
            let Failed { class, boards, first, detail } = failed;
            lines.push(format!("failed on {boards} boards, first on board {first}: {class}: {detail}"));
        }
        lines.join("\n")
    }

    /// For a program.
    pub fn json(&self) -> String {
        pretty(&Document {
            bot: &self.contestant.label,
            name: self.contestant.bot.name(),
            sha256: self.contestant.bot.hash(),
            rules: self.rules,
            seed: self.plan.seed,
            boards: self.boards,
            cleared: self.shots.len(),
            shots: self.shots(),
            fuel_per_shot: self.fuel_per_shot().map(tenths),
            failed: &self.failed,
        })
    }

    fn shots(&self) -> Option<Shots> {
        let summary = self.shots.summary()?;
        let hundredths = |number: f64| (number * 100.0).round() / 100.0;
        let bucket =
            |bucket: arena_league::Bucket| Bucket { from: bucket.from, to: bucket.to, boards: bucket.times };
        Some(Shots {
            mean: hundredths(summary.mean),
            error: summary.error.map(hundredths),
            min: summary.min,
            median: summary.median,
            p95: summary.p95,
            max: summary.max,
            histogram: self
                .shots
                .histogram(self.shots.bucket_width(COLUMNS_MAX))
                .into_iter()
                .map(bucket)
                .collect(),
        })
    }

    fn fuel_per_shot(&self) -> Option<f64> {
        (self.total > 0).then(|| self.fuel as f64 / self.total as f64)
    }
}

/// A line with a bar for each bucket, from the first with any boards to the last.
fn histogram(buckets: &[Bucket]) -> Vec<String> {
    let most = buckets.iter().map(|bucket| bucket.boards).max().unwrap_or(1).max(1);
    let line = |bucket: &Bucket| {
        let bar = "█".repeat(usize::try_from((bucket.boards * BAR_CHARS_MAX).div_ceil(most)).unwrap_or(0));
        format!("{:>4}-{:<4} {:>6}  {bar}", bucket.from, bucket.to, bucket.boards).trim_end().to_owned()
    };
    buckets.iter().map(line).collect()
}
