//! Lists of games, and the page with all replays.

use super::{Report, render};
use crate::{Contest, Page, layout};
use arena_rules::{Outcome, Seat};
use askama::Template;

/// The largest number of games in the list of all replays. Chosen: more are found by the crosstable.
const LISTED_MAX: usize = 1_000;

/// A game in a list.
pub(super) struct GameRow<'a> {
    pub number: usize,
    pub names: [&'a str; 2],
    /// True for the seat of the winner.
    pub won: [bool; 2],
    pub link: Option<String>,
    pub score: &'static str,
    pub ending: String,
    /// The turn in which it ended.
    pub turns: String,
    /// True if the winner has the lower rating.
    pub is_upset: bool,
    /// The first fault as text; empty if there is none.
    pub fault: String,
    pub interests: String,
}

/// The row of a game, by its index.
pub(super) fn row<'a>(report: &Report<'a>, index: usize) -> GameRow<'a> {
    let game = &report.contest.games[index];
    let outcome = game.result.as_ref().map(|result| result.outcome);
    let fault = game.played().and_then(|result| {
        let ((seat, class), fault) = result.faults().iter().min_by_key(|(_, fault)| fault.first_turn)?;
        let name = report.name(game.seats[seat.index()]);
        Some(format!("{class} of {name} in {}", turn_words(fault.first_turn)))
    });
    let interests: Vec<_> = report.choice.interests(index).iter().map(|interest| interest.text()).collect();
    GameRow {
        number: game.number,
        names: report.names(game.seats),
        won: Seat::BOTH.map(|seat| outcome == Some(Outcome::Win(seat))),
        link: report.link(index),
        score: match outcome {
            Some(Outcome::Win(Seat::First)) => "1–0",
            Some(Outcome::Win(Seat::Second)) => "0–1",
            Some(Outcome::Draw) => "½–½",
            Some(Outcome::NoContest) => "0–0",
            None => "no result",
        },
        ending: match &game.result {
            None => "failure of the arena".into(),
            Some(_) if !game.is_played => "disqualified before".into(),
            Some(result) => result.reason.to_string(),
        },
        turns: game.played().map_or("–".into(), |result| {
            arena_text::grouped(result.turns.into_iter().max().unwrap_or(0).into())
        }),
        is_upset: report.choice.is_upset(report.contest, index),
        fault: fault.unwrap_or_default(),
        interests: interests.join(", "),
    }
}

/// The turn of a fault in words.
pub(super) fn turn_words(turn: u32) -> String {
    if turn == 0 { "deployment".into() } else { format!("turn {turn}") }
}

/// The template of the list of all replays.
#[derive(Template)]
#[template(path = "replays.html")]
struct List<'a> {
    contest: &'a Contest,
    root: &'static str,
    trail: Vec<(&'a str, Option<String>)>,
    choice_words: String,
    games: Vec<GameRow<'a>>,
    with_reasons: bool,
}

/// True if there is a page with all replays.
pub(super) fn is_there(report: &Report<'_>) -> bool {
    (0..report.contest.games.len()).any(|index| report.has_replay(index))
}

/// The page with all replays, or the first of them.
pub(super) fn page(report: &Report<'_>) -> Option<Page> {
    let replays: Vec<_> = (0..report.contest.games.len()).filter(|&index| report.has_replay(index)).collect();
    let cut = format!(
        " This list has the first {} of them; the others are linked from the cells of the crosstable.",
        arena_text::grouped(LISTED_MAX as u64)
    );
    let choice_words = report.choice_words() + if replays.len() > LISTED_MAX { &cut } else { "" };
    let list = List {
        contest: report.contest,
        root: "",
        trail: vec![("Replays", None)],
        choice_words,
        with_reasons: !report.choice.is_all,
        games: replays.iter().take(LISTED_MAX).map(|&index| row(report, index)).collect(),
    };
    (!replays.is_empty()).then(|| render(layout::REPLAYS.into(), &list))
}
