//! The standings, with a bar for each bot.

use super::{StandingsLine, Trend, model};
use crate::pen::{Pen, part_right, pieces_width, row_of, share};
use crate::table::{self, Column};
use arena_league::Row;
use arena_pictures::text::{self, fit, plain};
use arena_pictures::{Piece, Tone, piece};
use ratatui::layout::Rect;

/// The number of columns that a bot's label may take at the cost of the bars. Chosen: the longest label that the arena gives has 24
/// characters.
pub(super) const LABEL_WIDTH: usize = 24;

/// The columns of a bot's place and of the sign of its trend.
const PLACE_WIDTH: usize = 5;

/// The smallest number of columns of a bar. Chosen: a shorter one shows no differences.
const BAR_WIDTH_MIN: usize = 6;

/// The number of columns from which on all figures are shown, and ratings with their intervals.
const WIDE_MIN: u16 = 100;

/// The columns of the standings, after the label. `elo` appears once a bot has a rating.
const HEADS: [&str; 7] = ["elo", "points", "games", "won", "drawn", "lost", "faults"];

/// Draws the standings from a row on. `trend` shows which bots have just climbed or fallen.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, standings: &[StandingsLine], top: usize, trend: &Trend) {
    let room = usize::from(area.height.saturating_sub(1));
    let top = top.min(standings.len().saturating_sub(room));
    let has_elo = standings.iter().any(|row| row.elo.is_some());
    let is_wide = area.width >= WIDE_MIN;
    // On a narrow screen, the number of games gives way to the rating: it is the sum of three others.
    let is_shown = |head: &str| match head {
        "elo" => has_elo,
        "games" => is_wide || !has_elo,
        _ => true,
    };
    let lines: Vec<[String; 7]> = standings.iter().map(|row| figures(row, is_wide)).collect();
    let label_width = standings.iter().map(|row| text::width(&plain(&row.label))).max().unwrap_or(0);
    // Each column is as wide as its widest entry, even if scrolled away, so that columns do not jump.
    let columns: Vec<(usize, usize)> = (0..HEADS.len())
        .filter(|&column| is_shown(HEADS[column]))
        .map(|column| {
            let widest = lines.iter().map(|line| text::width(&line[column])).max().unwrap_or(0);
            (column, widest.max(HEADS[column].len()))
        })
        .collect();
    // If not everything fits, labels are cut rather than numbers.
    let figures_width = columns.iter().map(|(_, width)| width + 2).sum::<usize>();
    let columns_left = usize::from(area.width).saturating_sub(PLACE_WIDTH + figures_width);
    let label_width = label_width.min(LABEL_WIDTH.max(columns_left / 2)).min(columns_left).max(6);
    let mut heads = vec![Column::left("bot", label_width)];
    heads.extend(columns.iter().map(|&(column, width)| Column::right(HEADS[column], width)));
    let cells = |(standing, line): (&StandingsLine, &[String; 7])| {
        let tone = if standing.has_left { Tone::Faint } else { Tone::Strong };
        let figure = |&(column, _): &(usize, usize)| {
            let is_fault = HEADS[column] == "faults" && standing.score.faults > 0;
            piece(line[column].clone(), if is_fault { Tone::Fault } else { Tone::Text })
        };
        let label = piece(standing.label.clone(), tone);
        std::iter::once(label).chain(columns.iter().map(figure)).collect()
    };
    let rows = standings.iter().zip(&lines).skip(top).take(room).map(cells);
    table::draw(pen, part_right(area, PLACE_WIDTH), 2, &heads, rows);
    let end = PLACE_WIDTH + label_width + figures_width;
    if top + room < standings.len() && area.height > 1 {
        let more = piece(format!("{} more ↓", standings.len() - top - room), Tone::Last);
        let from_end = usize::from(area.width).saturating_sub(pieces_width(std::slice::from_ref(&more)) + 1);
        // Without room after the heads, it is after that of the labels.
        let x = if from_end > end { from_end } else { PLACE_WIDTH + "bot  ".len() };
        pen.line(part_right(row_of(area, 0), x), &[more]);
    }
    let places = model::places(standings);
    for (row, (place, standing)) in (1..).zip(places.into_iter().zip(standings).skip(top).take(room)) {
        let row = row_of(area, row);
        let place = match standing {
            StandingsLine { is_out: true, .. } => piece(" out", Tone::Fault),
            StandingsLine { has_left: true, .. } => piece("left", Tone::Faint),
            _ => piece(format!("{:>4}", place.unwrap_or_default()), Tone::Faint),
        };
        let trend = match trend.of(&standing.label) {
            Some(true) => piece("▲", Tone::Good),
            Some(false) => piece("▼", Tone::Hit),
            None => piece(" ", Tone::Text),
        };
        pen.line(row, &[place, trend]);
        let bar = part_right(row, end);
        pen.line(bar, &share_bar(standing, bar.width.into()));
    }
}

/// The figures of a bot, by column.
fn figures(standing: &StandingsLine, has_interval: bool) -> [String; 7] {
    let Row { games, wins, draws, losses, faults, .. } = &standing.score;
    let elo = plain(standing.elo.as_deref().unwrap_or("-")).into_owned();
    // The estimate comes before its interval: `120 ± 35`, `620 (+410 -180)`.
    let estimate = elo.split(" ±").next().and_then(|elo| elo.split(" (").next()).unwrap_or_default();
    let elo = if has_interval { fit(&elo, 16) } else { fit(estimate, 8) };
    let points = standing.score.points().to_string();
    let counts = [games, wins, draws, losses, faults].map(u32::to_string);
    let [games, wins, draws, losses, faults] = counts;
    [elo, points, games, wins, draws, losses, faults]
}

/// The share of the points as a bar with a number, as far as there is room: the number alone without room for a bar.
fn share_bar<'a>(standing: &StandingsLine, room: usize) -> Vec<Piece<'a>> {
    /// `100.0 %` after two spaces.
    const NUMBER_WIDTH: usize = 9;
    let Some(share_per_mille) = standing.share_per_mille() else { return Vec::new() };
    let Some(room) = room.checked_sub(NUMBER_WIDTH) else { return Vec::new() };
    let number = format!("{}.{} %", share_per_mille / 10, share_per_mille % 10);
    // Two spaces before the bar, and one at the end of the line instead of the second before the number.
    let Some(room) = room.checked_sub(2).filter(|&room| room >= BAR_WIDTH_MIN) else {
        return vec![piece(format!("  {number:>7}"), Tone::Text)];
    };
    // Chosen: a longer bar is no clearer.
    let room = room.min(60);
    let cells = share(share_per_mille, 1_000, room);
    vec![
        piece("  ", Tone::Text),
        piece("█".repeat(cells), Tone::Good),
        piece("·".repeat(room - cells), Tone::Faint),
        piece(format!(" {number:>7} "), Tone::Text),
    ]
}
