//! The workers of a contest, for an organiser who wants to find a slow machine or a lying worker.

use super::Output;
use arena_cluster::{Residual, Status, WorkerStatus};
use arena_text::{Text, counted, grouped, table};
use arena_tui::{WorkersColumn, WorkersTable};
use serde::Serialize;

/// The length of an owner in the table, in characters. Chosen: enough to distinguish keys.
const OWNER_CHARS_MAX: usize = 12;

/// The length of a bot's label after a residual, in characters. Chosen: as above.
const LABEL_CHARS_MAX: usize = 12;

/// Formats the cell of a worker in a column. The number is that of all games in the contest's results.
type Cell = fn(&WorkerStatus, u64) -> String;

/// The columns: the name, true for text, the rank (the largest is left out first where space is short), and the cell.
const COLUMNS: [(&str, bool, u8, Cell); 16] = [
    ("worker", true, 0, |worker, _| worker.name.to_string()),
    ("owner", true, 15, |worker, _| first(worker.owner.as_str(), OWNER_CHARS_MAX)),
    ("machine", true, 4, |worker, _| worker.machine.to_string()),
    ("arena", true, 10, |worker, _| worker.arena.to_string()),
    ("jobs", false, 5, |worker, _| worker.jobs.to_string()),
    ("games", false, 13, |worker, _| worker.games.to_string()),
    ("share", false, 6, |worker, games| format!("{:.0}%", worker.games as f64 * 100.0 / games.max(1) as f64)),
    ("games/s", false, 1, |worker, _| format!("{:.1}", worker.games_per_second)),
    ("batch s", false, 14, |worker, _| seconds(worker.turnaround_ms)),
    ("heard", false, 7, |worker, _| seconds(worker.silent_ms)),
    ("same", false, 9, |worker, _| worker.checks_same.to_string()),
    ("other", false, 3, |worker, _| worker.checks_others.to_string()),
    ("failed", false, 8, |worker, _| worker.failures.to_string()),
    ("late", false, 12, |worker, _| worker.late.to_string()),
    ("residual", true, 2, |worker, _| residual(worker.residual.as_ref())),
    ("state", true, 11, |worker, _| state(worker)),
];

/// The state of the workers as one line, with the number of owners that must play each game if it is too large for these workers.
pub fn workers_line(status: &Status, owners_wanted: Option<usize>) -> String {
    let line = match (status.is_connected, status.runs) {
        (false, _) => "the server is unreachable".to_owned(),
        (true, 0) => "no workers yet".to_owned(),
        (true, workers) => format!(
            "{} with {}, {} games a second, {} in flight",
            counted(workers, "worker"),
            counted(status.jobs, "job"),
            grouped(status.games_per_second.round() as u64),
            grouped(status.games_in_flight)
        ),
    };
    match owners_wanted {
        Some(owners) => format!("{line}: waiting for workers of {owners} owners"),
        None => line,
    }
}

/// The workers of a contest as a table, sorted by turnaround, the slowest first.
pub fn workers_table(status: &Status) -> WorkersTable {
    let Status { workers, runs, jobs, games_per_second, .. } = status;
    let games: u64 = workers.iter().map(|worker| worker.games).sum();
    let mut rows: Vec<&WorkerStatus> = workers.iter().collect();
    rows.sort_by(|one, other| {
        (other.turnaround_ms, &one.name, &one.key).cmp(&(one.turnaround_ms, &other.name, &other.key))
    });
    let left_out = match status.workers_left_out {
        0 => String::new(),
        left_out => format!("; {left_out} more are not shown"),
    };
    WorkersTable {
        columns: COLUMNS.map(|(name, is_text, rank, _)| WorkersColumn { name, is_text, rank }).to_vec(),
        rows: rows
            .iter()
            .map(|worker| COLUMNS.iter().map(|(.., cell)| cell(worker, games)).collect())
            .collect(),
        sum: format!(
            "{} with {}, {} games a second{left_out}",
            counted(*runs, "worker"),
            counted(*jobs, "job"),
            grouped(games_per_second.round() as u64)
        ),
    }
}

/// The report of `arena workers` for this state of the workers.
#[derive(Clone, Copy, Debug)]
pub struct WorkersOutput<'a>(pub &'a Status);

impl Output for WorkersOutput<'_> {
    fn text(&self) -> Text {
        let WorkersTable { columns, rows, sum } = workers_table(self.0);
        if rows.is_empty() {
            return "no workers yet".into();
        }
        let header: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let text: Vec<usize> = (0..columns.len()).filter(|&place| columns[place].is_text).collect();
        format!("{}\n{sum}", table(&header, &text, rows.into_iter())).into()
    }

    fn json(&self) -> impl Serialize {
        self.0
    }
}

/// The first characters of a text.
fn first(text: &str, chars_max: usize) -> String {
    text.chars().take(chars_max).collect()
}

fn seconds(millis: Option<u64>) -> String {
    millis.map_or_else(|| "-".to_owned(), |millis| format!("{:.1}", millis as f64 / 1_000.0))
}

fn residual(residual: Option<&Residual>) -> String {
    residual.map_or_else(
        || "-".to_owned(),
        |Residual { standard_errors, bot }| {
            format!("{standard_errors:+.1} {}", first(bot.as_str(), LABEL_CHARS_MAX))
        },
    )
}

fn state(worker: &WorkerStatus) -> String {
    match (&worker.refused, worker.silent_ms) {
        (Some(why), _) => format!("refused: {why}"),
        (None, Some(_)) => "plays".into(),
        (None, None) => "gone".into(),
    }
}
