//! The list of all games so far, over the dashboard.

use super::model::surprise;
use super::{DashboardState, GameLine, Model, StandingsLine};
use crate::canvas::{footer, moved};
use crate::help;
use crate::on_screen::OnScreen;
use crate::pen::{Pen, part_below, row_from_end, row_of};
use crate::screen::KeyEffect;
use crate::table::{self, Column};
use crate::target::Target;
use arena_pictures::text::{self, fit, plain};
use arena_pictures::{Tone, piece};
use arena_rules::{Outcome, Seat};
use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The columns of a row besides the two labels and the reason: the number, the score, the turn, the faults, and spaces.
const OTHER_COLUMNS: usize = 36;

/// The head of the column of reasons.
const REASON_HEAD: &str = "end";

/// The largest number of columns of a label. Chosen: a label of 24 characters fits.
const LABEL_WIDTH_MAX: usize = 24;

/// The keys of the list with their meanings.
pub(super) const KEYS: &help::Keys = &[
    ("↑ ↓", "the previous game, the next one"),
    ("pgup pgdn", "ten games; home and end: the first, the last"),
    ("enter", "show the game, if the journal keeps it"),
    ("b", "one bot's games, the next bot's, all"),
    ("f", "games with faults"),
    ("u", "upsets: the winner has the lower rating"),
    ("a", "all games again"),
    ("t", "other colours"),
    ("esc q g", "back"),
];

/// The games that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All, in the order of the schedule.
    All,
    /// Those with faults.
    Faults,
    /// Wins of a bot over one with a higher rating so far: the most surprising first.
    Upsets,
}

/// The list: a filter of games, and a cursor.
#[derive(Debug)]
pub(super) struct GameList {
    kind: Kind,
    /// The bot whose games are listed; all games when `None`.
    bot: Option<String>,
    /// The places of the chosen games among all.
    chosen: Vec<usize>,
    /// The number of games that were looked at.
    seen: usize,
    /// The place of the cursor among the chosen games.
    cursor: usize,
    /// The answer to the last key.
    notice: Option<String>,
}

impl GameList {
    /// The list of all games, with the cursor on the newest.
    pub(super) fn new<G: OnScreen>(shared: &DashboardState<G>, model: &Model) -> Self {
        let mut list =
            Self { kind: Kind::All, bot: None, chosen: Vec::new(), seen: 0, cursor: 0, notice: None };
        list.look(shared, model);
        list.cursor = list.last();
        list
    }

    /// Takes in the games that were played since the last look.
    pub(super) fn look<G: OnScreen>(&mut self, shared: &DashboardState<G>, model: &Model) {
        let rows = by_label(model);
        shared.with_games(|games| {
            for (place, game) in games.iter().enumerate().skip(self.seen) {
                if self.allows(game, &rows) {
                    self.chosen.push(place);
                }
            }
            if self.seen < games.len() && self.kind == Kind::Upsets {
                self.chosen.sort_by_key(|&place| Reverse(surprise_of(&games[place], &rows)));
            }
            self.seen = games.len();
        });
    }

    /// Answers a key. `None` when the list should be closed.
    pub(super) fn key<G: OnScreen>(
        &mut self,
        key: KeyCode,
        shared: &DashboardState<G>,
        model: &Model,
    ) -> Option<KeyEffect> {
        self.notice = None;
        match key {
            KeyCode::Esc | KeyCode::Char('q' | 'g') => return None,
            KeyCode::Char('a') => (self.kind, self.bot) = (Kind::All, None),
            KeyCode::Char('f') => self.kind = Kind::Faults,
            KeyCode::Char('u') => self.kind = Kind::Upsets,
            KeyCode::Char('b') => self.bot = next_bot(self.bot.as_deref(), model),
            KeyCode::Enter => {
                let number =
                    self.chosen.get(self.cursor).map(|&place| shared.with_games(|games| games[place].number));
                return Some(number.map_or(KeyEffect::Nothing, KeyEffect::Open));
            }
            key => match moved(self.cursor, self.chosen.len(), key) {
                Some(cursor) => self.cursor = cursor,
                None => return Some(KeyEffect::Nothing),
            },
        }
        if matches!(key, KeyCode::Char(_)) {
            (self.seen, self.cursor) = (0, 0);
            self.chosen.clear();
            self.look(shared, model);
            if self.kind != Kind::Upsets {
                self.cursor = self.last();
            }
        }
        Some(KeyEffect::Changed)
    }

    /// Puts the cursor on a chosen game. Returns false if it is there already.
    pub(super) fn put_cursor(&mut self, place: usize) -> bool {
        let place = place.min(self.last());
        std::mem::replace(&mut self.cursor, place) != place
    }

    /// Shows why a game cannot be opened.
    pub(super) fn notice(&mut self, why: String) {
        self.notice = Some(why);
    }

    fn last(&self) -> usize {
        self.chosen.len().saturating_sub(1)
    }

    fn allows(&self, game: &GameLine, rows: &HashMap<&str, &StandingsLine>) -> bool {
        let is_of_bot = self.bot.as_deref().is_none_or(|bot| game.labels.iter().any(|label| **label == *bot));
        is_of_bot
            && match self.kind {
                Kind::All => true,
                Kind::Faults => game.faults != [0; 2],
                Kind::Upsets => surprise_of(game, rows) > 0,
            }
    }

    /// Draws the list on an area.
    pub(super) fn draw<G: OnScreen>(&self, pen: &mut Pen<'_>, area: Rect, shared: &DashboardState<G>) {
        let s = if self.chosen.len() == 1 { "" } else { "s" };
        let kind = match self.kind {
            Kind::All => format!("game{s}"),
            Kind::Faults => format!("game{s} with faults"),
            Kind::Upsets => format!("upset{s} by the ratings so far, the most surprising first"),
        };
        let of = self.bot.as_ref().map_or(String::new(), |bot| format!(" of {}", fit(bot, 24)));
        let count = arena_text::grouped(self.chosen.len() as u64);
        pen.line(row_of(area, 0), &[piece(format!(" {count} {kind}{of}"), Tone::Strong)]);
        let rows = usize::from(area.height.saturating_sub(3));
        // The cursor is in the middle, except at both ends of the list.
        let top = self.cursor.saturating_sub(rows / 2).min(self.chosen.len().saturating_sub(rows));
        let shown = || self.chosen.iter().enumerate().skip(top).take(rows);
        let reasons = shared.with_games(|games| {
            shown()
                .map(|(_, &place)| games[place].reason.to_string().len())
                .max()
                .unwrap_or(0)
                .max(REASON_HEAD.len())
        });
        let room = usize::from(area.width).saturating_sub(OTHER_COLUMNS + reasons);
        let labels = (room / 2).clamp(6, LABEL_WIDTH_MAX);
        let columns = [
            Column::right("game", 9),
            Column::right("seat 1", labels),
            Column::left("", 5),
            Column::left("seat 2", labels),
            Column::right("turn", 4),
            Column::right("faults", 6),
            Column::left(REASON_HEAD, reasons),
        ];
        shared.with_games(|games| {
            let row = |(number, &place): (usize, &usize)| {
                let tone = if number == self.cursor { Tone::Cursor } else { Tone::Text };
                cells(&games[place]).map(|text| piece(text, tone)).to_vec()
            };
            table::draw(pen, part_below(area, 1), 2, &columns, shown().map(row));
        });
        for (row, (number, _)) in (2..).zip(shown()) {
            pen.target(row_of(area, row), Target::Row(number));
        }
        let below = row_from_end(area, 0);
        match &self.notice {
            Some(notice) => pen.line(below, &[piece(format!(" {}", plain(notice)), Tone::Fault)]),
            None if self.chosen.is_empty() => {
                pen.line(below, &[piece(" there are none so far", Tone::Faint)])
            }
            None => shared.with_games(|games| {
                // Labels that are cut in the list are whole here.
                let Some(game) = self.chosen.get(self.cursor).map(|&place| &games[place]) else { return };
                let [first, second] = game.labels.each_ref().map(|label| plain(label));
                if !text::fits(&first, labels) || !text::fits(&second, labels) {
                    let names = format!(" game {}: {first} v {second}", game.number);
                    pen.line(below, &[piece(names, Tone::Text)]);
                }
            }),
        }
    }

    /// Draws the keys of the list on a row.
    pub(super) fn draw_keys(pen: &mut Pen<'_>, row: Rect) {
        let list = [
            ("↑↓", "game"),
            ("enter", "show it"),
            ("b", "bot"),
            ("f", "faults"),
            ("u", "upsets"),
            ("a", "all"),
        ];
        footer(pen, row, &list, &[("?", "help"), ("esc", "back")]);
    }
}

/// The row of a game.
fn cells(game: &GameLine) -> [String; 7] {
    let score = match game.outcome {
        Outcome::Win(Seat::First) => "1 - 0",
        Outcome::Win(Seat::Second) => "0 - 1",
        Outcome::Draw => "½ - ½",
        Outcome::NoContest => "  -  ",
    };
    let faults: u64 = game.faults.into_iter().map(u64::from).sum();
    [
        game.number.to_string(),
        game.labels[0].to_string(),
        score.to_owned(),
        game.labels[1].to_string(),
        game.turns.to_string(),
        faults.to_string(),
        game.reason.to_string(),
    ]
}

/// The rows of the standings by label.
fn by_label(model: &Model) -> HashMap<&str, &StandingsLine> {
    model.standings.iter().map(|row| (row.label.as_str(), row)).collect()
}

/// How surprising the end of a game is; 0 without a winner.
fn surprise_of(game: &GameLine, rows: &HashMap<&str, &StandingsLine>) -> u64 {
    let Outcome::Win(seat) = game.outcome else { return 0 };
    surprise([seat, seat.other()].map(|seat| rows.get(&*game.labels[seat.index()]).copied()))
}

/// The bot after this one, in the order of their labels; `None` after the last.
fn next_bot(bot: Option<&str>, model: &Model) -> Option<String> {
    let mut labels: Vec<&str> = model.standings.iter().map(|row| row.label.as_str()).collect();
    labels.sort_unstable();
    let next = labels.into_iter().find(|label| bot.is_none_or(|bot| *label > bot));
    next.map(str::to_owned)
}
