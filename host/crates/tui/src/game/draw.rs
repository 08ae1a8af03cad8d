//! How the screen of a game looks.

use super::{GameScreen, Logs, Overlay, Pace, SPEEDS, bar, draw_logs, help, panel};
use crate::grid::{Block, Focus, Grid, Mark, Sight, draw_blocks};
use crate::moment::Moment;
use crate::pen::{Pen, Piece, piece, pieces_width, row_from_end, row_of};
use crate::text;
use crate::theme::{Theme, Tone};
use crate::timeline::Timeline;
use crate::words;
use arena_referee::Event;
use arena_rules::Seat;
use arena_rules::submarine::Ship;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The least columns and rows of a terminal. Chosen: two boards of ten by ten with what belongs to them.
pub(crate) const SCREEN_MIN: (u16, u16) = (60, 20);

/// The least columns of the table of turns.
const PANEL_WIDTH_MIN: u16 = 22;

/// The least rows below the boards for the logs to be there.
const LOGS_HEIGHT_MIN: u16 = 6;

impl GameScreen {
    /// Draws the screen on a buffer of any size.
    pub fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        let Some((mut pen, area)) = canvas(theme, buffer) else { return };
        let pen = &mut pen;
        title(pen, row_of(area, 0), &words::title(&self.timeline), &self.state());
        self.draw_body(pen, Rect { y: area.y + 1, height: area.height - 4, ..area });
        self.draw_status(pen, row_from_end(area, 2));
        bar::draw(pen, row_from_end(area, 1), &self.timeline, self.position, self.is_open);
        self.draw_footer(pen, row_from_end(area, 0));
        if self.overlay == Overlay::Help {
            help(pen, area, "watching a game", &help::game_keys(self.can_save), &self.timeline);
        }
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

    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) {
        let blocks = [self.left, self.left.other()].map(|owner| {
            let mut block = block_of(&self.timeline, &self.moment, self.position, owner, self.sight);
            block.focus.top = self.top;
            block
        });
        let needed = blocks.iter().map(rows_needed).max().unwrap_or(0);
        // A row of air above and below, where there is one.
        let air = u16::from(area.height > needed + 1);
        let area = Rect { y: area.y + air, height: area.height - 2 * air, ..area };
        let rest = draw_blocks(pen, area, [&blocks[0], &blocks[1]]);
        let panel = rest.right;
        let below = Rect { y: rest.below.y + 1, height: rest.below.height.saturating_sub(1), ..rest.below };
        let has_panel = panel.width >= PANEL_WIDTH_MIN;
        let turns = panel::Turns {
            timeline: &self.timeline,
            position: self.position,
            sight: self.sight,
            left: self.left,
        };
        let is_roomy = has_panel && below.height >= LOGS_HEIGHT_MIN;
        let has_logs = match self.logs {
            Logs::IfRoom => is_roomy && self.timeline.has_logs(),
            Logs::Shown => true,
            Logs::Hidden => false,
        };
        self.logs_drawn.set(has_logs);
        if !has_logs {
            if has_panel {
                turns.draw(pen, panel);
            } else if below.height >= 3 {
                turns.draw(pen, below);
            }
            return;
        }
        let logs = [self.left, self.left.other()];
        if below.height >= LOGS_HEIGHT_MIN {
            if has_panel {
                turns.draw(pen, Rect { height: area.height - rest.below.height, ..panel });
            }
            draw_logs(pen, below, &self.timeline, self.position, logs, panel::Stacked::Beside);
        } else if has_panel {
            let table = panel.height / 3;
            turns.draw(pen, Rect { height: table, ..panel });
            let logs_area = Rect { y: panel.y + table, height: panel.height - table, ..panel };
            draw_logs(pen, logs_area, &self.timeline, self.position, logs, panel::Stacked::Above);
        } else {
            pen.clear(area);
            draw_logs(pen, area, &self.timeline, self.position, logs, panel::Stacked::Beside);
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
        // It is what happened last.
        if let Some(why) = &self.stopped
            && self.position == self.timeline.len()
        {
            return pen.line(row, &[piece(format!(" {why}"), Tone::Fault)]);
        }
        draw_last_event(pen, row, &self.timeline, self.position, self.sight);
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

/// What is played at the left of a row, how it stands at the right.
pub(crate) fn title(pen: &mut Pen<'_>, row: Rect, what: &str, state: &[Piece<'_>]) {
    let taken = pieces_width(state) as u16 + 1;
    let left = Rect { width: row.width.saturating_sub(taken), ..row };
    pen.line(left, &[piece(format!(" {what}"), Tone::Strong)]);
    pen.line_right(row, state);
}

/// What happened last, in words.
pub(crate) fn draw_last_event(
    pen: &mut Pen<'_>,
    row: Rect,
    timeline: &Timeline,
    position: usize,
    sight: Sight,
) {
    let Some(event) = timeline.events_until(position).last() else {
        return pen.line(row, &[piece(" the game is about to begin", Tone::Faint)]);
    };
    let (words, tone) = words::sentence(timeline, event, sight);
    let turn = match crate::timeline::turn_of(event) {
        None | Some(0) => String::new(),
        Some(turn) => format!("turn {turn}: "),
    };
    pen.line(row, &[piece(" ", Tone::Text), piece(format!("{turn}{words}"), tone)]);
}

/// A cleared buffer to draw a screen on, and its area; none where it is too small for one, which it then says.
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
    // Where the line does not fit either, the sizes are what matters.
    let lines = if text::width(&line) <= area.width.into() { vec![line] } else { vec![needed, found] };
    let top = (area.height.saturating_sub(lines.len() as u16)) / 2;
    for (row, line) in (top..).zip(lines) {
        pen.line(row_of(area, row), &[piece(line, Tone::Strong)]);
    }
    true
}

/// The keys that matter now. The last ones are always there; of the others, as many as fit.
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

/// Keys and what they do, as pieces.
pub(crate) fn keys<'a>(list: &[(&str, &str)]) -> Vec<Piece<'a>> {
    let one = |(key, word): &(&str, &str)| {
        [piece(format!(" {key}"), Tone::Key), piece(format!(" {word} "), Tone::Faint)]
    };
    list.iter().flat_map(one).collect()
}

/// The rows that a whole block takes.
fn rows_needed(block: &Block<'_>) -> u16 {
    let rows = u16::from(block.grid.size.height);
    let rows = if block.grid.cell_width > 1 { 2 * rows - 1 } else { rows };
    2 + rows + block.notes.len() as u16
}

/// The cell of a side's board where something happened last.
fn focus_of(moment: &Moment, owner: Seat) -> Focus {
    let at = match moment {
        Moment::Battleship(moment) => moment.last[owner.other().index()],
        // The board of submarine always fits.
        Moment::Submarine(_) => None,
    };
    Focus { at, top: None }
}

/// A side's board at a moment, with its name and what is left of its fleet.
pub(crate) fn block_of<'a>(
    timeline: &'a Timeline,
    moment: &Moment,
    position: usize,
    owner: Seat,
    sight: Sight,
) -> Block<'a> {
    let is_mover = moment.to_move() == Some(owner);
    let won = moment.end().is_some_and(|(outcome, _)| outcome == arena_rules::Outcome::Win(owner));
    let name = text::fit(&words::seat_name(timeline, owner), 18);
    let name_tone = if is_mover || won { Tone::Strong } else { Tone::Text };
    let mut notes = vec![fleet_note(moment, owner, sight)];
    notes.push(if sight.sees(owner) {
        fuel_note(timeline, position, owner)
    } else {
        knowledge_note(moment, owner)
    });
    Block {
        title: vec![
            piece(if is_mover { "▸ " } else { "  " }, Tone::Last),
            piece(name, name_tone),
            piece(if won { " won" } else { "" }, Tone::Good),
        ],
        grid: Grid::new(moment, owner, sight),
        notes,
        focus: focus_of(moment, owner),
    }
}

/// What is afloat of a side.
fn fleet_note<'a>(moment: &Moment, owner: Seat, sight: Sight) -> Vec<Piece<'a>> {
    match moment {
        Moment::Battleship(moment) if !sight.sees(owner) && !moment.rules.sinkings_announced => {
            vec![piece("   sinkings are not told", Tone::Faint)]
        }
        Moment::Battleship(moment) => {
            let digits = words::fleet_digits(&moment.rules.fleet, &moment.afloat(owner));
            let tone = if moment.afloat(owner).is_empty() { Tone::Sunk } else { Tone::Text };
            vec![piece("   ships ", Tone::Faint), piece(digits, tone)]
        }
        Moment::Submarine(moment) => {
            let mut pieces = vec![piece("  ", Tone::Faint)];
            for ship in Ship::ALL {
                let left = usize::from(moment.hit_points(owner, ship));
                let gone = usize::from(ship.hit_points()) - left;
                let tone = if left == 0 { Tone::Sunk } else { Tone::Ship };
                pieces.push(piece(format!(" {} ", words::letter(ship)), Tone::Faint));
                pieces.push(piece("■".repeat(left) + &"·".repeat(gone), tone));
            }
            pieces
        }
    }
}

/// What the other side knows of a side's board, as a number.
fn knowledge_note<'a>(moment: &Moment, owner: Seat) -> Vec<Piece<'a>> {
    match moment {
        Moment::Battleship(_) => vec![piece("   - ruled out", Tone::Faint)],
        Moment::Submarine(moment) => match moment.possible(owner.other()) {
            Some((_, count)) => {
                let fit = if count == 1 { "fleet fits" } else { "fleets fit" };
                let count = text::count(count as u64);
                vec![piece(format!("   {count} {fit}"), Tone::Faint)]
            }
            None => Vec::new(),
        },
    }
}

/// The fuel of a side's last turns as bars, the highest of them, and the budget.
fn fuel_note<'a>(timeline: &Timeline, position: usize, owner: Seat) -> Vec<Piece<'a>> {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const TURNS: usize = 9;
    // Who is no component has no fuel: a person, or a client.
    if timeline.header().bots[owner.index()].sha256.is_empty() {
        return Vec::new();
    }
    let of_owner = timeline.events_until(position).iter().rev().filter(|event| event.seat() == Some(owner));
    let turns: Vec<Option<u64>> = of_owner
        .filter(|event| !matches!(event, Event::Deployed { fuel: None, .. }))
        .take(TURNS)
        .map(Event::fuel)
        .collect();
    let peak = turns.iter().copied().flatten().max().unwrap_or(0);
    let bar = |fuel: &Option<u64>| match fuel {
        None => '!',
        Some(fuel) => {
            let step = u128::from(*fuel) * 7 / u128::from(peak.max(1));
            BARS[usize::try_from(step).unwrap_or(7).min(7)]
        }
    };
    let bars: String = turns.iter().rev().map(bar).collect();
    let budget = timeline.header().limits.fuel_per_turn;
    vec![
        piece("   ", Tone::Faint),
        piece(format!("{bars:<TURNS$}"), Tone::Ship),
        piece(format!(" {}/{}", text::units(peak), text::units(budget)), Tone::Faint),
    ]
}

/// Marks the cell of a cursor on a block.
pub(crate) fn mark_cursor(block: &mut Block<'_>, at: arena_rules::Coord) {
    block.grid.mark(at, Mark::Cursor);
    block.focus = Focus { at: Some(at), top: None };
}
