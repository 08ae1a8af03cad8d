//! The figures of `arena bench`.

use arena_engine::internals::ranking::tenths;
use arena_experiments::boards::BoardResult;
use arena_league::{Bucket, Sample};
use arena_players::{Contestant, Plan};
use arena_record::Name;
use arena_referee::{Detail, FaultClass};
use arena_text::{Text, counted};
use serde::Serialize;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The most bars of the histogram. Chosen: it fits a screen with the figures.
const COLUMNS_MAX: u32 = 15;

/// The number of boards that are named because they took the most shots. Chosen: they fit a line.
const WORST_SHOWN_MAX: usize = 5;

/// The longest bar of the histogram, in characters. Chosen: a line of 80 with its labels.
const BAR_CHARS_MAX: u64 = 50;

/// The figures of a bot over boards that it cleared alone.
#[derive(Debug)]
pub struct SoloOutput<'a> {
    pub(super) contestant: &'a Contestant,
    plan: &'a Plan,
    boards: usize,
    pub(super) shots: Sample,
    pub(super) fuel_per_shot: Option<f64>,
    /// The boards that took the most shots, with their numbers.
    worst: Vec<(u32, u32)>,
    failed: Vec<Failed<'a>>,
}

/// The boards on which a bot failed because of a class of fault.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Failed<'a> {
    class: FaultClass,
    boards: u32,
    /// The first of them.
    first: u32,
    detail: &'a Detail,
}

/// The boards on which a bot failed, by class of fault.
fn failed(boards: &[BoardResult]) -> Vec<Failed<'_>> {
    let mut failed: BTreeMap<FaultClass, Failed<'_>> = BTreeMap::new();
    for board in boards {
        if let Err(fault) = &board.result {
            let (class, first, detail) = (fault.class, board.number, &fault.detail);
            failed.entry(class).or_insert(Failed { class, boards: 0, first, detail }).boards += 1;
        }
    }
    failed.into_values().collect()
}

impl Failed<'_> {
    /// The line about them, without the bot's name.
    fn line(&self) -> String {
        let Self { class, boards, first, detail } = self;
        // A board alone has its own rules, so the fault may be none in a game.
        let why = match class {
            FaultClass::IllegalAction => {
                "; a board alone takes legal shots only, also under rules that allow skips"
            }
            _ => "",
        };
        format!("failed on {}, first on board {first}: {class}: {detail}{why}", counted(*boards, "board"))
    }
}

impl<'a> SoloOutput<'a> {
    /// The figures of a bot over these boards.
    pub fn new(contestant: &'a Contestant, plan: &'a Plan, played: &'a [BoardResult]) -> Self {
        let (mut shots, mut count, mut fuel) = (Sample::default(), 0_u64, 0);
        for cleared in played.iter().filter_map(|board| board.result.as_ref().ok()) {
            fuel += cleared.fuel;
            count += u64::from(cleared.shots);
            shots.add(cleared.shots);
        }
        let cleared = |board: &BoardResult| Some((board.result.as_ref().ok()?.shots, board.number));
        let mut worst: Vec<(u32, u32)> = played.iter().filter_map(cleared).collect();
        worst.sort_by_key(|&(shots, number)| (Reverse(shots), number));
        worst.truncate(WORST_SHOWN_MAX);
        let fuel_per_shot = (count > 0).then(|| fuel as f64 / count as f64);
        Self { contestant, plan, boards: played.len(), shots, fuel_per_shot, worst, failed: failed(played) }
    }

    /// The text for a reader.
    pub fn text(&self) -> Text {
        let conditions = &self.plan.conditions;
        let mut lines = vec![format!(
            "{}: {} of {} cleared, rules `{}`{}\nseed {}",
            self.contestant.id.label,
            self.shots.len(),
            counted(self.boards, "board"),
            Name::new(conditions.rules.name()),
            conditions.rules.on_board(),
            conditions.seed
        )];
        if let Some(shots) = self.shots.summary() {
            let error = shots.error.map_or("?".into(), |error| format!("{error:.2}"));
            lines.push(format!(
                "shots  {:.2} ± {error}   min {}   median {}   p95 {}   max {}",
                shots.mean, shots.min, shots.median, shots.p95, shots.max
            ));
            lines.push(format!("fuel   {:.0} a shot", self.fuel_per_shot.unwrap_or_default()));
            let worst = self.worst.iter().map(|(shots, number)| format!("board {number}: {shots}"));
            lines.push(format!("worst  {}", worst.collect::<Vec<_>>().join("   ")));
            lines.push(String::new());
            lines.extend(bars(&self.histogram()));
        } else {
            lines.push("no board was cleared: there is nothing to measure".into());
        }
        lines.extend(self.failures());
        lines.join("\n").into()
    }

    /// A line for each class of fault, without the bot's name.
    pub(super) fn failures(&self) -> impl Iterator<Item = String> {
        self.failed.iter().map(Failed::line)
    }

    /// The document for a program.
    pub fn json(&self) -> Value {
        document(self.plan, self.boards, [self.document()].into())
    }

    /// The bot and its figures, for a program.
    pub(super) fn document(&self) -> Value {
        let id = &self.contestant.id;
        let bucket = |it: &Bucket| json!({ "from": it.from, "to": it.to, "boards": it.times });
        let shots = self.shots.summary().map(|shots| {
            json!({
                "mean": hundredths(shots.mean),
                "error": shots.error.map(hundredths),
                "min": shots.min,
                "median": shots.median,
                "p95": shots.p95,
                "max": shots.max,
                "histogram": self.histogram().iter().map(bucket).collect::<Value>(),
            })
        });
        json!({
            "bot": id.label,
            "name": id.name,
            "sha256": id.sha256,
            "boards": self.boards,
            "cleared": self.shots.len(),
            "shots": shots,
            "fuel-per-shot": self.fuel_per_shot.map(tenths),
            "worst": self.worst.iter().map(|(shots, board)| json!({ "board": board, "shots": shots })).collect::<Value>(),
            "failed": self.failed,
        })
    }

    fn histogram(&self) -> Vec<Bucket> {
        self.shots.histogram(self.shots.bucket_width(COLUMNS_MAX))
    }
}

/// The document about these bots over the same boards.
pub(super) fn document(plan: &Plan, boards: usize, bots: Value) -> Value {
    json!({ "rules": plan.conditions.rules, "seed": plan.conditions.seed, "boards": boards, "bots": bots })
}

/// A number with two decimals, for a document.
pub(super) fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// A line with a bar for each bucket.
fn bars(buckets: &[Bucket]) -> impl Iterator<Item = String> {
    let most = buckets.iter().map(|bucket| bucket.times).max().unwrap_or(1).max(1);
    buckets.iter().map(move |Bucket { from, to, times }| {
        let bar = "█".repeat(usize::try_from((times * BAR_CHARS_MAX).div_ceil(most)).unwrap_or(0));
        format!("{from:>4}-{to:<4} {times:>6}  {bar}").trim_end().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_has_fifty_signs_and_no_bar_is_empty_unless_its_number_is_0() {
        let bucket = |times| Bucket { from: 1, to: 2, times };
        let buckets = [0, 1, 500, 1_000].map(bucket);
        let lengths: Vec<usize> = bars(&buckets).map(|line| line.matches('█').count()).collect();
        assert_eq!(lengths, [0, 1, 25, 50]);
    }
}
