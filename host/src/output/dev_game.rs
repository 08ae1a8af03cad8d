//! The verdict of `arena dev` on the build of a game.

use super::{GameFinding, Output};
use arena_experiments::game_trial::LastGame;
use arena_loaded::Answer;
use arena_text::{Text, counted, grouped};

/// A build of a game that was checked.
pub struct DevGameOutput<'a> {
    /// The number of the round.
    pub number: u32,
    /// The finding of the check.
    pub finding: GameFinding<'a>,
    /// The game with random actions; `None` when the game is at fault.
    pub game: Option<&'a LastGame>,
}

impl DevGameOutput<'_> {
    /// The text for a reader. The verdict is its last line, so that a small terminal shows it.
    pub fn text(&self) -> Text {
        let mut lines = Vec::new();
        let verdict = match (self.finding.answer, self.game) {
            (Ok(answer), Some(game)) => {
                lines.push(format!("  check    {}{}", self.finding.verdict(), most_expensive(answer)));
                lines.push(String::new());
                lines.extend(game.picture.lines().map(|line| format!("   {line}")));
                lines.push(String::new());
                result(answer, game)
            }
            _ => {
                lines.push(self.finding.text().as_str().to_owned());
                "at fault".to_owned()
            }
        };
        lines.push(format!("build {}: {verdict}", self.number));
        lines.join("\n").into()
    }
}

/// The call that needs the most fuel.
fn most_expensive(answer: &Answer) -> String {
    let calls = answer.trial.iter().flat_map(|trial| &trial.fuel);
    let most = calls.max_by_key(|(_, fuel)| fuel.max);
    most.map_or(String::new(), |(name, fuel)| {
        format!("; fuel of a call: at most {}, `{name}`", grouped(fuel.max))
    })
}

/// The result of a game with random actions, in words.
fn result(answer: &Answer, game: &LastGame) -> String {
    let turns = counted(game.turns, "turn");
    let who = game.winner.map_or("a draw".to_owned(), |seat| format!("seat {} wins", u8::from(seat)));
    let ending = answer.about.endings.iter().find(|ending| ending.name == game.ending);
    let why = ending.map_or(String::new(), |ending| format!(", {}: {}", ending.name, ending.text));
    format!("a random game of {turns}: {who}{why}")
}
