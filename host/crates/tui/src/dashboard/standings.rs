//! The standings, with a bar for each bot.

use super::draw::share;
use super::{Standing, Trend};
use crate::pen::{Pen, Piece, piece, pieces_width, row_of};
use crate::text::{self, fit, plain};
use crate::theme::Tone;
use arena_league::Row;
use ratatui::layout::Rect;

/// The number of columns that a bot's label may take at the cost of the bars. Chosen: the longest label that the arena gives has 24
/// characters.
pub(super) const LABEL_WIDTH: usize = 24;

/// The smallest number of columns of a bar. Chosen: a shorter one shows no differences.
const BAR_WIDTH_MIN: usize = 6;

/// The number of columns from which on all figures are shown, and ratings with their intervals.
const WIDE_MIN: u16 = 100;

/// The columns of the standings, after the label. `elo` appears once a bot has a rating.
const HEADS: [&str; 7] = ["elo", "points", "games", "won", "drawn", "lost", "faults"];

/// Draws the standings from a row on. `trend` shows which bots have just climbed or fallen.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, standings: &[Standing], top: usize, trend: &Trend) {
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
    let taken = 5 + columns.iter().map(|(_, width)| width + 2).sum::<usize>();
    let columns_left = usize::from(area.width).saturating_sub(taken);
    let label_width = label_width.min(LABEL_WIDTH.max(columns_left / 2)).min(columns_left).max(6);
    let heads: String =
        columns.iter().map(|&(column, width)| format!("  {:>width$}", HEADS[column])).collect();
    pen.line(row_of(area, 0), &[piece(format!("     {:<label_width$}{heads}", "bot"), Tone::Faint)]);
    if top + room < standings.len() && area.height > 1 {
        let more = format!("{} more ↓", standings.len() - top - room);
        let head_end = 5 + label_width + text::width(&heads);
        let end = usize::from(area.width).saturating_sub(text::width(&more) + 1);
        // Without room after the heads, it is after that of the labels.
        let x = if end > head_end { end } else { 5 + "bot  ".len() };
        let row = row_of(area, 0);
        pen.text(row.x + x as u16, row.y, row.width.saturating_sub(x as u16), &more, Tone::Last);
    }
    let shown = standings.iter().zip(&lines).enumerate().skip(top).take(room);
    for (row, (number, (standing, line))) in (1..).zip(shown) {
        let row = row_of(area, row);
        let label = fit(&standing.label, label_width);
        let pad = " ".repeat(label_width.saturating_sub(text::width(&label)));
        let place = if standing.is_out {
            piece(" out", Tone::Fault)
        } else if standing.has_left {
            piece("left", Tone::Faint)
        } else {
            piece(format!("{:>4}", number + 1), Tone::Faint)
        };
        let label_tone = if standing.has_left { Tone::Faint } else { Tone::Strong };
        let trend = match trend.of(&standing.label) {
            Some(true) => piece("▲", Tone::Good),
            Some(false) => piece("▼", Tone::Hit),
            None => piece(" ", Tone::Text),
        };
        let mut pieces = vec![place, trend, piece(label, label_tone), piece(pad, Tone::Text)];
        for &(column, width) in &columns {
            let is_fault = HEADS[column] == "faults" && standing.score.faults > 0;
            let pad = " ".repeat(2 + width.saturating_sub(text::width(&line[column])));
            let tone = if is_fault { Tone::Fault } else { Tone::Text };
            pieces.push(piece(format!("{pad}{}", line[column]), tone));
        }
        let taken = pieces_width(&pieces);
        pieces.extend(share_bar(standing, usize::from(row.width).saturating_sub(taken)));
        pen.line(row, &pieces);
    }
}

/// The figures of a bot, by column.
fn figures(standing: &Standing, has_interval: bool) -> [String; 7] {
    let Row { games, wins, draws, losses, faults, .. } = &standing.score;
    let elo = plain(standing.elo.as_deref().unwrap_or("-")).into_owned();
    // The estimate comes before its interval: `120 ± 35`, `620 (+410 -180)`.
    let estimate = elo.split(" ±").next().and_then(|elo| elo.split(" (").next()).unwrap_or_default();
    let elo = if has_interval { fit(&elo, 16) } else { fit(estimate, 8) };
    let points = points(standing.score.half_points());
    let counts = [games, wins, draws, losses, faults].map(u32::to_string);
    let [games, wins, draws, losses, faults] = counts;
    [elo, points, games, wins, draws, losses, faults]
}

/// The share of the points as a bar with a number, as far as there is room: the number alone without room for a bar.
fn share_bar<'a>(standing: &Standing, room: usize) -> Vec<Piece<'a>> {
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

/// Points with a half as a half: `7` or `7.5`.
pub(super) fn points(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", half_points / 2)
}
