//! The end of a tournament: the first three on a podium.

use super::Model;
use super::standings::points;
use crate::pen::{Pen, piece};
use crate::text::{fit, width};
use crate::theme::Tone;
use ratatui::layout::Rect;

/// The largest number of columns of a step. Chosen: a label of 24 characters fits.
const STEP_WIDTH_MAX: u16 = 28;

/// The largest number of rows of the lowest step. Chosen: higher ones look like towers.
const UNIT_MAX: u16 = 7;

/// Draws the first three on steps: the second on the left, the first in the middle, the third on the right.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let step_width = ((area.width.saturating_sub(4)) / 3).min(STEP_WIDTH_MAX);
    if step_width < 6 || area.height < 6 {
        return;
    }
    let left = area.x + (area.width - 3 * step_width) / 2;
    // Above each step are the label and its points.
    let unit = ((area.height - 2) / 3).clamp(1, UNIT_MAX);
    let bottom = area.bottom() - (area.height - 2 - 3 * unit) / 2;
    let places = [(1, 2 * unit, Tone::Text), (0, 3 * unit, Tone::Last), (2, unit, Tone::Hit)];
    for (column, (place, height, tone)) in (0..).zip(places) {
        let standing =
            model.standings.get(place).filter(|standing| standing.score.games > 0 && !standing.is_out);
        let Some(standing) = standing else { continue };
        let step = Rect { x: left + column * step_width, y: bottom - height, width: step_width - 1, height };
        for y in step.y..step.bottom() {
            pen.text(step.x, y, step.width, &"█".repeat(step.width.into()), tone);
        }
        let middle = |pen: &mut Pen<'_>, y: u16, text: &str, tone: Tone| {
            let text = fit(text, step.width.into());
            let indent = (usize::from(step.width) - width(&text)) / 2;
            let line = Rect { x: step.x + indent as u16, y, width: step.width - indent as u16, height: 1 };
            pen.line(line, &[piece(text, tone)]);
        };
        middle(pen, step.y - 2, &standing.label, Tone::Strong);
        let score = format!("{} points", points(standing.score.half_points()));
        let elo = standing.elo.as_ref().map(|elo| format!("{score}, elo {elo}"));
        let score = elo.filter(|both| width(both) <= step.width.into()).unwrap_or(score);
        middle(pen, step.y - 1, &score, Tone::Text);
        middle(pen, step.y + (height - 1) / 2, &format!(" {} ", place + 1), Tone::Result);
    }
}
