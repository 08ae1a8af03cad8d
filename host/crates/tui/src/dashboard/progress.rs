//! The progress of a tournament: its numbers, and a bar.

use super::Model;
use crate::pen::{Pen, share};
use arena_pictures::text::{self, plain};
use arena_pictures::{Tone, piece};
use ratatui::layout::Rect;
use ratatui::widgets::LineGauge;
use std::time::Duration;

/// The progress of the tournament with or without its speed, for the right of the title.
pub(super) fn state(model: &Model, ends_in: Option<Duration>, has_speed: bool) -> String {
    let games = if model.games_planned == 1 { "game" } else { "games" };
    let of = format!(
        "{} of {} {games}",
        arena_text::grouped(model.games_done),
        arena_text::grouped(model.games_planned)
    );
    if model.is_over {
        let ends = ends_in.map_or_else(String::new, |left| format!(", ends in {} s", left.as_secs()));
        return format!("{of}, over{ends} ");
    }
    let speed = match model.games_per_second.filter(|_| has_speed) {
        Some(speed) if speed >= 10.0 => format!(", {} a second", arena_text::grouped(speed.round() as u64)),
        Some(speed) => format!(", {speed:.1} a second"),
        None => String::new(),
    };
    let left = model.time_left.map_or_else(String::new, |left| format!(", {} left", duration(left)));
    format!("{of}{speed}{left} ")
}

/// A time for display: `8 s`, `12 min`, `3 h 20 min`.
fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        // Rounded up, so that 1 min does not follow 100 s.
        seconds @ 100..6_000 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// Draws the progress as a bar and, below it, the tournament's note or this line about the workers.
pub(super) fn draw_progress(pen: &mut Pen<'_>, row: Rect, model: &Model, workers: Option<&str>) {
    let percent = share(model.games_done, model.games_planned, 100);
    let end = piece(format!("{percent:>3} % "), Tone::Faint);
    let [done, left] = [Tone::Good, Tone::Faint].map(|tone| pen.theme().style(tone));
    let ratio = model.games_done.min(model.games_planned) as f64 / model.games_planned.max(1) as f64;
    // Its label, which is empty, comes first, and then a space.
    let bar = LineGauge::default().label("").ratio(ratio).filled_style(done).unfilled_style(left);
    let bar = bar.filled_symbol("━").unfilled_symbol("─");
    pen.widget(bar, Rect { width: row.width.saturating_sub(7), ..row });
    pen.line_right(row, &[end]);
    let below = Rect { y: row.y + 1, ..row };
    if let Some(note) = &model.note {
        pen.line(below, &[piece(format!(" {}", plain(note)), Tone::Last)]);
    } else if let Some(line) = workers {
        let line = plain(line);
        let line = text::shortened(&line, usize::from(row.width).saturating_sub(1), &[", "]);
        pen.line(below, &[piece(format!(" {line}"), Tone::Faint)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_left_is_never_rounded_down() {
        for (seconds, expected) in [
            (0, "0 s"),
            (99, "99 s"),
            (100, "2 min"),
            (120, "2 min"),
            (5_999, "100 min"),
            (6_000, "1 h 40 min"),
        ] {
            assert_eq!(duration(Duration::from_secs(seconds)), expected);
        }
    }
}
