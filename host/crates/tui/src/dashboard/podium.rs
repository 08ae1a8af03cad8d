//! The end of a tournament: the first three on a podium. The bars of a `BarChart` of ratatui have their labels below them.

use super::{Model, StandingsLine, model};
use crate::big::Letters;
use crate::pen::Pen;
use arena_pictures::Tone;
use arena_pictures::text::width;
use arena_text::counted;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The number of steps.
const STEPS: usize = 3;

/// The largest number of columns of a step. Chosen: three of them fill a wall of 200 columns with a margin.
const STEP_WIDTH_MAX: u16 = 56;

/// The largest number of rows of the lowest step. Chosen: three of them fill a wall of 60 rows.
const UNIT_MAX: u16 = 14;

/// The smallest numbers of columns and rows of a step with the games of its bot on it. Chosen: the text has air around it.
const RECORD_MIN: (u16, u16) = (34, 5);

/// The smallest number of rows of the lowest step for the numbers of the places to be large. Chosen: the games of a bot fit below.
const LARGE_PLACE_MIN: u16 = 7;

/// The smallest number of rows of the lowest step for the champion's name to be large. Chosen: the steps remain what is seen first.
const LARGE_NAME_MIN: u16 = 4;

/// The rows of a step: as many units as there are steps that are not higher.
const fn units(place: usize) -> u16 {
    (STEPS + 1).saturating_sub(place) as u16
}

/// The bots on the steps with their places, from the left: the second, the first, the third. Tied bots share a place. Of fewer bots, only
/// their steps are there.
fn steps(standings: &[StandingsLine]) -> Vec<(usize, &StandingsLine)> {
    let places = model::places(standings).into_iter().zip(standings);
    let stands = |(place, row): (Option<usize>, _)| place.map(|place| (place, row));
    let has_played = |(_, row): &(usize, &StandingsLine)| row.score.games > 0;
    let mut steps: Vec<_> = places.filter_map(stands).filter(has_played).take(STEPS).collect();
    if steps.len() > 1 {
        steps.swap(0, 1);
    }
    steps
}

/// Draws the first three on steps: the second on the left, the first in the middle, the third on the right.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    let step_width = ((area.width.saturating_sub(4)) / STEPS as u16).min(STEP_WIDTH_MAX);
    if step_width < 6 || area.height < 6 {
        return;
    }
    let steps = steps(&model.standings);
    let left = area.x + (area.width - steps.len() as u16 * step_width) / 2;
    // A step is at most as high as it is wide; a cell of a terminal is twice as high as wide. Above each step are some rows.
    let unit = |above: u16| {
        ((area.height.saturating_sub(above)) / units(1)).clamp(1, UNIT_MAX.min((step_width / 4).max(4)))
    };
    let large = Letters::ALL.into_iter().find(|letters| {
        let is_shown = !(pen.theme().is_ascii && *letters == Letters::Half);
        let columns =
            letters.columns(steps.iter().find(|(place, _)| *place == 1).map_or("", |(_, row)| &row.label));
        let fits = columns.is_some_and(|columns| columns < step_width.into());
        is_shown && fits && unit(2 + letters.rows()) >= LARGE_NAME_MIN
    });
    let above = 2 + large.map_or(0, Letters::rows);
    let unit = unit(above);
    let bottom =
        area.bottom() - (area.height - above.min(area.height - units(1) * unit) - units(1) * unit) / 2;
    for (column, (place, standing)) in (0..).zip(steps) {
        let (height, tone) =
            (units(place) * unit, [Tone::Last, Tone::Text, Tone::Faint][place.clamp(1, 3) - 1]);
        let step = Rect { x: left + column * step_width, y: bottom - height, width: step_width - 1, height };
        for y in step.y..step.bottom() {
            pen.text(step.x, y, step.width, &"█".repeat(step.width.into()), tone);
        }
        let middle = |pen: &mut Pen<'_>, y: u16, text: &str, tone: Tone| {
            let line = Line::from(pen.span(text, step.width.into(), tone)).centered();
            pen.widget(line, Rect { y, height: 1, ..step });
        };
        match large.and_then(|letters| Some((letters, letters.columns(&standing.label)?))) {
            Some((letters, columns)) if place == 1 && columns < step.width.into() => {
                let x = step.x + (step.width - columns as u16) / 2;
                letters.draw(pen, (x, step.y - 2 - letters.rows()), &standing.label, Tone::Strong, false);
            }
            _ => middle(pen, step.y - 2, &standing.label, Tone::Strong),
        }
        let points = standing.score.points();
        let score = counted(points, "point");
        let elo = standing.elo.as_ref().map(|elo| format!("{score}, elo {elo}"));
        let texts = [elo, Some(score), Some(points.to_string())];
        let fitting = texts.into_iter().flatten().find(|text| width(text) <= step.width.into());
        middle(pen, step.y - 1, &fitting.unwrap_or_default(), Tone::Text);
        let centre = step.y + (height - 1) / 2;
        let number = place.to_string();
        let columns = Letters::Half.columns(&number).unwrap_or_default() as u16;
        let is_large = !pen.theme().is_ascii && unit >= LARGE_PLACE_MIN && columns < step.width;
        if is_large {
            let x = step.x + (step.width - columns) / 2;
            Letters::Half.draw(pen, (x, centre - 1), &number, tone, true);
        } else {
            middle(pen, centre, &format!(" {number} "), Tone::Result);
        }
        if step.width >= RECORD_MIN.0 && step.height >= RECORD_MIN.1 {
            let score = &standing.score;
            let record = format!(" won {}, drawn {}, lost {} ", score.wins, score.draws, score.losses);
            middle(pen, centre + if is_large { 3 } else { 2 }, &record, Tone::Result);
        }
    }
}
