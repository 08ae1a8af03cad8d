//! The names of both sides and the hits of each, in large letters above the boards.

use super::scene::Scene;
use crate::big::Letters;
use crate::on_screen::OnScreen;
use crate::pen::{Pen, row_of};
use arena_pictures::text::width;
use arena_pictures::{Tone, piece};
use arena_rules::{Outcome, Seat};
use ratatui::layout::Rect;

/// The smallest number of columns. Chosen: the two boards of a terminal of 120 columns.
const WIDTH_MIN: u16 = 80;

/// The number of columns between a name and the score, at least.
const GAP: usize = 3;

/// The names and the score of a game, as they are drawn above boards of some width.
pub(super) struct Scoreboard<'a> {
    pub(super) letters: Letters,
    columns: u16,
    score: String,
    /// The columns of the first number and the colon after it.
    colon: usize,
    names: [&'a str; 2],
}

impl<'a> Scoreboard<'a> {
    /// The scoreboard of a game with the largest letters that fit in these rows, if the names fit with them, too, or else the smallest
    /// letters; `None` when there is no room.
    pub(super) fn new<G: OnScreen>(
        scene: &Scene<'a, G>,
        columns: u16,
        rows: u16,
        is_ascii: bool,
    ) -> Option<Self> {
        let seats = scene.seats();
        let [first, second] = seats.map(|seat| G::damage(scene.moment, seat.other()).0);
        let of = |letters: Letters| Self {
            letters,
            columns,
            score: format!("{first}:{second}"),
            colon: letters.columns(&format!("{first}:")).unwrap_or_default(),
            names: seats.map(|seat| scene.timeline.name(seat)),
        };
        let fits = |letters: &Letters| letters.rows() <= rows && !(is_ascii && *letters == Letters::Half);
        let fitting: Vec<Self> = Letters::ALL.into_iter().filter(fits).map(of).collect();
        let with_names = fitting.iter().position(Self::has_large_names);
        let chosen = with_names.or(fitting.len().checked_sub(1)).filter(|_| columns >= WIDTH_MIN)?;
        fitting.into_iter().nth(chosen)
    }

    /// The columns in which the score begins and ends. The colon is in the middle, so that the score does not move when a number grows.
    fn score_place(&self) -> [usize; 2] {
        let start = usize::from(self.columns / 2).saturating_sub(self.colon);
        [start, start + self.letters.columns(&self.score).unwrap_or_default()]
    }

    /// The numbers of columns for the names.
    fn rooms(&self) -> [usize; 2] {
        let [start, end] = self.score_place();
        [start.saturating_sub(GAP + 1), usize::from(self.columns).saturating_sub(end + GAP)]
    }

    /// True if both names fit in large letters.
    fn has_large_names(&self) -> bool {
        let fits =
            |(name, room): (&str, usize)| self.letters.columns(name).is_some_and(|width| width <= room);
        self.names.into_iter().zip(self.rooms()).all(fits)
    }

    /// Draws it on the first rows of an area.
    pub(super) fn draw<G: OnScreen>(&self, pen: &mut Pen<'_>, area: Rect, scene: &Scene<'_, G>) {
        let letters = self.letters;
        let is_tense = scene.seats().into_iter().any(|seat| scene.is_on_last_ship(seat));
        let tone = if is_tense { Tone::Last } else { Tone::Strong };
        letters.draw(pen, (area.x + self.score_place()[0] as u16, area.y), &self.score, tone, false);
        let is_large = self.has_large_names();
        for (side, (seat, name)) in scene.seats().into_iter().zip(self.names).enumerate() {
            let width = if is_large { letters.columns(name).unwrap_or_default() } else { width(name) };
            let columns = width.min(self.rooms()[side]);
            let x = if side == 0 { 1 } else { usize::from(self.columns).saturating_sub(columns) };
            let x = area.x + x as u16;
            if is_large {
                letters.draw(pen, (x, area.y), name, tone_of(scene, seat), false);
            } else {
                let row = Rect { x, width: columns as u16, ..row_of(area, letters.rows() / 2) };
                pen.line(row, &[piece(name, tone_of(scene, seat))]);
            }
        }
    }
}

/// The tone of a side's name.
fn tone_of<G: OnScreen>(scene: &Scene<'_, G>, seat: Seat) -> Tone {
    let replay = scene.moment.replay();
    match replay.end() {
        Some((Outcome::Win(winner), _)) if winner == seat => Tone::Good,
        Some(_) => Tone::Faint,
        None if replay.to_move() == Some(seat) => Tone::Strong,
        None => Tone::Text,
    }
}
