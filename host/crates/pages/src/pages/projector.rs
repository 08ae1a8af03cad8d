//! The page of a club for a projector: the standings and the latest games, to be read from far away.

use super::list::{self, GameRow};
use super::{Report, counted, render};
use crate::tally::{Pair, pair_of};
use crate::{Contest, Page, RankedBot, layout, time_in_words};
use arena_engine::Rating;
use askama::Template;
use std::collections::HashSet;

/// The number of bots that are shown at a time. Chosen: with more, their names are too small at ten metres.
const SHOWN: usize = 8;

/// The number of games. Chosen: as high as the bots.
const GAMES: usize = 5;

/// The number of games that are looked through for those of different bots. Chosen: some stages.
const LOOKED_THROUGH: usize = 5_000;

/// The template of the page.
#[derive(Template)]
#[template(path = "projector.html")]
struct ProjectorPage<'a> {
    contest: &'a Contest,
    root: &'static str,
    summary: String,
    /// The bots, in the parts that are shown at a time.
    parts: Vec<Part<'a>>,
    games: Vec<GameRow<'a>>,
    head: &'a str,
}

/// Bots that are shown at a time.
struct Part<'a> {
    words: String,
    rows: Vec<Row<'a>>,
}

/// A bot.
struct Row<'a> {
    place: usize,
    name: &'a str,
    link: String,
    rating: String,
}

pub(super) fn page(report: &Report<'_>) -> Page {
    let contest = report.contest;
    let row = |row: &RankedBot| {
        Some(Row {
            place: row.place? as usize,
            name: report.name(row.score.contestant),
            link: layout::bot(row.score.contestant),
            rating: row.rating.as_ref().map_or("–".into(), Rating::to_string),
        })
    };
    let rows: Vec<Row<'_>> = contest.standings.iter().filter_map(row).collect();
    let count = rows.len();
    let mut rows = rows.into_iter().peekable();
    let mut parts = Vec::new();
    while let Some(first) = rows.peek().map(|row| row.place) {
        let rows: Vec<_> = rows.by_ref().take(SHOWN).collect();
        parts.push(Part { words: format!("Places {first} to {} of {count}", first + rows.len() - 1), rows });
    }
    let frozen = contest.frozen_at.as_ref().map(|at| format!("; frozen since {}", time_in_words(at)));
    let dates = contest.notices.dates.set();
    let page = ProjectorPage {
        contest,
        root: "",
        summary: format!(
            "{} between {}{}{}",
            counted(contest.games.len() as u64, "game"),
            counted(count as u64, "bot"),
            frozen.unwrap_or_default(),
            dates.map(|(what, time)| format!("; {what} {time}")).collect::<String>()
        ),
        parts,
        games: latest(report).into_iter().map(|index| list::row(report, index)).collect(),
        head: contest.journal.head.as_ref().map_or("–", |head| &head.sha256),
    };
    render(layout::PROJECTOR.into(), &page)
}

/// The latest games, one of each two bots as far as there are so many.
fn latest(report: &Report<'_>) -> Vec<usize> {
    let games = &report.contest.games;
    let mut seen: HashSet<Pair> = HashSet::new();
    let played = (0..games.len()).rev().take(LOOKED_THROUGH).filter(|&index| games[index].played().is_some());
    let (first, again): (Vec<_>, Vec<_>) =
        played.partition(|&index| seen.insert(pair_of(games[index].seats)));
    let mut latest: Vec<usize> = first.into_iter().chain(again).take(GAMES).collect();
    latest.sort_unstable_by(|a, b| b.cmp(a));
    latest
}
