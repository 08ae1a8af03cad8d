//! A line for a game, and one for a refused bot.

use arena_engine::{FailedFile, GameSummary, RefusedFile};
use arena_record::{BotId, Disqualified, GameResult, Label};
use arena_referee::HostError;
use arena_rules::{Outcome, Seat};
use arena_text::Text;

/// Lines for games, in columns that fit all contestants.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    labels: Vec<Label>,
    number_width: usize,
    label_width: usize,
}

impl Lines {
    /// The lines for this number of games between these bots.
    pub fn new(bots: &[BotId], games: usize) -> Self {
        let labels: Vec<Label> = bots.iter().map(|bot| bot.label.clone()).collect();
        let label_width = labels.iter().map(|label| label.width()).max().unwrap_or(0);
        Self { labels, number_width: games.to_string().len(), label_width }
    }

    /// The line for a game that was played: the bots by seat, the score, and the end.
    pub fn game(&self, game: &GameSummary) -> Text {
        let labels = game.fixture.seats.map(|index| &self.labels[index]);
        self.line(game.number, labels, &game.result)
    }

    /// The line for a bot that is disqualified.
    pub fn disqualified(&self, it: &Disqualified) -> Text {
        let label = self.labels[it.contestant].as_str();
        format!(
            "{label} is disqualified after game {}, {}: its other games count as lost",
            it.after_game, it.class
        )
        .into()
    }

    fn line(&self, number: usize, labels: [&Label; 2], result: &Result<GameResult, HostError>) -> Text {
        let score = result.as_ref().map_or("  -  ", |result| score(result.outcome));
        let end = match result {
            Err(error @ HostError::Game(_)) => format!("no result: {error}"),
            Err(error) => format!("no result, the arena failed: {error}"),
            Ok(result) => end(result, labels),
        };
        let ([first, second], width, digits) = (labels, self.label_width, self.number_width);
        let line = format!("{number:>digits$}  {first:>width$}  {score}  {second:width$}  {end}");
        line.trim_end().into()
    }
}

/// The line for a game between two that are known for this game only.
pub fn served(number: usize, labels: [&Label; 2], result: &Result<GameResult, HostError>) -> Text {
    Lines::default().line(number, labels, result)
}

pub(super) fn score(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Seat::First) => "1 - 0",
        Outcome::Win(Seat::Second) => "0 - 1",
        Outcome::Draw => "½ - ½",
        Outcome::NoContest => "  -  ",
    }
}

/// The end of a game, with its faults.
fn end(result: &GameResult, labels: [&Label; 2]) -> String {
    let mut text = result.reason.to_string();
    let turns = result.turns[0].max(result.turns[1]);
    if turns > 0 {
        text += &format!(" in turn {turns}");
    }
    for ((seat, class), fault) in &result.faults {
        text += &format!("; {}: {class}", labels[seat.index()]);
        text += &match fault.count {
            1 => format!(" ({})", fault.detail),
            count => format!(" ×{count}"),
        };
    }
    if !result.reproducible {
        text += "; decided by the clock, not reproducible";
    }
    text
}

/// The text about a refused bot: the file, the reason, and the next step for its author.
pub fn refusal(refused: &RefusedFile) -> String {
    format!("refused: {}: {}\n  next: {}", refused.file, refused.message, refused.next)
}

/// The text about a bot that was not admitted because the arena failed: the file and the failure.
pub fn failed(failed: &FailedFile) -> String {
    let next = failed.cause.trouble().next().unwrap_or("run it again");
    let problem = failed.cause.problem();
    format!("not admitted, because the arena failed: {}: {problem}\n  next: {next}", failed.file)
}
