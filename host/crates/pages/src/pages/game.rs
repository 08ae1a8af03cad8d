//! The page of a game: its replay.

use super::{Report, render};
use crate::pictures::Shown;
use crate::replay::{Replay, TurnLine};
use crate::{Contest, Page, Reported, board, layout, preview};
use arena_pictures::Frame as Position;
use arena_record::Transcript;
use arena_rules::{Seat, Size};
use askama::Template;

/// The template of the page of a game.
#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    contest: &'a Contest,
    root: &'static str,
    trail: Vec<(String, Option<String>)>,
    number: usize,
    /// The address that stays, if a club has one.
    address: Option<String>,
    /// Its journal quoted for a shell, and its number there.
    journal: &'a str,
    names: [&'a str; 2],
    ending: String,
    sides: Vec<Side<'a>>,
    /// The largest width and height of a board, from which the style sheet works out the size of a cell.
    columns: u8,
    rows: u8,
    lines: Vec<TurnLine>,
    fault_count: usize,
    has_logs: bool,
    signs: &'static [(&'static str, &'static str)],
    data: String,
    /// The last picture of a game without boards; `None` for any other game.
    picture: Option<String>,
    /// What the page does not show of the pictures; empty if it shows all.
    picture_note: String,
    /// The address of the picture for previews: absolute if that of the site is known.
    preview: String,
    watched: Option<Watched>,
}

/// The addresses on the page of a game in progress.
pub(crate) struct Watched {
    /// The address of the stream of its positions.
    pub events: String,
    /// The address of the next game's page; `None` for the last one.
    pub next: Option<String>,
}

/// A side, and its board at the end of the game.
struct Side<'a> {
    seat: u8,
    name: &'a str,
    link: String,
    /// Its board as HTML; `None` for seat 2 in a game with one board for both.
    board: Option<String>,
    afloat: String,
}

pub(super) fn page<G: Reported>(
    report: &Report<'_>,
    index: usize,
    transcript: &Transcript<G>,
    positions: impl Iterator<Item = Position>,
) -> [Page; 2] {
    let replay = Replay::of(transcript, positions).expect("there is a position for each event");
    let preview = layout::preview(report.contest.games[index].number);
    let boards = preview::boards_of::<G>(&replay.last);
    let picture = Page::new(preview, preview::picture(&boards));
    [with_replay::<G>(report, index, replay, None), picture]
}

/// The page before its replay.
pub(super) fn without_replay<G: Reported>(report: &Report<'_>, index: usize) -> Vec<u8> {
    let size = report.contest.conditions.rules.size().unwrap_or(Size::EMPTY);
    with_replay::<G>(report, index, Replay::none(size), None).bytes
}

/// The page of a game with its replay, which gets further positions if it is watched.
pub(crate) fn with_replay<G: Reported>(
    report: &Report<'_>,
    index: usize,
    replay: Replay,
    watched: Option<Watched>,
) -> Page {
    let game = &report.contest.games[index];
    let names = report.names(game.seats);
    let [first, second] = replay.last.boards.each_ref().map(|board| board.size);
    let is_broad = replay.is_broad();
    let side = |seat: Seat| {
        let board = &replay.last.boards[seat.index()];
        let label = format!("Board of seat {}", u8::from(seat));
        Side {
            seat: seat.into(),
            name: names[seat.index()],
            link: layout::bot(game.seats[seat.index()]),
            board: (board.size.width > 0)
                .then(|| board::table(board, seat, &report.contest.columns, &label, is_broad)),
            afloat: replay.last.afloat[seat.index()].clone(),
        }
    };
    let pair = format!("{} v {}", names[0], names[1]);
    let page = GamePage {
        contest: report.contest,
        root: "../",
        trail: match report.contest.lone.is_some() {
            true => vec![(pair, None)],
            false => vec![(pair, Some(layout::pair(game.seats, 1))), (format!("Game {}", game.number), None)],
        },
        number: game.number,
        address: layout::permanent_game(report.contest.served, game),
        preview: format!(
            "{}{}",
            report.contest.url.as_deref().unwrap_or("../"),
            layout::preview(game.number)
        ),
        journal: &report.contest.journal.word,
        names,
        ending: replay.last.text.clone(),
        sides: Seat::BOTH.map(side).into(),
        columns: first.width.max(second.width),
        rows: first.height.max(second.height),
        picture: (!G::HAS_BOARDS).then(|| Shown::of(&replay.last.pictures[0]).lines.join("\n")),
        picture_note: replay.data.note_on_pictures(),
        data: replay.data.to_json(),
        lines: replay.lines,
        fault_count: replay.fault_count,
        has_logs: replay.has_logs,
        signs: G::SIGNS,
        watched,
    };
    render(layout::game(game.number), &page)
}
