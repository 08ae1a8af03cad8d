//! The looks of a game's screen.

use super::scene::{PANEL_WIDTH_MIN, Scene};
use super::scoreboard::Scoreboard;
use super::{GameScreen, Logs, Overlay, Playback, bar, chart};
use crate::canvas::{QUIT, canvas, footer, title, title_room};
use crate::grid::draw_blocks;
use crate::help;
use crate::on_screen::OnScreen;
use crate::pen::{Pen, part_below, pieces_width, row_from_end, row_of};
use crate::theme::Theme;
use arena_pictures::{Heat, Piece, Tone, Viewpoint, piece, sentences, text};
use arena_rules::Seat;
use ratatui::buffer::Buffer;
use ratatui::layout::{Direction, Rect};
use std::rc::Rc;

/// The smallest number of rows below the boards for the logs or the chart to be there.
const LOGS_HEIGHT_MIN: u16 = 6;

/// The smallest number of rows below the boards for the table of turns to be there.
const TURNS_HEIGHT_MIN: u16 = 3;

/// The largest number of rows of the chart. Chosen: a higher one shows no more.
const CHART_HEIGHT_MAX: u16 = 12;

/// The number of rows of a terminal from which on there is a line about the meaning of the last event.
const COMMENT_HEIGHT_MIN: u16 = 22;

/// The smallest number of columns of a title for the state next to it to have a bot's whole name. Chosen: the name of the rules
/// and the size of the board fit.
const TITLE_WIDTH_MIN: u16 = 20;

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
        bar::draw(&mut pen, row_from_end(area, 1), &self.timeline, self.position, self.is_open);
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
                let (score, end) = (self.score(), self.moment.replay().end());
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
        let mut area = Rect { y: area.y + air, height: area.height - 2 * air, ..area };
        // The scoreboard takes the empty row below, and no room that the chart or the logs need.
        let columns = layout.columns(area, [&blocks[0], &blocks[1]]);
        let spare = area.height.saturating_sub(layout.rows_needed + LOGS_HEIGHT_MIN);
        if let Some(scoreboard) = Scoreboard::new(&scene, columns, spare, pen.theme().is_ascii) {
            scoreboard.draw(pen, area, &scene);
            area = part_below(Rect { height: area.height + 1, ..area }, scoreboard.letters.rows());
        }
        let rest = draw_blocks(pen, area, [&blocks[0], &blocks[1]], layout);
        let panel = rest.right;
        let below = part_below(rest.below, 1);
        let right = (panel.width >= PANEL_WIDTH_MIN).then_some(panel);
        let has_room = below.height >= LOGS_HEIGHT_MIN;
        let has_logs = self.shows_logs(right.is_some() && has_room);
        let mut logs = below;
        // The chart and the logs below it both need room for their lines.
        if has_room && right.is_some() && (!has_logs || below.height >= 2 * LOGS_HEIGHT_MIN) {
            let rows = if has_logs { below.height / 2 } else { below.height + 1 };
            logs = part_below(below, rows);
            let place = Rect { width: panel.x - area.x, height: (rows - 1).min(CHART_HEIGHT_MAX), ..below };
            chart::draw(pen, place, &self.timeline, self.position, self.left);
        }
        let rows_min = if has_logs { LOGS_HEIGHT_MIN } else { TURNS_HEIGHT_MIN };
        self.draw_rest(pen, area, right, (logs.height >= rows_min).then_some(logs), has_logs);
        rest.has_cut_name
    }

    /// True if the logs are shown, given whether there is room for them with all else.
    pub(super) fn shows_logs(&self, has_room: bool) -> bool {
        let has_logs = match self.logs {
            Logs::IfRoom => has_room && self.timeline.has_logs(),
            Logs::Shown => true,
            Logs::Hidden => false,
        };
        self.logs_drawn.set(has_logs);
        has_logs
    }

    /// Draws the table of turns and the logs in the parts of an area to the right of and below the boards or the picture, if there is room
    /// there. Logs for which there is none are in place of all.
    pub(super) fn draw_rest(
        &self,
        pen: &mut Pen<'_>,
        area: Rect,
        right: Option<Rect>,
        below: Option<Rect>,
        has_logs: bool,
    ) {
        let scene = self.scene();
        match (right, below) {
            (Some(right), Some(below)) if has_logs => {
                // The table ends above the logs, which have the whole width.
                scene.draw_turns(pen, Rect { height: below.y.saturating_sub(1 + right.y), ..right });
                scene.draw_logs(pen, below, Direction::Horizontal);
            }
            (Some(right), None) if has_logs => {
                let rows = right.height / 3;
                scene.draw_turns(pen, Rect { height: rows, ..right });
                scene.draw_logs(pen, part_below(right, rows), Direction::Vertical);
            }
            (None, Some(below)) if has_logs => scene.draw_logs(pen, below, Direction::Horizontal),
            (None, None) if has_logs => {
                pen.clear(area);
                scene.draw_logs(pen, area, Direction::Horizontal);
            }
            (Some(room), _) | (None, Some(room)) => scene.draw_turns(pen, room),
            (None, None) => {}
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
