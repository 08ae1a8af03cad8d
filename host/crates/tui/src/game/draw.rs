//! The looks of a game's screen.

use super::{GameScreen, Logs, Overlay, Pace, SPEEDS, Scene, bar};
use crate::grid::{Block, draw_blocks};
use crate::moment::Sight;
use crate::pen::{Pen, Piece, piece, pieces_width, row_from_end, row_of};
use crate::text;
use crate::theme::{Theme, Tone};
use crate::{OnScreen, help, words};
use ratatui::buffer::Buffer;
use ratatui::layout::{Direction, Rect};

/// The smallest number of columns and rows of a terminal. Chosen: two boards of ten by ten with their titles and notes.
pub(crate) const SCREEN_MIN: (u16, u16) = (60, 20);

/// The smallest number of columns of the table of turns.
pub(crate) const PANEL_WIDTH_MIN: u16 = 22;

/// The smallest number of rows below the boards for the logs to be there.
const LOGS_HEIGHT_MIN: u16 = 6;

impl<G: OnScreen> GameScreen<G> {
    pub(crate) fn draw_on(&self, theme: Theme, buffer: &mut Buffer) {
        let Some((mut pen, area)) = canvas(theme, buffer) else { return };
        let pen = &mut pen;
        title(pen, row_of(area, 0), &words::title(&self.timeline), &self.state());
        self.draw_body(pen, Rect { y: area.y + 1, height: area.height - 4, ..area });
        self.draw_status(pen, row_from_end(area, 2));
        bar::draw(pen, row_from_end(area, 1), self);
        self.draw_footer(pen, row_from_end(area, 0));
        if self.overlay == Overlay::Help {
            help::draw(pen, area, "watching a game", &[&self.help_keys(), G::GLYPHS]);
        }
    }

    fn help_keys(&self) -> Vec<(&'static str, &'static str)> {
        let mut keys = vec![
            ("space", "pause, play on"),
            ("← →", "a step; home and end: all the way, and live"),
            ("+ -", "faster, slower"),
            ("g", "go to a turn"),
            ("n p", "to the next fault, to the one before"),
            ("b", "see all, or as one side sees it"),
            ("l", "what the bots print"),
            ("↑ ↓ f", "scroll a large board, follow the shots"),
        ];
        if self.can_save {
            keys.push(("w", "save the game, once it is over"));
        }
        keys.push(("q", "quit"));
        keys
    }

    /// The pace and the sight, for the right of the title.
    fn state(&self) -> Vec<Piece<'static>> {
        let at_edge = self.position == self.timeline.len();
        let speed = SPEEDS[self.speed];
        let pace = match self.pace {
            _ if at_edge && self.timeline.is_over() => piece("over ", Tone::Strong),
            Pace::Paused => piece("paused ", Tone::Last),
            Pace::Live => piece("live ", Tone::Good),
            Pace::Playing if at_edge => piece("live ", Tone::Good),
            Pace::Playing => piece(format!("playing {speed}/s "), Tone::Good),
        };
        let sight = match self.sight {
            Sight::Truth => String::new(),
            Sight::Of(seat) => format!("as {} sees it  ", words::seat_name(&self.timeline, seat)),
        };
        vec![piece(text::fit(&sight, 30), Tone::Last), pace]
    }

    /// The scene at the position of the screen.
    pub(crate) fn scene(&self) -> Scene<'_, G> {
        let Self { timeline, moment, position, sight, left, .. } = self;
        Scene { timeline, moment, position: *position, sight: *sight, left: *left }
    }

    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) {
        let scene = self.scene();
        let blocks = scene.seats().map(|owner| {
            let mut block = scene.block(owner);
            block.focus.top = self.top;
            block
        });
        let needed = blocks.iter().map(Block::rows_needed).max().unwrap_or(0);
        // An empty row above and below, if there is room.
        let air = u16::from(area.height > needed + 1);
        let area = Rect { y: area.y + air, height: area.height - 2 * air, ..area };
        let rest = draw_blocks(pen, area, [&blocks[0], &blocks[1]]);
        let panel = rest.right;
        let below = Rect { y: rest.below.y + 1, height: rest.below.height.saturating_sub(1), ..rest.below };
        let has_panel = panel.width >= PANEL_WIDTH_MIN;
        let is_roomy = has_panel && below.height >= LOGS_HEIGHT_MIN;
        let has_logs = match self.logs {
            Logs::IfRoom => is_roomy && self.timeline.has_logs(),
            Logs::Shown => true,
            Logs::Hidden => false,
        };
        self.logs_drawn.set(has_logs);
        if !has_logs {
            if has_panel {
                scene.draw_turns(pen, panel);
            } else if below.height >= 3 {
                scene.draw_turns(pen, below);
            }
            return;
        }
        if below.height >= LOGS_HEIGHT_MIN {
            if has_panel {
                scene.draw_turns(pen, Rect { height: area.height - rest.below.height, ..panel });
            }
            scene.draw_logs(pen, below, Direction::Horizontal);
        } else if has_panel {
            let table = panel.height / 3;
            scene.draw_turns(pen, Rect { height: table, ..panel });
            let logs_area = Rect { y: panel.y + table, height: panel.height - table, ..panel };
            scene.draw_logs(pen, logs_area, Direction::Vertical);
        } else {
            pen.clear(area);
            scene.draw_logs(pen, area, Direction::Horizontal);
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
        let mut list =
            vec![("space", if self.pace == Pace::Paused { "play" } else { "pause" }), ("←→", "step")];
        if self.is_open && self.pace != Pace::Live {
            list.push(("end", "live"));
        }
        if self.can_save && self.timeline.is_over() {
            list.push(("w", "save"));
        }
        if !self.timeline.faults().is_empty() {
            list.push(("n p", "faults"));
        }
        list.extend([("+-", "speed"), ("b", "view"), ("l", "logs"), ("g", "turn")]);
        footer(pen, row, &list, &[("?", "help"), ("q", "quit")]);
    }
}

/// A title at the left of a row, and the state at the right.
pub(crate) fn title(pen: &mut Pen<'_>, row: Rect, what: &str, state: &[Piece<'_>]) {
    let taken = pieces_width(state) as u16 + 1;
    let left = Rect { width: row.width.saturating_sub(taken), ..row };
    pen.line(left, &[piece(format!(" {what}"), Tone::Strong)]);
    pen.line_right(row, state);
}

/// A cleared buffer to draw a screen on, and its area; none if it is too small for one, which it then says.
pub(crate) fn canvas(theme: Theme, buffer: &mut Buffer) -> Option<(Pen<'_>, Rect)> {
    let mut pen = Pen::new(buffer, theme);
    let area = pen.area();
    pen.clear(area);
    (!too_small(&mut pen, area)).then_some((pen, area))
}

/// Says that the terminal is too small, if it is.
fn too_small(pen: &mut Pen<'_>, area: Rect) -> bool {
    let (width, height) = SCREEN_MIN;
    if area.width >= width && area.height >= height {
        return false;
    }
    let (needed, found) = (format!("needs {width}×{height}"), format!("is {}×{}", area.width, area.height));
    let line = format!("too small: {needed}, {found}");
    // If the line does not fit either, the sizes matter most.
    let lines = if text::width(&line) <= area.width.into() { vec![line] } else { vec![needed, found] };
    let top = (area.height.saturating_sub(lines.len() as u16)) / 2;
    for (row, line) in (top..).zip(lines) {
        pen.line(row_of(area, row), &[piece(line, Tone::Strong)]);
    }
    true
}

/// The keys that matter now. The last ones are always there; of the others, those that fit.
pub(crate) fn footer(pen: &mut Pen<'_>, row: Rect, list: &[(&str, &str)], last: &[(&str, &str)]) {
    let end = keys(last);
    let room = usize::from(row.width).saturating_sub(pieces_width(&end));
    let mut pieces = Vec::new();
    for key in list {
        let more = keys(&[*key]);
        if pieces_width(&pieces) + pieces_width(&more) > room {
            break;
        }
        pieces.extend(more);
    }
    pieces.extend(end);
    pen.line(row, &pieces);
}

/// Keys with their meanings, as pieces.
pub(crate) fn keys<'a>(list: &[(&str, &str)]) -> Vec<Piece<'a>> {
    let one = |(key, word): &(&str, &str)| {
        [piece(format!(" {key}"), Tone::Key), piece(format!(" {word} "), Tone::Faint)]
    };
    list.iter().flat_map(one).collect()
}
