//! The end of a tournament: the first three on a podium. The bars of a `BarChart` of ratatui have their labels below them.

use super::Model;
use crate::pen::Pen;
use arena_pictures::Tone;
use arena_pictures::text::width;
use arena_text::counted;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The largest number of columns of a step. Chosen: three of them fill a wall of 200 columns with a margin.
const STEP_WIDTH_MAX: u16 = 56;

/// The largest number of rows of the lowest step. Chosen: three of them fill a wall of 60 rows.
const UNIT_MAX: u16 = 14;

/// The smallest numbers of columns and rows of a step with the games of its bot on it. Chosen: the text has air around it.
const RECORD_MIN: (u16, u16) = (34, 5);

/// Draws the first three on steps: the second on the left, the first in the middle, the third on the right.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let step_width = ((area.width.saturating_sub(4)) / 3).min(STEP_WIDTH_MAX);
    if step_width < 6 || area.height < 6 {
        return;
    }
    let left = area.x + (area.width - 3 * step_width) / 2;
    // Above each step are the label and its points.
    // A step is at most as high as it is wide; a cell of a terminal is twice as high as wide.
    let unit = ((area.height - 2) / 3).clamp(1, UNIT_MAX.min((step_width / 4).max(4)));
    let bottom = area.bottom() - (area.height - 2 - 3 * unit) / 2;
    let standings: Vec<_> = (model.standings.iter().enumerate())
        .filter(|(_, standing)| standing.score.games > 0 && !standing.is_out && !standing.has_left)
        .take(3)
        .collect();
    let places = [(1, 2 * unit, Tone::Text), (0, 3 * unit, Tone::Last), (2, unit, Tone::Faint)];
    for (column, (place, height, tone)) in (0..).zip(places) {
        let Some(&(number, standing)) = standings.get(place) else { continue };
        let step = Rect { x: left + column * step_width, y: bottom - height, width: step_width - 1, height };
        for y in step.y..step.bottom() {
            pen.text(step.x, y, step.width, &"█".repeat(step.width.into()), tone);
        }
        let middle = |pen: &mut Pen<'_>, y: u16, text: &str, tone: Tone| {
            let line = Line::from(pen.span(text, step.width.into(), tone)).centered();
            pen.widget(line, Rect { y, height: 1, ..step });
        };
        middle(pen, step.y - 2, &standing.label, Tone::Strong);
        let points = standing.score.points();
        let score = counted(points, "point");
        let elo = standing.elo.as_ref().map(|elo| format!("{score}, elo {elo}"));
        let texts = [elo, Some(score), Some(points.to_string())];
        let fitting = texts.into_iter().flatten().find(|text| width(text) <= step.width.into());
        middle(pen, step.y - 1, &fitting.unwrap_or_default(), Tone::Text);
        let centre = step.y + (height - 1) / 2;
        middle(pen, centre, &format!(" {} ", number + 1), Tone::Result);
        if step.width >= RECORD_MIN.0 && step.height >= RECORD_MIN.1 {
            let score = &standing.score;
            let record = format!(" won {}, drawn {}, lost {} ", score.wins, score.draws, score.losses);
            middle(pen, centre + 2, &record, Tone::Result);
        }
    }
}
