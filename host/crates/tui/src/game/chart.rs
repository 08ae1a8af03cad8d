//! The chance to win over the turns, by a simple model, as a chart.
//!
//! The model is Pascal's and Fermat's problem of points: each next hit is equally likely to be either side's. A side that
//! needs `a` more hits than it has, against one that needs `b`, is first with the probability that of `a + b - 1` fair coins
//! at least `a` show heads. The model knows nothing of who aims better, and says so by its name on the screen.

use crate::OnScreen;
use crate::pen::{Pen, piece, row_of};
use crate::text::fit;
use crate::theme::Tone;
use crate::timeline::Timeline;
use arena_rules::{Outcome, Seat};
use ratatui::layout::Rect;

/// The bars of an eighth of a row each.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The probability that a side that needs `mine` more hits has them before the other has `theirs`. Both are at least 1, or
/// one of them is 0, which has won.
pub(crate) fn chance(mine: u32, theirs: u32) -> f64 {
    match (mine, theirs) {
        (0, 0) => return 0.5,
        (0, _) => return 1.0,
        (_, 0) => return 0.0,
        _ => {}
    }
    let coins = mine + theirs - 1;
    // The probability of each number of heads, from that of none. A fleet has 1,024 cells at most: the smallest power is
    // too small for a number, so the sum is taken in logarithms.
    let log_of_all = -f64::from(coins) * std::f64::consts::LN_2;
    let mut log_ways = 0.0_f64;
    let mut sum = 0.0;
    for heads in 0..=coins {
        if heads >= mine {
            sum += (log_ways + log_of_all).exp();
        }
        log_ways += f64::from(coins - heads).ln() - f64::from(heads + 1).ln();
    }
    sum.min(1.0)
}

/// The chance of a seat at a moment of a game, in hits needed and at its end.
pub(crate) fn chance_at<G: OnScreen>(moment: &crate::moment::Moment<G>, seat: Seat) -> f64 {
    match moment.replay.end() {
        Some((Outcome::Win(winner), _)) => return if winner == seat { 1.0 } else { 0.0 },
        Some(_) => return 0.5,
        None => {}
    }
    let left = |owner: Seat| {
        let (hit, all) = G::damage(moment, owner);
        all.saturating_sub(hit)
    };
    chance(left(seat.other()), left(seat))
}

/// Draws the chance of the side on the left, event by event up to a position, with its name and the model's.
pub(super) fn draw<G: OnScreen>(
    pen: &mut Pen<'_>,
    area: Rect,
    timeline: &Timeline<G>,
    position: usize,
    left: Seat,
) {
    let chances = timeline.chances(left, position);
    let now = chances.last().copied().unwrap_or(0.5);
    let name = fit(timeline.name(left), 24);
    let head = [
        piece(format!(" {name} {:.0} %", now * 100.0), Tone::Strong),
        piece("  chance by the problem of points: each next hit is anyone's", Tone::Faint),
    ];
    pen.line(row_of(area, 0), &head);
    let rows = area.height.saturating_sub(1);
    let columns = area.width.saturating_sub(2);
    if rows == 0 || columns == 0 {
        return;
    }
    // The whole game has the whole width: what is to come stays empty.
    let last = timeline.len().max(1);
    for column in 0..columns {
        let event = usize::from(column) * last / usize::from(columns.max(2) - 1);
        let Some(chance) = chances.get(event) else { break };
        let eighths = (chance * f64::from(rows) * 8.0).round() as u16;
        for row in 0..rows {
            let y = area.y + area.height - 1 - row;
            let filled = eighths.saturating_sub(row * 8).min(8);
            let tone = if *chance >= 0.5 { Tone::Good } else { Tone::Hit };
            let is_middle = rows > 2 && row == rows / 2 && filled == 0;
            let glyph = if is_middle { '·' } else { EIGHTHS[usize::from(filled)] };
            let tone = if is_middle { Tone::Faint } else { tone };
            pen.text(area.x + 1 + column, y, 1, glyph.encode_utf8(&mut [0; 4]), tone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mine: u32, theirs: u32, expected: f64) {
        assert!((chance(mine, theirs) - expected).abs() < 1e-9, "{mine} {theirs}: {}", chance(mine, theirs));
    }

    #[test]
    fn the_chance_is_that_of_the_problem_of_points() {
        check(1, 1, 0.5);
        // Pascal and Fermat's own case, of 1654: one player lacks 2 games, the other 3.
        check(2, 3, 11.0 / 16.0);
        check(3, 2, 5.0 / 16.0);
        check(1, 3, 7.0 / 8.0);
        check(20, 20, 0.5);
        check(1_000, 1_000, 0.5);
        check(0, 5, 1.0);
        check(5, 0, 0.0);
    }

    #[test]
    fn the_chances_of_both_sides_make_a_whole() {
        for mine in 1..30 {
            for theirs in 1..30 {
                check(mine, theirs, 1.0 - chance(theirs, mine));
            }
        }
    }
}
