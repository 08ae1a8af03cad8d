//! The looks of a game's screen.

use super::{GameScreen, Logs, Overlay, Playback, Scene, bar, chart};
use crate::grid::draw_blocks;
use crate::heat::Heat;
use crate::moment::Viewpoint;
use crate::pen::{Pen, Piece, piece, pieces_width, row_from_end, row_of};
use crate::screen::SCREEN_MIN;
use crate::text;
use crate::theme::{Theme, Tone};
use crate::{OnScreen, help, sentences};
use arena_rules::Seat;
use ratatui::buffer::Buffer;
use ratatui::layout::{Direction, Rect};
use std::rc::Rc;

/// The smallest number of columns of the table of turns. Chosen: the longest entry, `c1 Xw ~cs`, fits.
pub(crate) const PANEL_WIDTH_MIN: u16 = 25;

/// The smallest number of rows below the boards for the logs or the chart to be there.
const LOGS_HEIGHT_MIN: u16 = 6;

/// The largest number of rows of the chart. Chosen: a higher one shows no more.
const CHART_HEIGHT_MAX: u16 = 12;

/// The number of rows of a terminal from which on there is a line about the meaning of the last event.
const COMMENT_HEIGHT_MIN: u16 = 22;

/// The smallest number of columns of a title for the state next to it to have a bot's whole name. Chosen: the name of the rules
/// and the size of the board fit.
const TITLE_WIDTH_MIN: u16 = 20;

/// The separators of the parts of a title, of which the first one is the most important.
const TITLE_SEPARATORS: [&str; 2] = ["  ", ", "];

/// The numbers of turns whose fuel is shown, the first that fits below the boards. Chosen: they fit below a board of ten with
/// the cells that it has on a wall, on a large screen and on a small one.
const FUEL_TURNS: [usize; 3] = [60, 24, 9];

impl<G: OnScreen> GameScreen<G> {
    pub(crate) fn draw_on(&self, theme: Theme, buffer: &mut Buffer) {
        let Some((mut pen, area)) = canvas(theme, buffer, QUIT) else {
            self.targets.take();
            return;
        };
        let comment = u16::from(area.height >= COMMENT_HEIGHT_MIN);
        let body = Rect { y: area.y + 1, height: area.height - 4 - comment, ..area };
        let has_cut_name = self.draw_body(&mut pen, body);
        self.draw_title(&mut pen, row_of(area, 0), has_cut_name, &self.state(area.width));
        if comment > 0 {
            self.scene().draw_comment(&mut pen, row_from_end(area, 3));
        }
        self.draw_status(&mut pen, row_from_end(area, 2));
        bar::draw(&mut pen, row_from_end(area, 1), self);
        self.draw_footer(&mut pen, row_from_end(area, 0));
        if self.overlay == Overlay::Help {
            help::draw(&mut pen, area, &self.names(), &[&self.help_keys(), G::GLYPHS]);
        }
        self.targets.replace(pen.into_targets());
    }

    fn help_keys(&self) -> Vec<(&'static str, &'static str)> {
        let mut keys = vec![
            ("space", "pause or play"),
            ("← →", "step; home, end: the start, the end or live"),
            ("+ -", "faster, slower"),
            ("g", "go to a turn"),
            ("n p", "the next fault, the previous one"),
        ];
        keys.extend(if G::HAS_BOARDS {
            [
                ("b h", "one side's view or all; chances of a ship"),
                ("l m", "logs of the bots; their marks"),
                ("↑ ↓ f", "scroll a large board; follow the shots"),
            ]
        } else {
            [
                ("b", "one side's view or all"),
                ("l", "logs of the bots"),
                ("↑ ↓ < > f", "scroll a large picture; its beginning"),
            ]
        });
        if self.is_fed() {
            keys.push(("enter", "the next game, once this one is over"));
        }
        if self.can_save {
            keys.push(("w", "save the game, once it is over"));
        }
        keys.push(("t q", "other colours; quit"));
        keys
    }

    /// Draws the title of the game, and the state at its right. If a name is cut above the boards, the title begins with both
    /// names, if they fit.
    pub(crate) fn draw_title(&self, pen: &mut Pen<'_>, row: Rect, has_cut_name: bool, state: &[Piece<'_>]) {
        let names = self.names();
        let of_game = sentences::title(&self.timeline);
        let has_room = text::fits(&names, title_room(row, state));
        title(
            pen,
            row,
            &if has_cut_name && has_room { format!("{names}  {of_game}") } else { of_game },
            state,
        );
    }

    /// The playback and the viewpoint, for the right of a title in this number of columns.
    fn state(&self, width: u16) -> Vec<Piece<'static>> {
        let at_edge = self.position == self.timeline.len();
        let speed = self.motion.speed();
        let playback = match self.motion.playback {
            _ if at_edge && self.timeline.is_over() => piece("over ", Tone::Strong),
            Playback::Paused => piece("paused ", Tone::Last),
            Playback::Live => piece("live ", Tone::Good),
            Playback::Playing if at_edge => piece("live ", Tone::Good),
            Playback::Playing => piece(format!("playing {speed}/s "), Tone::Good),
        };
        let series = match self.series.games {
            0 | 1 => String::new(),
            games => {
                let (score, end) = (self.score(), self.moment.replay.end());
                let number = (score.games() + u32::from(end.is_none())).min(games);
                let is_swapped = self.left != self.series.left(self.timeline.header());
                format!("{number} of {games}, {}  ", score.text(is_swapped))
            }
        };
        let mut pieces = vec![piece(series, Tone::Strong), playback];
        if let Viewpoint::Of(seat) = self.viewpoint {
            let room =
                usize::from(width.saturating_sub(TITLE_WIDTH_MIN)).saturating_sub(pieces_width(&pieces));
            let whole = format!("as {} sees it  ", sentences::seat_name(&self.timeline, seat));
            let brief = format!("as seat {} sees it  ", u8::from(seat));
            let viewpoint = if text::fits(&whole, room) { whole } else { brief };
            pieces.insert(0, piece(viewpoint, Tone::Last));
        }
        pieces
    }

    /// The scene at the position of the screen.
    pub(crate) fn scene(&self) -> Scene<'_, G> {
        let Self { timeline, moment, position, viewpoint, left, .. } = self;
        let (frame, heat) = (self.motion.frame(), self.heat());
        let has_marks = self.has_marks;
        Scene {
            timeline,
            moment,
            position: *position,
            viewpoint: *viewpoint,
            left: *left,
            frame,
            has_marks,
            heat,
        }
    }

    /// The map of chances over each board, if maps are shown: those that were drawn last, if they are of this position.
    fn heat(&self) -> Option<Rc<[Option<Heat>; 2]>> {
        if !self.has_heat {
            return None;
        }
        let events = (self.timeline.len(), self.position);
        if let Some((of, maps)) = &*self.maps.borrow()
            && *of == events
        {
            return Some(Rc::clone(maps));
        }
        let maps = Rc::new(Seat::BOTH.map(|owner| G::heat(&self.moment, owner)));
        self.maps.replace(Some((events, Rc::clone(&maps))));
        Some(maps)
    }

    /// Draws everything between the title and the last rows. Returns true if a name above a board was cut.
    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) -> bool {
        if !G::HAS_BOARDS {
            return self.draw_picture_body(pen, area);
        }
        let scene = self.scene();
        let (mut blocks, layout) = scene.blocks_for(area, &FUEL_TURNS, PANEL_WIDTH_MIN);
        blocks.iter_mut().for_each(|block| block.focus.top = self.top);
        // An empty row above and below, if there is room.
        let air = u16::from(area.height > layout.rows_needed + 1);
        let area = Rect { y: area.y + air, height: area.height - 2 * air, ..area };
        let rest = draw_blocks(pen, area, [&blocks[0], &blocks[1]], layout);
        let panel = rest.right;
        let below = Rect { y: rest.below.y + 1, height: rest.below.height.saturating_sub(1), ..rest.below };
        let has_panel = panel.width >= PANEL_WIDTH_MIN;
        let has_room = below.height >= LOGS_HEIGHT_MIN;
        let has_logs = match self.logs {
            Logs::IfRoom => has_panel && has_room && self.timeline.has_logs(),
            Logs::Shown => true,
            Logs::Hidden => false,
        };
        self.logs_drawn.set(has_logs);
        match (has_room, has_panel) {
            (true, true) => {
                // The table ends above what is below the boards, if that is there in its whole width.
                let height = if has_logs { area.height - rest.below.height } else { panel.height };
                scene.draw_turns(pen, Rect { height, ..panel });
                self.draw_below(pen, below, if has_logs { area.width } else { panel.x - area.x }, has_logs);
            }
            (true, false) if has_logs => scene.draw_logs(pen, below, Direction::Horizontal),
            (_, true) if has_logs => {
                let table = panel.height / 3;
                scene.draw_turns(pen, Rect { height: table, ..panel });
                let logs_area = Rect { y: panel.y + table, height: panel.height - table, ..panel };
                scene.draw_logs(pen, logs_area, Direction::Vertical);
            }
            (_, false) if has_logs => {
                pen.clear(area);
                scene.draw_logs(pen, area, Direction::Horizontal);
            }
            (_, true) => scene.draw_turns(pen, panel),
            (_, false) if below.height >= 3 => scene.draw_turns(pen, below),
            (_, false) => {}
        }
        rest.has_cut_name
    }

    /// Draws the chart below the boards, and the logs next to it or in its place.
    fn draw_below(&self, pen: &mut Pen<'_>, area: Rect, width: u16, has_logs: bool) {
        let chart = Rect { width, height: area.height.min(CHART_HEIGHT_MAX), ..area };
        let draw_chart = |pen: &mut Pen<'_>, area: Rect| {
            chart::draw(pen, area, &self.timeline, self.position, self.left);
        };
        match has_logs {
            false => draw_chart(pen, chart),
            // Both need room for their lines.
            true if area.height >= 2 * LOGS_HEIGHT_MIN => {
                let height = area.height / 2;
                draw_chart(pen, Rect { height: height - 1, ..area });
                let logs = Rect { y: area.y + height, height: area.height - height, ..area };
                self.scene().draw_logs(pen, logs, Direction::Horizontal);
            }
            true => self.scene().draw_logs(pen, area, Direction::Horizontal),
        }
    }

    fn draw_status(&self, pen: &mut Pen<'_>, row: Rect) {
        if let Overlay::GoTo(typed) = &self.overlay {
            let prompt = [
                piece(" go to turn: ", Tone::Strong),
                piece(format!("{typed}_"), Tone::Last),
                piece("   Enter goes there, Esc does not", Tone::Faint),
            ];
            return pen.line(row, &prompt);
        }
        if let Some(notice) = &self.notice {
            return pen.line(row, &[piece(format!(" {notice}"), Tone::Last)]);
        }
        // It comes after the last event.
        if let Some(why) = &self.stopped
            && self.position == self.timeline.len()
        {
            return pen.line(row, &[piece(format!(" {why}"), Tone::Fault)]);
        }
        self.scene().draw_last_event(pen, row);
    }

    fn draw_footer(&self, pen: &mut Pen<'_>, row: Rect) {
        let mut list = vec![
            ("space", if self.motion.playback == Playback::Paused { "play" } else { "pause" }),
            ("←→", "step"),
        ];
        if self.is_open && self.motion.playback != Playback::Live {
            list.push(("end", "live"));
        }
        if self.is_fed() && self.timeline.is_over() {
            list.push(("enter", "next game"));
        }
        if self.can_save && self.timeline.is_over() && self.saved.is_none() {
            list.push(("w", "save"));
        }
        if !self.timeline.faults().is_empty() {
            list.push(("n p", "faults"));
        }
        list.extend([("+-", "speed"), ("b", "view")]);
        list.extend(G::HAS_BOARDS.then_some(("h", "chances")));
        list.extend([("l", "logs"), ("g", "turn")]);
        footer(pen, row, &list, &[("?", "help"), ("q", "quit")]);
    }
}

/// A title at the left of a row, and the state at the right.
pub(crate) fn title(pen: &mut Pen<'_>, row: Rect, what: &str, state: &[Piece<'_>]) {
    let room = title_room(row, state);
    let what = text::shortened(what, room, &TITLE_SEPARATORS);
    let left = Rect { width: row.width.min(room as u16 + 1), ..row };
    pen.line(left, &[piece(format!(" {what}"), Tone::Strong)]);
    pen.line_right(row, state);
}

/// The first part of a title, which is always shown.
pub(crate) fn title_part(what: &str) -> &str {
    text::shortened(what, 0, &TITLE_SEPARATORS)
}

/// The number of columns for a title in a row: a space is before it, and one before the state.
pub(crate) fn title_room(row: Rect, state: &[Piece<'_>]) -> usize {
    usize::from(row.width).saturating_sub(pieces_width(state) + 2)
}

/// The effect of `q` in words, where nothing is lost by it.
pub(crate) const QUIT: &str = "q quits";

/// A cleared buffer to draw a screen on, and its area; `None` when the buffer is too small and shows that, with the effect of `q` in
/// words.
pub(crate) fn canvas<'b>(theme: Theme, buffer: &'b mut Buffer, quit: &str) -> Option<(Pen<'b>, Rect)> {
    let mut pen = Pen::new(buffer, theme);
    let area = pen.area();
    pen.clear(area);
    (!too_small(&mut pen, area, quit)).then_some((pen, area))
}

/// Says that the terminal is too small, if it is.
fn too_small(pen: &mut Pen<'_>, area: Rect, quit: &str) -> bool {
    let (width, height) = SCREEN_MIN;
    if area.width >= width && area.height >= height {
        return false;
    }
    let (needed, found) = (format!("needs {width}×{height}"), format!("is {}×{}", area.width, area.height));
    let line = format!("too small: {needed}, {found}");
    let quit = quit.to_owned();
    let fits = |line: &str| text::width(line) <= area.width.into();
    // As much as fits: how to leave and the size that is needed matter most.
    let lines = match area.height {
        0 => vec![],
        1 => {
            let all = [format!("{line}: {quit}"), format!("{needed}: {quit}")];
            vec![all.into_iter().find(|line| fits(line)).unwrap_or(needed)]
        }
        _ if fits(&line) => vec![line, quit],
        2 => vec![needed, quit],
        _ => vec![needed, found, quit],
    };
    let top = (area.height - lines.len() as u16) / 2;
    for (row, line) in (top..).zip(lines) {
        pen.line(row_of(area, row), &[piece(line, Tone::Strong)]);
    }
    true
}

/// The keys that matter now. The last ones always appear; of the others, those that fit.
pub(crate) fn footer(pen: &mut Pen<'_>, row: Rect, list: &[(&str, &str)], last: &[(&str, &str)]) {
    let end = keys(last);
    let mut pieces = keys_that_fit(list, usize::from(row.width).saturating_sub(pieces_width(&end)));
    pieces.extend(end);
    pen.line(row, &pieces);
}

/// The first keys of a list, with their meanings, that fit in a number of columns.
pub(crate) fn keys_that_fit<'a>(list: &[(&str, &str)], room: usize) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    for key in list {
        let more = keys(&[*key]);
        if pieces_width(&pieces) + pieces_width(&more) > room {
            break;
        }
        pieces.extend(more);
    }
    pieces
}

/// Keys with their meanings, as pieces.
fn keys<'a>(list: &[(&str, &str)]) -> Vec<Piece<'a>> {
    let one = |(key, word): &(&str, &str)| {
        [piece(format!(" {key}"), Tone::Key), piece(format!(" {word} "), Tone::Faint)]
    };
    list.iter().flat_map(one).collect()
}
