//! Lines of hits: those that are sunk ships, and the shots that make the others longer.

use arena_sdk::battleship::Chart;
use arena_sdk::{CellSet, Direction};

/// Marks the lines of hits that are sunk ships, if ships may not touch: those that cannot grow, and those as long as the longest
/// ship left.
///
/// Each sunk ship rules out more water and leaves fewer ships, from which the next sinking may follow.
pub fn infer_sinkings<const WORDS: usize>(chart: &mut Chart<WORDS>) {
    while let Some(line) = closed_line(chart).or_else(|| longest_line(chart)) {
        chart.sink(line);
    }
}

/// A line of hits without an open cell next to it.
fn closed_line<const WORDS: usize>(chart: &Chart<WORDS>) -> Option<CellSet<WORDS>> {
    let growing = chart.open.edge_neighbours(chart.wounded).spread(chart.wounded);
    line_of(chart.wounded - growing, chart)
}

/// A line of hits as long as the longest ship left.
fn longest_line<const WORDS: usize>(chart: &Chart<WORDS>) -> Option<CellSet<WORDS>> {
    let longest = *chart.afloat.first()?;
    let [eastward, southward] =
        [Direction::East, Direction::South].map(|direction| chart.wounded.anchors(longest, direction));
    line_of(eastward | southward, chart)
}

/// The whole line of hits to which the first of these cells belongs.
fn line_of<const WORDS: usize>(cells: CellSet<WORDS>, chart: &Chart<WORDS>) -> Option<CellSet<WORDS>> {
    cells.first().map(|at| CellSet::of(at).spread(chart.wounded))
}

/// The shots that may finish a wounded ship: at the ends of the lines of hits, otherwise next to any hit.
pub fn finishing_shots<const WORDS: usize>(chart: &Chart<WORDS>) -> CellSet<WORDS> {
    let ends = ends(chart, Direction::East) | ends(chart, Direction::South);
    if ends.is_empty() { chart.wounded.edge_neighbours(chart.open) } else { ends }
}

/// The open cells into which lines of two or more hits can grow, in this direction and back.
fn ends<const WORDS: usize>(chart: &Chart<WORDS>, direction: Direction) -> CellSet<WORDS> {
    let beside = |cells: CellSet<WORDS>, within| {
        cells.shift(direction, within) | cells.shift(direction.opposite(), within)
    };
    let in_line = beside(chart.wounded, chart.wounded);
    beside(in_line, chart.open)
}
