//! The order of bots in a table.

use crate::tournament::Results;
use arena_league::Row;

/// The rows of the standings, best first: by share of points, then by wins, then in the order in which the bots were named.
/// Disqualified bots stand last.
pub fn ranked(results: &Results) -> Vec<&Row> {
    let mut rows = results.standings.ranked();
    last_if_disqualified(results, &mut rows);
    rows
}

/// Puts the rows of disqualified bots behind all others, and leaves the order otherwise as it is.
pub fn last_if_disqualified(results: &Results, rows: &mut [&Row]) {
    rows.sort_by_key(|row| is_disqualified(results, row.contestant));
}

/// True if this bot was disqualified.
pub fn is_disqualified(results: &Results, contestant: usize) -> bool {
    results.disqualified.iter().any(|out| out.contestant == contestant)
}
