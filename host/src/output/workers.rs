//! The workers of a contest, for an organiser who looks for the slow machine.

use super::table::table;
use arena_text::{Json, Text, counted};
use arena_workers::{Status, WorkerStatus};

/// The report of `arena workers`.
#[derive(Clone, Debug)]
pub struct WorkersOutput<'a> {
    status: &'a Status,
}

impl<'a> WorkersOutput<'a> {
    /// The report on a contest whose workers are in this state.
    pub fn new(status: &'a Status) -> Self {
        Self { status }
    }

    /// The table for a reader: the slowest way from a batch to its result comes first.
    pub fn table(&self) -> Text {
        let Status { workers, runs, jobs, games_per_second, .. } = self.status;
        if workers.is_empty() {
            return "no workers yet".into();
        }
        let games: u64 = workers.iter().map(|worker| worker.games).sum();
        let mut rows: Vec<&WorkerStatus> = workers.iter().collect();
        rows.sort_by(|one, other| {
            (other.turnaround_ms, &one.name, &one.key).cmp(&(one.turnaround_ms, &other.name, &other.key))
        });
        let header = [
            "worker", "owner", "machine", "arena", "jobs", "games", "share", "games/s", "batch s", "heard",
            "same", "other", "failed", "late", "state",
        ];
        let lines = table(&header, &[0, 1, 2, 3, 14], rows.iter().map(|worker| cells(worker, games)));
        let sum = format!(
            "{} with {}, {games_per_second:.0} games a second",
            counted(*runs, "worker"),
            counted(*jobs, "job")
        );
        let left_out = match self.status.workers_left_out {
            0 => String::new(),
            left_out => format!("; {left_out} more are left out"),
        };
        format!("{lines}\n{sum}{left_out}").into()
    }

    /// The document for a program.
    pub fn json(&self) -> Json {
        Json::pretty(self.status)
    }
}

fn cells(worker: &WorkerStatus, games: u64) -> Vec<String> {
    let percent = worker.games as f64 * 100.0 / games.max(1) as f64;
    let seconds = |millis: Option<u64>| {
        millis.map_or_else(|| "-".to_owned(), |millis| format!("{:.1}", millis as f64 / 1_000.0))
    };
    // A key as an owner is too long for a column.
    let owner: String = worker.owner.as_str().chars().take(OWNER_CHARS_MAX).collect();
    vec![
        worker.name.to_string(),
        owner,
        worker.machine.to_string(),
        worker.arena.to_string(),
        worker.jobs.to_string(),
        worker.games.to_string(),
        format!("{percent:.0}%"),
        format!("{:.1}", worker.games_per_second),
        seconds(worker.turnaround_ms),
        seconds(worker.silent_ms),
        worker.checks_same.to_string(),
        worker.checks_others.to_string(),
        worker.failures.to_string(),
        worker.late.to_string(),
        match (&worker.refused, worker.silent_ms) {
            (Some(why), _) => format!("refused: {why}"),
            (None, Some(_)) => "plays".into(),
            (None, None) => "gone".into(),
        },
    ]
}

/// The length of an owner in the table, in characters. Chosen: enough to distinguish keys.
const OWNER_CHARS_MAX: usize = 12;
