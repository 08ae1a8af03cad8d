//! The lines of overlays in a bot's trial games that draw nothing, because they are wrong.

use super::NEXT_LINE;
use super::trial::{board, name};
use crate::trial::TrialGame;
use arena_record::overlay::{WrongLine, wrong_lines};
use arena_text::{Line, counted};
use serde_json::{Value, json};

/// The longest line of a bot that is shown, and the longest text about one. Chosen: each fits two lines of a terminal.
type Shown = Line<120>;

/// The wrong lines of a game, in order. A game that draws itself has no overlays.
fn of_game(game: &TrialGame) -> Vec<WrongLine> {
    board(game).map_or_else(Vec::new, |size| wrong_lines(game.log(), size))
}

/// The entry for a reader: how many lines are wrong, and the first one of each kind; `None` if all are right.
pub(super) fn text(games: &[TrialGame]) -> Option<String> {
    let wrong: Vec<_> =
        games.iter().flat_map(|game| of_game(game).into_iter().map(move |line| (game, line))).collect();
    let draw = if wrong.len() == 1 { "draws" } else { "draw" };
    let mut lines = vec![format!("{} of the log {draw} nothing:", counted(wrong.len(), "line"))];
    let mut examples: Vec<&str> = Vec::new();
    for (game, WrongLine { moment, text, problem, example }) in &wrong {
        // Lines with the same example begin with the same word, mostly for one reason.
        if examples.contains(&example.as_str()) {
            continue;
        }
        examples.push(example);
        let moment = moment.map_or_else(String::new, |moment| format!(", {moment}"));
        lines.push(format!("{}{moment}: {}", name(game), Shown::new(text)));
        lines.push(format!("  {}; a right line: {example}", Shown::new(problem)));
    }
    (!wrong.is_empty()).then(|| lines.join(NEXT_LINE))
}

/// The wrong lines of a game for a program.
pub(super) fn json(game: &TrialGame) -> Value {
    let line = |line: WrongLine| json!({ "turn": line.moment.map(|moment| moment.turn()), "line": line.text, "problem": line.problem, "example": line.example });
    of_game(game).into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Bots;
    use crate::trial::{self, TrialOptions};

    #[test]
    fn wrong_lines_of_overlays_are_told_once_for_each_kind_with_a_right_line() {
        let Bots { sandbox, contestants, plan } = Bots::of(&["sweeper"]);
        let options =
            TrialOptions { rules: vec![plan.conditions.rules], is_quick: true, ..TrialOptions::default() };
        let mut games =
            trial::play(&contestants[0], &sandbox, &options, || true).expect("the arena does not fail");
        assert_eq!((text(&games), json(&games[0])), (None, json!([])), "it printed nothing");
        let mut told = |log: &str| {
            games[0].played.logs = [log.to_owned(), String::new()];
            (text(&games), json(&games[0]))
        };
        assert_eq!(told("turn 1: @mark a0 1\nturn 1: hello\n").0, None);
        let (text, document) = told("turn 1: @mark z7 1\nturn 2: @text a0 \u{1b}[2J\nturn 3: @mark a0 x\n");
        let expected = [
            "3 lines of the log draw nothing:",
            "guide, seat 1, turn 1: @mark z7 1",
            "  there is no column z: columns are a to j; a right line: @mark b7 0.8",
            "guide, seat 1, turn 2: @text a0",
        ];
        let text = text.expect("three are wrong");
        assert!(text.starts_with(&expected.join(NEXT_LINE)), "{text}");
        assert!(!text.contains('\u{1b}') && text.lines().count() == 5, "{text:?}");
        assert_eq!(document[2]["problem"], "“x” is not a number of 0 or more, like 0.8");
        assert_eq!((&document[1]["turn"], &document[1]["line"]), (&json!(2), &json!("@text a0 \u{1b}[2J")));
    }
}
