//! The best game on the front page, which plays by itself.

use super::super::Report;
use crate::pictures::Shown;
use crate::replay::Replay;
use crate::{Reported, board, layout, preview};
use arena_pictures::{Frame, Picture};
use arena_record::Transcript;
use arena_rules::Seat;

/// The largest size of the positions of a game that plays on the front page, in bytes. Chosen: the page is still read at once. A larger game
/// is shown as it ended.
const BYTES_MAX: usize = 48 << 10;

/// The best game of a contest, as the front page shows it.
#[derive(Clone, Debug)]
pub struct Best {
    /// Its index in the contest.
    index: usize,
    ending: String,
    /// The boards at its end as HTML, by seat; `None` for a side without a board.
    boards: [Option<String>; 2],
    size: (u8, u8),
    /// The last picture of a game without boards.
    picture: Option<String>,
    /// Its positions as JSON; `None` if they are too many for a front page.
    data: Option<String>,
    /// The boards of its end for the picture of the site.
    shown: [Picture; 2],
}

/// The best game with the words around it.
pub(super) struct BestView<'a> {
    pub best: &'a Best,
    pub number: usize,
    pub link: String,
    /// The place of each bot with its name, by seat.
    pub sides: Vec<(String, &'a str, Option<&'a str>)>,
    pub columns: u8,
    pub rows: u8,
}

impl Report<'_> {
    /// The game that the front page shows, by its index: the latest one between the bots with the best places that was decided on the
    /// board and has a replay. `None` if there is no such game.
    pub fn best_game(&self) -> Option<usize> {
        let place = |bot| self.row(bot).and_then(|row| row.place);
        let places: Vec<Option<u32>> = (0..self.contest.bots.len()).map(place).collect();
        let rank = |(index, game): (usize, &crate::Game)| {
            let result = game.played()?;
            let is_won = result.reason.is_own() && game.winner().is_some() && result.faults().is_empty();
            let [first, second] = game.seats.map(|bot| places[bot]);
            (is_won && self.has_replay(index)).then_some((first? + second?, index))
        };
        let ranks = self.contest.games.iter().enumerate().filter_map(rank);
        ranks.min_by_key(|&(places, index)| (places, std::cmp::Reverse(index))).map(|(_, index)| index)
    }

    /// The game with this index, for the front page.
    ///
    /// # Panics
    /// If there is not one position before the first event and one after each.
    pub fn best<G: Reported>(
        &self,
        index: usize,
        transcript: &Transcript<G>,
        positions: impl Iterator<Item = Frame>,
    ) -> Best {
        let replay = Replay::of(transcript, positions).expect("there is a position for each event");
        let is_broad = replay.is_broad();
        let boards = Seat::BOTH.map(|seat| {
            let board = &replay.last.boards[seat.index()];
            let label = format!("Board of seat {}", u8::from(seat));
            (board.size.width > 0).then(|| board::table(board, seat, &self.contest.columns, &label, is_broad))
        });
        let [first, second] = replay.last.boards.each_ref().map(|board| board.size);
        let shown = preview::boards_of::<G>(&replay.last);
        Best {
            index,
            shown,
            ending: replay.last.text.clone(),
            boards,
            size: (first.width.max(second.width), first.height.max(second.height)),
            picture: (!G::HAS_BOARDS).then(|| Shown::of(&replay.last.pictures[0]).lines.join("\n")),
            data: Some(replay.to_short_json()).filter(|data| data.len() <= BYTES_MAX),
        }
    }
}

impl Best {
    /// The picture for previews of links to the site: the boards at the end of the game.
    pub(in crate::pages) fn preview(&self) -> Vec<u8> {
        preview::picture(&self.shown)
    }

    /// The same for a site without such a game.
    pub(in crate::pages) fn no_preview() -> Vec<u8> {
        preview::picture(&[Picture::default(), Picture::default()])
    }

    pub(super) fn view<'a>(&'a self, report: &Report<'a>) -> BestView<'a> {
        let game = &report.contest.games[self.index];
        let side = |seat: Seat| {
            let bot = game.seats[seat.index()];
            let place =
                report.row(bot).and_then(|row| row.place).map_or(String::new(), |place| format!("{place}."));
            (place, report.name(bot), self.boards[seat.index()].as_deref())
        };
        BestView {
            best: self,
            number: game.number,
            link: layout::game(game.number),
            sides: Seat::BOTH.map(side).into(),
            columns: self.size.0,
            rows: self.size.1,
        }
    }
}

impl BestView<'_> {
    pub fn ending(&self) -> &str {
        &self.best.ending
    }

    pub fn picture(&self) -> Option<&str> {
        self.best.picture.as_deref()
    }

    pub fn data(&self) -> Option<&str> {
        self.best.data.as_deref()
    }
}
