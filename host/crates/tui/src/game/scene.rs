//! The parts of a game's picture: the boards, the last event, the table of turns, and the logs.

use crate::grid::{Block, Focus, Layout as BoardLayout, Title};
use crate::on_screen::OnScreen;
use crate::pen::{Pen, row_of};
use crate::table::{self, Column};
use crate::target::Target;
use arena_pictures::text::{self, fit};
use arena_pictures::{Heat, Moment, Piece, Timeline, Tone, Viewpoint, draw_overlay, piece, sentences};
use arena_referee::Event;
use arena_rules::{Outcome, Seat};
use ratatui::layout::{Constraint, Direction, Layout, Rect};
use std::rc::Rc;

/// Columns of the number of a turn, up to four digits, and the space after it. This leaves room for the longest entry,
/// `c1 Xw ~cs`, on 80 columns.
const NUMBER_WIDTH: u16 = 5;

/// The number of turns whose highest fuel is shown where there is no room for their bars. Chosen: as many as a small screen has
/// bars.
const PEAK_TURNS: usize = 9;

/// The smallest number of columns of a side in the table of turns. Chosen: the longest entry and a space fit.
const TURN_WIDTH_MIN: u16 = 10;

/// The largest number of columns of a side in the table of turns. Chosen: wider ones than a name and a shot need would only
/// spread the table out.
const TURN_WIDTH_MAX: u16 = 26;

/// The smallest number of columns of the table of turns. Chosen: the longest entry, `c1 Xw ~cs`, fits.
pub(crate) const PANEL_WIDTH_MIN: u16 = 25;

/// The columns of both sides in the table of turns: equal ones, or, if a name does not fit, what each name needs.
fn column_widths(room: u16, names: [usize; 2], width_max: u16) -> [u16; 2] {
    let half = (room / 2).min(width_max);
    let needed = names.map(|name| TURN_WIDTH_MIN.max(u16::try_from(name + 1).unwrap_or(u16::MAX)));
    let fits = needed[0].max(needed[1]) <= half || needed[0].saturating_add(needed[1]) > room;
    if fits { [half; 2] } else { [needed[0], room - needed[0]] }
}

/// A row of the table of turns.
struct TurnRow<'a, G: OnScreen> {
    /// The number of the turn, as its side counts.
    turn: u32,
    /// The event of each side.
    cells: [Option<&'a Event<G>>; 2],
    /// The position after the first of them.
    position: usize,
}

/// A game at a position, with the viewpoint.
pub(crate) struct Scene<'a, G: OnScreen> {
    pub(crate) timeline: &'a Timeline<G>,
    pub(crate) moment: &'a Moment<G>,
    pub(crate) position: usize,
    pub(crate) viewpoint: Viewpoint,
    /// The side that is on the left.
    pub(crate) left: Seat,
    /// The frame of the last event's animation, if it is being animated.
    pub(crate) frame: Option<u8>,
    /// True if what the bots drew is shown.
    pub(crate) has_marks: bool,
    /// The map of chances over each board, by its owner's seat, if maps are shown.
    pub(crate) heat: Option<Rc<[Option<Heat>; 2]>>,
}

impl<G: OnScreen> Scene<'_, G> {
    /// The seats from left to right.
    pub(crate) fn seats(&self) -> [Seat; 2] {
        [self.left, self.left.other()]
    }

    /// The events up to the position.
    fn events(&self) -> &[Event<G>] {
        self.timeline.events_until(self.position)
    }

    /// The title of a side's board.
    pub(super) fn title(&self, owner: Seat) -> Title {
        let replay = self.moment.replay();
        let has_won = replay.end().is_some_and(|(outcome, _)| outcome == Outcome::Win(owner));
        let name = sentences::seat_name(self.timeline, owner);
        Title {
            is_on_last_ship: self.is_on_last_ship(owner),
            ..Title::new(name, replay.to_move() == Some(owner), has_won)
        }
    }

    /// True if a side has one ship left in a game that goes on, as far as the viewpoint sees that.
    pub(super) fn is_on_last_ship(&self, owner: Seat) -> bool {
        let is_open = self.moment.replay().end().is_none();
        is_open && self.viewpoint.sees(owner) && G::is_last_ship(self.moment, owner)
    }

    /// A side's board, with its name and two notes below it, of which one has the fuel of a number of turns.
    pub(crate) fn block(&self, owner: Seat, turns: usize) -> Block {
        let moment = self.moment;
        let (mut grid, mut note) = if self.viewpoint.sees(owner) {
            (G::board(moment, owner), self.fuel_note(owner, turns))
        } else {
            (G::board_seen(moment, owner), G::knowledge_note(moment, owner))
        };
        if let Some(heat) = self.heat.as_ref().and_then(|maps| maps[owner.index()].as_ref()) {
            heat.draw(&mut grid);
            note = vec![piece(format!("   tenths, {}", heat.source()), Tone::Faint)];
        } else if self.has_marks && self.viewpoint.sees(owner.other()) {
            let overlay = self.timeline.overlay(owner.other(), self.position);
            draw_overlay(&mut grid, &overlay);
            if let Some(text) = overlay.note() {
                note = vec![piece(format!("   {}", text::plain(text)), Tone::Last)];
            }
        }
        if let (Some(frame), Some(event)) = (self.frame, self.events().last())
            && let Some((struck, blast)) = G::blast(moment, event, self.viewpoint)
            && struck == owner
        {
            blast.draw(&mut grid, frame);
        }
        Block {
            title: self.title(owner),
            grid,
            notes: vec![G::fleet_note(moment, owner, self.viewpoint), note],
            focus: Focus { at: G::focus(moment, owner), top: None },
        }
    }

    /// Both boards for an area next to a panel, with the fuel of the first of these numbers of turns whose bars fit below the
    /// boards. Without bars, the highest fuel and the budget remain.
    pub(crate) fn blocks_for(
        &self,
        area: Rect,
        turns: &[usize],
        panel_width: u16,
    ) -> ([Block; 2], BoardLayout) {
        let mut turns = turns.iter().copied();
        loop {
            let next = turns.next();
            let blocks = self.seats().map(|owner| self.block(owner, next.unwrap_or(0)));
            let layout = BoardLayout::new(area, [&blocks[0], &blocks[1]], panel_width);
            if next.is_none() || layout.shows_all(area, [&blocks[0], &blocks[1]]) {
                return (blocks, layout);
            }
        }
    }

    /// The fuel of a side's last turns as bars, the highest of them, and the budget.
    pub(super) fn fuel_note(&self, owner: Seat, count: usize) -> Vec<Piece<'static>> {
        const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        // A side without a component has no fuel: a person, or a client.
        if self.timeline.header().bots[owner.index()].bot.sha256.is_empty() {
            return Vec::new();
        }
        let is_turn = |event: &&Event<G>| {
            event.seat() == Some(owner) && !matches!(event, Event::Placed { fuel: None, .. })
        };
        let turns: Vec<Option<u64>> =
            self.events().iter().rev().filter(is_turn).take(count.max(PEAK_TURNS)).map(Event::fuel).collect();
        if turns.is_empty() {
            return Vec::new();
        }
        let peak = turns.iter().copied().flatten().max().unwrap_or(0);
        let bar = |fuel: &Option<u64>| match fuel {
            None => '!',
            Some(fuel) => {
                let step = u128::from(*fuel) * 7 / u128::from(peak.max(1));
                BARS[usize::try_from(step).unwrap_or(7).min(7)]
            }
        };
        let bars: String = turns.iter().take(count).rev().map(bar).collect();
        let budget = self.timeline.header().conditions.limits.fuel_per_turn;
        vec![
            piece("   ", Tone::Faint),
            piece(format!("{bars:<count$}"), Tone::Ship),
            piece(format!(" {}/{}", text::units(peak), text::units(budget)), Tone::Faint),
        ]
    }

    /// Draws the last event, in words.
    pub(crate) fn draw_last_event(&self, pen: &mut Pen<'_>, row: Rect) {
        let Some(event) = self.events().last() else {
            return pen.line(row, &[piece(" the game is about to begin", Tone::Faint)]);
        };
        let (text, tone) = sentences::line(self.timeline, event, self.viewpoint);
        let (brief, brief_tone) = sentences::brief_line(self.timeline, event, self.viewpoint);
        // A sinking stands out.
        let tone = if brief_tone == Tone::Sunk { Tone::Sunk } else { tone };
        let room = usize::from(row.width).saturating_sub(1);
        // The reason of an end is left out rather than cut.
        let shown =
            if text::fits(&text, room) { text.as_str() } else { text::shortened(&brief, room, &[": "]) };
        pen.line(row, &[piece(" ", Tone::Text), piece(shown, tone)]);
    }

    /// Draws the last turn of a side and, below it, the last event, if it came after that turn.
    pub(crate) fn draw_last_two(&self, pen: &mut Pen<'_>, upper: Rect, lower: Rect, me: Seat) {
        let is_turn = |event: &&Event<G>| event.seat() == Some(me) && event.turn() > Some(0);
        let mine = self.events().iter().rfind(is_turn);
        if let Some(mine) = mine {
            let (text, _) = sentences::line(self.timeline, mine, self.viewpoint);
            let (_, tone) = sentences::brief(self.timeline, mine, self.viewpoint);
            pen.line(upper, &[piece(" ", Tone::Text), piece(text, tone)]);
        }
        let is_last = |mine: &Event<G>| self.events().last().is_some_and(|last| std::ptr::eq(last, mine));
        match mine {
            Some(mine) if is_last(mine) => self.draw_comment(pen, lower),
            _ => self.draw_last_event(pen, lower),
        }
    }

    /// Draws the meaning of the last event as text.
    pub(crate) fn draw_comment(&self, pen: &mut Pen<'_>, row: Rect) {
        let Some(comment) = sentences::comment(self.timeline, self.moment, self.events(), self.viewpoint)
        else {
            return;
        };
        let room = usize::from(row.width).saturating_sub(1);
        let comment = text::shortened(&comment, room, &["; ", ": "]);
        // It only adds to what the line of the event says.
        if text::fits(comment, room) {
            pen.line(row, &[piece(" ", Tone::Text), piece(comment, Tone::Last)]);
        }
    }

    /// Draws the table of turns: a row for each turn, the newest first, and a column for each side.
    pub(crate) fn draw_turns(&self, pen: &mut Pen<'_>, area: Rect) {
        let seats = self.seats();
        let names = seats.map(|seat| self.timeline.name(seat));
        // An action and its effect as text take any room.
        let width_max = if G::HAS_BOARDS { TURN_WIDTH_MAX } else { u16::MAX };
        let widths =
            column_widths(area.width.saturating_sub(NUMBER_WIDTH), names.map(text::width), width_max);
        // The boards have the whole names.
        let head = |(seat, width): (Seat, u16)| {
            let (name, width) = (self.timeline.name(seat), usize::from(width.saturating_sub(1)));
            let seat = format!("seat {}", u8::from(seat));
            let name = if text::fits(name, width) { name.to_owned() } else { seat };
            Column { head: piece(name, Tone::Strong), ..Column::left("", width) }
        };
        let [left, right] = [0, 1].map(|side| head((seats[side], widths[side])));
        let columns = [Column::right("turn", usize::from(NUMBER_WIDTH - 1)), left, right];
        let rows = self.rows(area.height.saturating_sub(1).into());
        // All actions are written alike, and the numbers in them count more than the names of fields.
        let is_cut = |event: &&Event<G>, width: u16| {
            let (text, _) = sentences::brief(self.timeline, event, self.viewpoint);
            !text::fits(&text, width.saturating_sub(1).into())
        };
        let mut cells = rows.iter().flat_map(|row| row.cells.iter().zip(widths));
        let is_long = !G::HAS_BOARDS
            && cells.any(|(event, width)| event.as_ref().is_some_and(|event| is_cut(event, width)));
        let cell = |event: Option<&Event<G>>| {
            let (text, tone) = event.map_or((String::new(), Tone::Text), |event| {
                sentences::brief(self.timeline, event, self.viewpoint)
            });
            piece(if is_long { text::without_field_names(&text) } else { text }, tone)
        };
        for (row, TurnRow { position, .. }) in (1..).zip(&rows) {
            pen.target(row_of(area, row), Target::Row(*position));
        }
        let row = |TurnRow { turn, cells, .. }: TurnRow<'_, G>| {
            let [left, right] = seats.map(|seat| cell(cells[seat.index()]));
            vec![piece(turn.to_string(), Tone::Faint), left, right]
        };
        table::draw(pen, area, 1, &columns, rows.into_iter().map(row));
    }

    /// The newest turns. Turns of both sides with the same number that follow each other have one row.
    fn rows(&self, count: usize) -> Vec<TurnRow<'_, G>> {
        let mut rows: Vec<TurnRow<'_, G>> = Vec::new();
        for (index, event) in self.events().iter().enumerate().rev() {
            let (Some(turn), Some(seat)) = (event.turn(), event.seat()) else { continue };
            let is_full = rows.len() == count;
            match rows.last_mut() {
                Some(row) if row.turn == turn && row.cells[seat.index()].is_none() => {
                    row.cells[seat.index()] = Some(event);
                    row.position = index + 1;
                }
                _ if is_full => break,
                _ => {
                    let mut cells = [None; 2];
                    cells[seat.index()] = Some(event);
                    rows.push(TurnRow { turn, cells, position: index + 1 });
                }
            }
        }
        rows
    }

    /// Draws the ends of both logs, side by side or one above the other.
    pub(crate) fn draw_logs(&self, pen: &mut Pen<'_>, area: Rect, direction: Direction) {
        let half = if direction == Direction::Horizontal { area.width } else { area.height } / 2;
        let areas: [Rect; 2] =
            Layout::new(direction, [Constraint::Length(half), Constraint::Fill(1)]).areas(area);
        for (seat, area) in self.seats().into_iter().zip(areas) {
            let title = format!("log of {}", sentences::seat_name(self.timeline, seat));
            let inner = pen.frame(area, &fit(&title, usize::from(area.width).saturating_sub(6)));
            let log = self.timeline.log_at(seat, self.position);
            if log.is_empty() {
                pen.line(row_of(inner, 0), &[piece("nothing printed", Tone::Faint)]);
                continue;
            }
            // Long lines are continued in the next row. Of the lines, the last ones that fit are shown.
            let width = inner.width.into();
            let rows = log.lines().rev().flat_map(|line| text::wrapped(line, width).into_iter().rev());
            let rows: Vec<String> = rows.take(inner.height.into()).collect();
            for (row, line) in (0..).zip(rows.into_iter().rev()) {
                pen.line(row_of(inner, row), &[piece(line, Tone::Text)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_in_the_table_of_turns_takes_the_room_that_the_other_one_leaves() {
        for (room, names, expected) in [
            (20, [6, 6], [10, 10]),
            (23, [10, 11], [11, 12]),
            (20, [10, 11], [10, 10]),
            (60, [24, 24], [26, 26]),
            (40, [24, 5], [25, 15]),
            (3, [5, 5], [1, 1]),
        ] {
            assert_eq!(column_widths(room, names, TURN_WIDTH_MAX), expected, "{names:?} in {room}");
        }
    }
}
