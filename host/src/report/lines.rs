//! A line for a game, and one for a refused bot.

use crate::roster::{Contestant, Refused};
use crate::tournament::GameSummary;
use arena_record::GameResult;
use arena_referee::HostError;
use arena_rules::{Outcome, Reason, Seat};

/// The words for the end of a game.
pub(crate) fn reason_words(reason: Reason) -> &'static str {
    match reason {
        Reason::FleetSunk => "fleet sunk",
        Reason::BothFleetsSunk => "both fleets sunk",
        Reason::BothSkipped => "both skipped",
        Reason::TurnsMax => "all turns taken",
        Reason::Forfeit => "forfeit",
        Reason::BadDeploy => "no legal fleet",
        Reason::BothBadDeploy => "neither has a legal fleet",
    }
}

/// Lines for games, in columns that fit all contestants.
#[derive(Clone, Debug)]
pub struct Lines {
    labels: Vec<String>,
    number_width: usize,
    label_width: usize,
}

impl Lines {
    /// Lines for so many games between these.
    pub fn new(contestants: &[Contestant], games: usize) -> Self {
        let labels: Vec<_> = contestants.iter().map(|contestant| contestant.label.clone()).collect();
        let label_width = labels.iter().map(|label| width(label)).max().unwrap_or(0);
        Self { labels, number_width: games.to_string().len(), label_width }
    }

    /// One game: who sat in which seat, the score, and how it ended.
    pub fn game(&self, game: &GameSummary) -> String {
        let labels = game.fixture.seats.map(|index| self.labels[index].as_str());
        match benched(game, labels) {
            Some(how) => {
                let score = game.result.as_ref().map_or("", |result| score(result.outcome));
                self.columns(game.number, labels, score, &how)
            }
            None => self.line(game.number, labels, &game.result),
        }
    }

    fn line(
        &self,
        number: usize,
        [first, second]: [&str; 2],
        result: &Result<GameResult, HostError>,
    ) -> String {
        let (score, how) = match result {
            Ok(result) => (score(result.outcome), how(result, [first, second])),
            Err(error) => ("  -  ", format!("no result, the arena failed: {error}")),
        };
        self.columns(number, [first, second], score, &how)
    }

    fn columns(&self, number: usize, [first, second]: [&str; 2], score: &str, how: &str) -> String {
        let number = format!("{number:>width$}", width = self.number_width);
        format!(
            "{number}  {}  {score}  {}  {how}",
            pad_left(first, self.label_width),
            pad(second, self.label_width)
        )
        .trim_end()
        .to_owned()
    }
}

/// The words for a game that was not played because of the bench.
fn benched(game: &GameSummary, labels: [&str; 2]) -> Option<String> {
    match game.benched {
        [false, false] => None,
        [true, true] => Some("not played: both are benched".into()),
        [first, _] => Some(format!("not played: {} is benched", labels[usize::from(!first)])),
    }
}

/// A line for a game between two that are known for this game only.
pub fn served(number: usize, labels: [&str; 2], result: &Result<GameResult, HostError>) -> String {
    Lines { labels: Vec::new(), number_width: 0, label_width: 0 }.line(number, labels, result)
}

fn score(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Seat::First) => "1 - 0",
        Outcome::Win(Seat::Second) => "0 - 1",
        Outcome::Draw => "½ - ½",
        Outcome::NoContest => "  -  ",
    }
}

fn how(result: &GameResult, labels: [&str; 2]) -> String {
    let turns = result.turns[0].max(result.turns[1]);
    let mut text = reason_words(result.reason).to_owned();
    if turns > 0 {
        text += &format!(" in turn {turns}");
    }
    for ((seat, class), fault) in &result.faults {
        let times = if fault.count > 1 { format!(" ×{}", fault.count) } else { String::new() };
        text += &format!("; {}: {class}{times}", labels[seat.index()]);
        if fault.count == 1 {
            text += &format!(" ({})", fault.detail);
        }
    }
    if !result.reproducible {
        text += "; decided by the clock, not reproducible";
    }
    text
}

/// A refused bot: which, why, and what its author can do.
pub fn refusal(refused: &Refused) -> String {
    format!("refused: {}: {}\n  next: {}", refused.file, refused.message, refused.next)
}

/// The columns that a label takes on a terminal.
fn width(label: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(label)
}

fn pad(label: &str, columns: usize) -> String {
    format!("{label}{}", " ".repeat(columns.saturating_sub(width(label))))
}

fn pad_left(label: &str, columns: usize) -> String {
    format!("{}{label}", " ".repeat(columns.saturating_sub(width(label))))
}
