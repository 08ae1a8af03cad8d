//! Beside and below the boards: the table of turns, and the logs.

use crate::OnScreen;
use crate::pen::{Pen, piece, row_of};
use crate::sight::Sight;
use crate::text::fit;
use crate::theme::Tone;
use crate::timeline::Timeline;
use crate::words;
use arena_rules::Seat;
use ratatui::layout::{Constraint, Direction, Layout, Rect};
use std::collections::BTreeMap;

/// Columns of the number of a turn, up to four digits, and the space after it. This leaves room for the longest entry,
/// `c1 Xw ~cs`, on 80 columns.
const NUMBER_WIDTH: u16 = 5;

/// The table of turns: a row for each turn, the newest first, and a column for each side.
pub(crate) struct Turns<'a, G: OnScreen> {
    pub(crate) timeline: &'a Timeline<G>,
    pub(crate) position: usize,
    /// The eyes that it is seen with.
    pub(crate) sight: Sight,
    /// The side whose column is on the left.
    pub(crate) left: Seat,
}

impl<G: OnScreen> Turns<'_, G> {
    pub(crate) fn draw(&self, pen: &mut Pen<'_>, area: Rect) {
        let seats = [self.left, self.left.other()];
        let half = area.width.saturating_sub(NUMBER_WIDTH) / 2;
        // Columns wider than a name and a shot would only spread the table out.
        let half = half.min(20);
        let column = |number: u16| area.x + NUMBER_WIDTH + number * half;
        let head = row_of(area, 0);
        pen.text(area.x, head.y, head.width.min(NUMBER_WIDTH), "turn", Tone::Faint);
        for (number, seat) in (0..).zip(seats) {
            let name = self.timeline.name(seat);
            pen.text(column(number), head.y, half.saturating_sub(1).min(head.width), name, Tone::Strong);
        }
        for (row, (turn, cells)) in (1..).zip(self.rows(area.height.saturating_sub(1).into())) {
            let row = row_of(area, row);
            pen.text(area.x, row.y, NUMBER_WIDTH.min(row.width), &format!("{turn:>4}"), Tone::Faint);
            for (number, seat) in (0..).zip(seats) {
                if let Some(event) = cells[seat.index()] {
                    let event = &self.timeline.events_until(self.position)[event];
                    let (words, tone) = words::brief(self.timeline, event, self.sight);
                    let width = half.saturating_sub(1).min(row.width);
                    pen.text(column(number), row.y, width, &words, tone);
                }
            }
        }
    }

    /// The newest turns, with each side's event.
    fn rows(&self, count: usize) -> Vec<(u32, [Option<usize>; 2])> {
        let events = self.timeline.events_until(self.position);
        let mut rows: BTreeMap<u32, [Option<usize>; 2]> = BTreeMap::new();
        for (index, event) in events.iter().enumerate().rev() {
            let (Some(turn), Some(seat)) = (event.turn(), event.seat()) else { continue };
            if rows.len() == count && !rows.contains_key(&turn) {
                break;
            }
            rows.entry(turn).or_default()[seat.index()] = Some(index);
        }
        rows.into_iter().rev().collect()
    }
}

/// The ends of both logs, beside each other or one above the other.
pub(crate) fn draw_logs<G: OnScreen>(
    pen: &mut Pen<'_>,
    area: Rect,
    timeline: &Timeline<G>,
    position: usize,
    seats: [Seat; 2],
    direction: Direction,
) {
    let half = if direction == Direction::Horizontal { area.width } else { area.height } / 2;
    let areas: [Rect; 2] =
        Layout::new(direction, [Constraint::Length(half), Constraint::Fill(1)]).areas(area);
    for (seat, area) in seats.into_iter().zip(areas) {
        let title = format!("log of {}", words::seat_name(timeline, seat));
        let inner = pen.frame(area, &fit(&title, usize::from(area.width).saturating_sub(6)));
        let log = timeline.log_at(seat, position);
        if log.is_empty() {
            pen.line(row_of(inner, 0), &[piece("nothing printed", Tone::Faint)]);
            continue;
        }
        let lines: Vec<&str> = log.lines().rev().take(inner.height.into()).collect();
        for (row, line) in (0..).zip(lines.into_iter().rev()) {
            pen.line(row_of(inner, row), &[piece(line, Tone::Text)]);
        }
    }
}
