//! The looks of a game that draws itself: its picture, once for both sides, below their names.

use super::{GameScreen, Logs, PANEL_WIDTH_MIN, Scene};
use crate::OnScreen;
use crate::pen::{Pen, Piece, piece, pieces_width, row_of};
use crate::sentences;
use crate::sheet::{Extent, Sheet};
use crate::text::{self, fit};
use crate::theme::Tone;
use arena_rules::{Outcome, Seat};
use crossterm::event::KeyCode;
use ratatui::layout::{Direction, Rect};
use std::cell::Cell;
use std::sync::Arc;

/// Rows that a key scrolls a picture that does not fit. Chosen: less than half of what the smallest terminal shows.
const SCROLL_ROWS: usize = 4;

/// Columns that a key scrolls it. Chosen: less than half of what the smallest terminal shows.
const SCROLL_COLUMNS: usize = 20;

/// Columns between a picture and the panel at its right.
const GAP: u16 = 3;

/// The smallest number of columns of a picture with the names above it. Chosen: a name and its fuel fit.
const WIDTH_MIN: u16 = 34;

/// The smallest number of rows of the table of turns or the logs below a picture.
const BELOW_MIN: u16 = 4;

/// The numbers of turns whose fuel is shown next to a name, the first that fits.
const FUEL_TURNS: [usize; 3] = [24, 9, 0];

/// The part of a picture that is shown, if it does not fit.
#[derive(Clone, Debug, Default)]
pub(super) struct Scroll {
    from: Extent,
    /// The furthest place that the last drawing could begin at.
    last: Cell<Extent>,
}

impl Scroll {
    /// Moves the part by a key, if it is one for that.
    fn take(&mut self, key: KeyCode) -> bool {
        let last = self.last.get();
        let Extent { rows, columns } = self.from;
        let (rows, columns) = (rows.min(last.rows), columns.min(last.columns));
        self.from = match key {
            KeyCode::Up => Extent { rows: rows.saturating_sub(SCROLL_ROWS), columns },
            KeyCode::Down => Extent { rows: (rows + SCROLL_ROWS).min(last.rows), columns },
            KeyCode::PageUp => Extent { rows: 0, columns },
            KeyCode::PageDown => Extent { rows: last.rows, columns },
            KeyCode::Left => Extent { rows, columns: columns.saturating_sub(SCROLL_COLUMNS) },
            KeyCode::Right => Extent { rows, columns: (columns + SCROLL_COLUMNS).min(last.columns) },
            _ => return false,
        };
        true
    }
}

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
        let margin = u16::from(area.width > 0);
        let area = Rect { x: area.x + margin, width: area.width - margin, ..area };
        let extent = sheet.extent();
        let columns = u16::try_from(extent.columns).unwrap_or(u16::MAX).max(WIDTH_MIN);
        let has_panel = panel_width > 0 && columns.saturating_add(GAP + panel_width) <= area.width;
        let width = if has_panel { columns } else { area.width };
        let right = has_panel.then(|| {
            let taken = width + GAP;
            Rect { x: area.x + taken, width: area.width - taken, ..area }
        });
        let rows = u16::try_from(extent.rows).unwrap_or(u16::MAX).saturating_add(HEAD_ROWS);
        let below = rows.saturating_add(1 + BELOW_MIN) <= area.height;
        let height = if below { rows } else { area.height };
        let picture = Rect { width, height, ..area };
        let taken = rows.saturating_add(1);
        let below =
            below.then(|| Rect { y: area.y + taken, height: area.height - taken, width: area.width, ..area });
        Self { picture, right, below }
    }

    /// The part of the picture itself.
    fn inner(&self) -> Rect {
        let rows = HEAD_ROWS.min(self.picture.height);
        Rect { y: self.picture.y + rows, height: self.picture.height - rows, ..self.picture }
    }

    /// True if all of the picture is shown.
    pub(crate) fn shows_all(&self, sheet: &Sheet) -> bool {
        sheet.fits(self.inner())
    }
}

/// Draws both names with the notes at their right, and the picture below them. Returns true if a name was cut.
pub(crate) fn draw_picture(
    pen: &mut Pen<'_>,
    places: &Places,
    sheet: &Sheet,
    from: Extent,
    heads: &[[Vec<Piece<'static>>; 2]; 2],
) -> bool {
    let mut is_cut = false;
    for (number, [name, note]) in (0..).zip(heads) {
        let row = row_of(places.picture, number);
        let has_note = pieces_width(name) + 2 + pieces_width(note) <= row.width.into();
        is_cut |= pieces_width(name) > row.width.into();
        pen.line(row, name);
        if has_note {
            pen.line_right(row, note);
        }
    }
    let inner = places.inner();
    if let Some(cut) = sheet.cut(inner, from) {
        pen.line(row_of(places.picture, 2), &[piece(fit(&cut, places.picture.width.into()), Tone::Last)]);
    }
    sheet.draw(pen, inner, from);
    is_cut
}

impl<G: OnScreen> Scene<'_, G> {
    /// The picture as the viewpoint sees it.
    pub(crate) fn picture(&self) -> Arc<Sheet> {
        G::picture(self.moment, self.viewpoint)
    }

    /// The names of both sides, the first on the left in other games, each with the fuel of its last turns in this number of columns.
    pub(crate) fn heads(&self, width: u16) -> [[Vec<Piece<'static>>; 2]; 2] {
        self.seats().map(|seat| {
            let is_mover = self.moment.replay.to_move() == Some(seat);
            let won = self.moment.replay.end().is_some_and(|(outcome, _)| outcome == Outcome::Win(seat));
            let name = sentences::seat_name(self.timeline, seat);
            let name = vec![
                piece(if is_mover { "▸ " } else { "  " }, Tone::Last),
                piece(name, if is_mover || won { Tone::Strong } else { Tone::Text }),
                piece(if won { " won" } else { "" }, Tone::Good),
            ];
            let room = usize::from(width).saturating_sub(pieces_width(&name) + 2);
            let notes = FUEL_TURNS.map(|turns| self.fuel_note(seat, turns));
            let note = notes.into_iter().find(|note| pieces_width(note) <= room).unwrap_or_default();
            [name, note]
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
        self.scroll.last.set(sheet.last_start(places.inner()));
        draw_picture(pen, places, sheet, self.scroll.from, &heads)
    }

    /// Draws everything between the title and the last rows. Returns true if a name was cut.
    pub(super) fn draw_picture_body(&self, pen: &mut Pen<'_>, area: Rect) -> bool {
        let scene = self.scene();
        let sheet = scene.picture();
        let places = Places::new(area, &sheet, PANEL_WIDTH_MIN);
        let is_cut = self.draw_picture_at(pen, &places, &sheet);
        let has_logs = match self.logs {
            Logs::IfRoom => self.timeline.has_logs() && places.right.is_some() && places.below.is_some(),
            Logs::Shown => true,
            Logs::Hidden => false,
        };
        self.logs_drawn.set(has_logs);
        match (places.right, places.below) {
            (Some(right), Some(below)) if has_logs => {
                scene.draw_turns(pen, Rect { height: below.y.saturating_sub(1 + right.y), ..right });
                scene.draw_logs(pen, below, Direction::Horizontal);
            }
            (Some(right), None) if has_logs => {
                let table = right.height / 3;
                scene.draw_turns(pen, Rect { height: table, ..right });
                let logs = Rect { y: right.y + table, height: right.height - table, ..right };
                scene.draw_logs(pen, logs, Direction::Vertical);
            }
            (None, Some(below)) if has_logs => scene.draw_logs(pen, below, Direction::Horizontal),
            (None, None) if has_logs => {
                pen.clear(area);
                scene.draw_logs(pen, area, Direction::Horizontal);
            }
            (Some(right), _) => scene.draw_turns(pen, right),
            (None, Some(below)) => scene.draw_turns(pen, below),
            (None, None) => {}
        }
        is_cut
    }

    /// True if the whole picture fits on an area, with a row and the names above it.
    pub(super) fn fits_compact_picture(&self, area: Rect) -> bool {
        let sheet = self.scene().picture();
        let names = self.scene().seats().map(|seat| sentences::seat_name(&self.timeline, seat));
        let place = below_first(area);
        let room = usize::from(place.width).saturating_sub(3);
        Places::new(place, &sheet, 0).shows_all(&sheet) && names.iter().all(|name| text::fits(name, room))
    }

    /// Draws the names and the picture below the first row of an area, and the table of turns below them if there is room.
    pub(super) fn draw_compact_picture(&self, pen: &mut Pen<'_>, area: Rect) {
        let sheet = self.scene().picture();
        let place = below_first(area);
        let place = Rect { width: place.width.saturating_sub(1), ..place };
        let places = Places::new(place, &sheet, PANEL_WIDTH_MIN);
        self.draw_picture_at(pen, &places, &sheet);
        if let Some(room) = places.right.or(places.below) {
            self.scene().draw_turns(pen, room);
        }
    }
}

/// The part of an area below its first row.
fn below_first(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}

/// Draws the names and the picture of a game that is being played, without its fuel: from its beginning, as far as it fits.
pub(crate) fn draw_running(
    pen: &mut Pen<'_>,
    area: Rect,
    sheet: &Sheet,
    names: &[String; 2],
    mover: Option<Seat>,
) {
    let places = Places::new(area, sheet, 0);
    let heads = Seat::BOTH.map(|seat| {
        let is_mover = mover == Some(seat);
        let name = format!("{} {}", u8::from(seat), names[seat.index()]);
        [vec![piece(if is_mover { "▸ " } else { "  " }, Tone::Last), piece(name, Tone::Strong)], Vec::new()]
    });
    draw_picture(pen, &places, sheet, Extent::default(), &heads);
}
