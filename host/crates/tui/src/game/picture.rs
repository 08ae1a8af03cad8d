//! The looks of a game that draws itself: its picture, once for both sides, below their names.

use super::GameScreen;
use super::scene::{PANEL_WIDTH_MIN, Scene};
use crate::grid::Title;
use crate::on_screen::OnScreen;
use crate::pen::{Pen, part_below, part_right, pieces_width, row_of};
use crate::sheet;
use arena_pictures::text::{self, fit};
use arena_pictures::{Extent, Piece, Sheet, Tone, piece, sentences};
use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use std::sync::Arc;

/// Columns between a picture and the panel at its right.
const GAP: u16 = 3;

/// The smallest number of columns of a picture with the names above it. Chosen: a name and its fuel fit.
const WIDTH_MIN: u16 = 34;

/// The smallest number of rows of the table of turns or the logs below a picture.
const BELOW_MIN: u16 = 4;

/// The numbers of turns whose fuel is shown next to a name, the first that fits.
const FUEL_TURNS: [usize; 3] = [24, 9, 0];

/// The parts of an area for a picture and what is next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// The names, in two rows, and the picture.
    picture: Rect,
    /// The part at its right, if there is room for it.
    pub(crate) right: Option<Rect>,
    /// The part below it, if it has some rows.
    pub(crate) below: Option<Rect>,
}

/// The rows above a picture: the names, and one about the part that is shown.
const HEAD_ROWS: u16 = 3;

impl Places {
    /// The places for a picture on an area. A panel at its right has at least this number of columns; 0 if there is none.
    pub(crate) fn new(area: Rect, sheet: &Sheet, panel_width: u16) -> Self {
        let area = part_right(area, 1);
        let extent = sheet.extent();
        let columns = u16::try_from(extent.columns).unwrap_or(u16::MAX).max(WIDTH_MIN);
        let has_panel = panel_width > 0 && columns.saturating_add(GAP + panel_width) <= area.width;
        let width = if has_panel { columns } else { area.width };
        let right = has_panel.then(|| part_right(area, (width + GAP).into()));
        let rows = u16::try_from(extent.rows).unwrap_or(u16::MAX).saturating_add(HEAD_ROWS);
        let below = rows.saturating_add(1 + BELOW_MIN) <= area.height;
        let height = if below { rows } else { area.height };
        let picture = Rect { width, height, ..area };
        let below = below.then(|| part_below(area, rows + 1));
        Self { picture, right, below }
    }

    /// The part of the picture itself.
    fn inner(&self) -> Rect {
        part_below(self.picture, HEAD_ROWS)
    }

    /// True if all of the picture is shown.
    pub(crate) fn shows_all(&self, sheet: &Sheet) -> bool {
        sheet::fits(sheet, self.inner())
    }
}

/// Draws both names with the notes at their right, and the picture below them. Returns true if a name was cut.
pub(crate) fn draw_picture(
    pen: &mut Pen<'_>,
    places: &Places,
    sheet: &Sheet,
    from: Extent,
    heads: &[([Piece<'static>; 3], Vec<Piece<'static>>); 2],
) -> bool {
    let mut is_cut = false;
    for (number, (name, note)) in (0..).zip(heads) {
        let row = row_of(places.picture, number);
        let has_note = pieces_width(name) + 2 + pieces_width(note) <= row.width.into();
        is_cut |= pieces_width(name) > row.width.into();
        pen.line(row, name);
        if has_note {
            pen.line_right(row, note);
        }
    }
    let inner = places.inner();
    if let Some(cut) = sheet::cut(sheet, inner, from) {
        pen.line(row_of(places.picture, 2), &[piece(fit(&cut, places.picture.width.into()), Tone::Last)]);
    }
    sheet::draw(sheet, pen, inner, from);
    is_cut
}

impl<G: OnScreen> Scene<'_, G> {
    /// The picture as the viewpoint sees it.
    pub(crate) fn picture(&self) -> Arc<Sheet> {
        G::picture(self.moment, self.viewpoint)
    }

    /// The names of both sides, the first on the left in other games, each with the fuel of its last turns in this number of columns.
    fn heads(&self, width: u16) -> [([Piece<'static>; 3], Vec<Piece<'static>>); 2] {
        self.seats().map(|seat| {
            let name = self.title(seat).pieces();
            let room = usize::from(width).saturating_sub(pieces_width(&name) + 2);
            let notes = FUEL_TURNS.map(|turns| self.fuel_note(seat, turns));
            let note = notes.into_iter().find(|note| pieces_width(note) <= room).unwrap_or_default();
            (name, note)
        })
    }
}

impl<G: OnScreen> GameScreen<G> {
    /// Moves the part of the picture that is shown by a key, if it is one for that.
    pub(crate) fn scroll_picture(&mut self, key: KeyCode) -> bool {
        match key {
            // The arrows upwards and downwards are a person's to choose with.
            KeyCode::PageUp | KeyCode::PageDown | KeyCode::Left | KeyCode::Right => self.scroll.take(key),
            _ => false,
        }
    }

    /// Answers the keys that scroll the picture while a game is watched: there, the arrows to the sides step.
    pub(super) fn scroll_watched(&mut self, key: KeyCode) {
        let key = match key {
            KeyCode::Char('<') => KeyCode::Left,
            KeyCode::Char('>') => KeyCode::Right,
            key => key,
        };
        self.scroll.take(key);
    }

    /// Shows the picture from its beginning again.
    pub(super) fn unscroll(&mut self) {
        self.scroll.from = Extent::default();
    }

    /// Draws the names and the picture at these places. Returns true if a name was cut.
    pub(crate) fn draw_picture_at(&self, pen: &mut Pen<'_>, places: &Places, sheet: &Sheet) -> bool {
        let heads = self.scene().heads(places.picture.width);
        self.scroll.last.set(sheet::last_start(sheet, places.inner()));
        draw_picture(pen, places, sheet, self.scroll.from, &heads)
    }

    /// Draws everything between the title and the last rows. Returns true if a name was cut.
    pub(super) fn draw_picture_body(&self, pen: &mut Pen<'_>, area: Rect) -> bool {
        let scene = self.scene();
        let sheet = scene.picture();
        let places = Places::new(area, &sheet, PANEL_WIDTH_MIN);
        let is_cut = self.draw_picture_at(pen, &places, &sheet);
        let has_logs = self.shows_logs(places.right.is_some() && places.below.is_some());
        self.draw_rest(pen, area, places.right, places.below, has_logs);
        is_cut
    }

    /// True if the whole picture fits on an area, with a row and the names above it.
    pub(super) fn fits_compact_picture(&self, area: Rect) -> bool {
        let sheet = self.scene().picture();
        let names = self.scene().seats().map(|seat| sentences::seat_name(&self.timeline, seat));
        let place = part_below(area, 1);
        let room = usize::from(place.width).saturating_sub(3);
        Places::new(place, &sheet, 0).shows_all(&sheet) && names.iter().all(|name| text::fits(name, room))
    }

    /// Draws the names and the picture below the first row of an area, and the table of turns below them if there is room.
    pub(super) fn draw_compact_picture(&self, pen: &mut Pen<'_>, area: Rect) {
        let sheet = self.scene().picture();
        let place = part_below(area, 1);
        let place = Rect { width: place.width.saturating_sub(1), ..place };
        let places = Places::new(place, &sheet, PANEL_WIDTH_MIN);
        self.draw_picture_at(pen, &places, &sheet);
        if let Some(room) = places.right.or(places.below) {
            self.scene().draw_turns(pen, room);
        }
    }
}

/// Draws the names and the picture of a game that is being played, without its fuel: from its beginning, as far as it fits.
pub(crate) fn draw_running(pen: &mut Pen<'_>, area: Rect, sheet: &Sheet, titles: [Title; 2]) {
    let heads = titles.map(|title| (title.pieces(), Vec::new()));
    draw_picture(pen, &Places::new(area, sheet, 0), sheet, Extent::default(), &heads);
}
