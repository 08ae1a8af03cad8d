//! The chance to win over the turns, by a simple model, as a chart.

use crate::on_screen::OnScreen;
use crate::pen::{Pen, part_below, pieces_width, row_from_end, row_of};
use arena_pictures::text::fit;
use arena_pictures::{Piece, Timeline, Tone, piece, sentences};
use arena_rules::{Outcome, Seat};
use ratatui::layout::Rect;
use ratatui::widgets::{Sparkline, SparklineBar};

/// The heading of the chart: the chance of a side at a moment, with the model's assumption, and what can be left out.
fn heading<'a, G: OnScreen>(timeline: &Timeline<G>, position: usize, side: Seat, now: f64) -> [Piece<'a>; 2] {
    let name = fit(timeline.name(side), 24);
    let end = timeline.end().filter(|_| position == timeline.len());
    if let Some((outcome, _)) = end {
        let result = match outcome {
            Outcome::Win(winner) if winner == side => format!(" {name} has won"),
            Outcome::Win(_) => format!(" {name} has lost"),
            Outcome::Draw | Outcome::NoContest => format!(" {}", sentences::result(timeline, outcome)),
        };
        return [piece(result, Tone::Strong), piece("  how its chance to win changed", Tone::Faint)];
    }
    // While the other side can win, the chance is not certain.
    let percent = (now * 100.0).clamp(1.0, 99.0);
    [
        piece(format!(" {percent:.0} % for {name} if both hit equally often"), Tone::Strong),
        piece(" from now on", Tone::Faint),
    ]
}

/// Draws the chance of the side on the left, event by event up to a position, with its name and the model's.
pub(super) fn draw<G: OnScreen>(
    pen: &mut Pen<'_>,
    area: Rect,
    timeline: &Timeline<G>,
    position: usize,
    left: Seat,
) {
    let chances: Vec<f64> = timeline.chances().of(left, position).collect();
    let now = chances.last().copied().unwrap_or(0.5);
    let head = heading(timeline, position, left, now);
    // What does not fit is left out rather than cut.
    let count = (0..=2).rev().find(|&count| pieces_width(&head[..count]) <= area.width.into()).unwrap_or(0);
    pen.line(row_of(area, 0), &head[..count]);
    let area = part_below(Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }, 1);
    // The whole game has the whole width: of the future part there is only the middle line, up to the end of the game.
    let last = timeline.len().max(1);
    let bar = |column: u16| {
        let event = usize::from(column) * last / usize::from(area.width.max(2) - 1);
        let chance = chances.get(event).copied().unwrap_or(0.0);
        let tone = if chance >= 0.5 { Tone::Good } else { Tone::Hit };
        SparklineBar::from((chance * 1_000.0).round() as u64).style(pen.theme().style(tone))
    };
    let bars: Vec<SparklineBar> = (0..area.width).map(bar).collect();
    pen.widget(Sparkline::default().data(bars).max(1_000), area);
    if area.height > 2 {
        pen.dots(row_from_end(area, area.height / 2));
    }
}
