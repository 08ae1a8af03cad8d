//! The game as a bar, with the position of the screen and the faults on it: the gauges of ratatui have no marks.

use crate::on_screen::OnScreen;
use crate::pen::{Pen, part_right, pieces_width};
use crate::target::Target;
use arena_pictures::{Timeline, Tone, piece};
use ratatui::layout::Rect;

/// Draws the bar of a game at a position. More events may come if it is open.
pub(super) fn draw<G: OnScreen>(
    pen: &mut Pen<'_>,
    row: Rect,
    timeline: &Timeline<G>,
    position: usize,
    is_open: bool,
) {
    let length = timeline.len();
    let end = [piece(count(length, position, is_open), Tone::Faint)];
    let room = usize::from(row.width).saturating_sub(pieces_width(&end) + 2);
    for (x, (glyph, tone)) in (row.x + 1..).zip(cells(room, length, position, timeline.faults())) {
        pen.text(x, row.y, 1, glyph.encode_utf8(&mut [0; 4]), tone);
    }
    pen.line(part_right(row, 2 + room), &end);
    // The column before it is a margin. The room is less than the row's width.
    pen.target(Rect { x: row.x + 1, width: room as u16, ..row }, Target::Bar);
}

/// The position and the length, in the same number of cells at each position, so that the bar's end stays in its place. A game
/// that goes on has an ellipsis instead of the last space.
fn count(length: usize, position: usize, is_open: bool) -> String {
    let [position, length] = [position, length].map(|number| arena_text::grouped(number as u64));
    let end = if is_open { '…' } else { ' ' };
    format!(" {position:>0$}/{length}{end}", length.len())
}

/// The bar of a game with `length` events, in `room` cells.
fn cells(room: usize, length: usize, position: usize, faults: &[usize]) -> Vec<(char, Tone)> {
    let Some(last) = room.checked_sub(1) else { return Vec::new() };
    // An empty game has its only position at the left.
    let cell_of = |event: usize| (event * last).checked_div(length).unwrap_or(0);
    let here = cell_of(position);
    let mut glyphs: Vec<(char, Tone)> =
        (0..room).map(|cell| if cell < here { ('━', Tone::Text) } else { ('─', Tone::Faint) }).collect();
    for &fault in faults {
        glyphs[cell_of(fault)] = ('!', Tone::Fault);
    }
    let is_fault = glyphs[here].0 == '!';
    glyphs[here] = (if is_fault { '◆' } else { '●' }, if is_fault { Tone::Fault } else { Tone::Last });
    glyphs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(room: usize, length: usize, position: usize, faults: &[usize], expected: &str) {
        let text: String =
            cells(room, length, position, faults).into_iter().map(|(glyph, _)| glyph).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn a_bar_shows_where_the_screen_stands_and_where_the_faults_are() {
        check(10, 0, 0, &[], "●─────────");
        check(10, 9, 0, &[], "●─────────");
        check(10, 9, 4, &[2, 9], "━━!━●────!");
        check(10, 9, 9, &[9], "━━━━━━━━━◆");
        check(10, 10_000, 10_000, &[1], "!━━━━━━━━●");
        check(1, 5, 3, &[], "●");
        check(0, 5, 3, &[4], "");
    }

    #[test]
    fn the_count_is_as_wide_at_each_position() {
        for (length, position, is_open, expected) in [
            (3, 0, false, " 0/3 "),
            (142, 7, false, "   7/142 "),
            (142, 142, false, " 142/142 "),
            (142, 142, true, " 142/142…"),
            (1_234, 99, false, "    99/1,234 "),
        ] {
            assert_eq!(count(length, position, is_open), expected);
        }
    }
}
