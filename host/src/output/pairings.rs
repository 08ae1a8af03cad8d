//! The table of pairings: head-to-head results of two bots each.

use super::StandingsOutput;
use super::table::points;
use arena_engine::{Rating, Row};
use arena_league::Pairing;
use arena_text::{Text, table};
use std::collections::HashMap;

/// A line for each bot and each one below it that it has met, in the order of the standings.
pub(super) fn text(report: &StandingsOutput<'_>) -> Text {
    let rows = report.ranking.rows();
    let rows = &rows[..report.top.unwrap_or(rows.len()).min(rows.len())];
    let pairings: HashMap<_, _> =
        report.ranking.ratings.pairings().map(|pairing| (pairing.contestants, pairing)).collect();
    let line = |row: &Row<'_>, other: &Row<'_>| {
        let two = [row.score.contestant, other.score.contestant];
        let pairing = pairings.get(&[two[0].min(two[1]), two[0].max(two[1])])?;
        Some(cells([row, other], pairing, pairing.contestants != two))
    };
    let lines = rows
        .iter()
        .enumerate()
        .flat_map(|(index, row)| rows[index + 1..].iter().filter_map(move |other| line(row, other)));
    let header = ["bot", "against", "points", "games", "elo", "±", "in seat 1", "in seat 2"];
    let note =
        "elo and ± are from these games only; points in a seat are the first bot's, from its games there";
    format!("\n{}\n\n{note}", table(&header, &[0, 1], lines)).into()
}

/// The cells of a line; the pairing may be from the other bot's side.
fn cells([row, other]: [&Row<'_>; 2], pairing: &Pairing, is_reversed: bool) -> Vec<String> {
    let [mut first, mut second] = pairing.seats.map(|seat| (seat.points(), seat.games));
    let mut difference = pairing.difference;
    if is_reversed {
        difference = difference.reversed();
        // The other bot's seat 2 is this one's seat 1.
        (first, second) = (second, first);
        [&mut first, &mut second].into_iter().for_each(|seat| seat.0.reverse());
    }
    let scored = [0, 1].map(|side| points(first.0[side] + second.0[side]));
    let in_seat = |(scored, games): ([f64; 2], u64)| format!("{} of {games}", points(scored[0]));
    let [value, error] = Rating::from(difference).cells();
    vec![
        row.bot.to_string(),
        other.bot.to_string(),
        scored.join(" - "),
        (first.1 + second.1).to_string(),
        value,
        error,
        in_seat(first),
        in_seat(second),
    ]
}
