//! The opponent's board with the bot's conclusions.

use arena_sdk::{CellSet, Direction, Game, Mark, View};

/// The opponent's board with everything that follows from the hits and misses. Each cell is in one set, or is water.
pub struct Chart<const WORDS: usize> {
    /// The cells where a ship may still be: not shot at, and not known to be water.
    pub open: CellSet<WORDS>,
    /// The hits on ships that may be afloat.
    wounded: CellSet<WORDS>,
    /// The hits on ships that are sunk.
    sunk: CellSet<WORDS>,
    /// The lengths of the ships that may be afloat, longest first.
    afloat: Vec<u8>,
}

impl<const WORDS: usize> Chart<WORDS> {
    /// The chart for a view. `sunk` are the cells of ships that are also known to be sunk.
    pub fn new(game: &Game, view: &View, sunk: CellSet<WORDS>) -> Self {
        let hits: CellSet<WORDS> = view.attacks.set_of(Mark::Hit);
        let afloat = view.ships_remaining.as_ref().unwrap_or(&game.fleet).clone();

        let cells_of = |ships: &[u8]| ships.iter().copied().map(usize::from).sum::<usize>();
        // If the ships announced as sunk explain all hits, it does not matter which ship is where.
        let are_all_sunk = hits.len() + cells_of(&afloat) == cells_of(&game.fleet);
        let sunk = if are_all_sunk { hits } else { sunk };

        let mut chart = Self { open: view.attacks.set_of(Mark::Unknown), wounded: hits - sunk, sunk, afloat };
        if !game.may_touch {
            chart.rule_out_water();
            if view.ships_remaining.is_none() {
                chart.infer_sinkings();
            }
        }
        chart
    }

    /// The length of the shortest ship that may be left.
    pub fn shortest_afloat(&self) -> u8 {
        self.afloat.last().copied().unwrap_or(1)
    }

    /// The shots that may finish a wounded ship: at the ends of the lines of hits, otherwise beside any hit.
    pub fn finishing_shots(&self) -> CellSet<WORDS> {
        let ends =
            self.ends([Direction::East, Direction::West]) | self.ends([Direction::North, Direction::South]);
        if ends.is_empty() { self.wounded.edge_neighbours(self.open) } else { ends }
    }

    /// The open cells into which lines of two or more hits can grow, in these two opposite directions.
    fn ends(&self, directions: [Direction; 2]) -> CellSet<WORDS> {
        let [one, other] = directions;
        let beside = |cells: CellSet<WORDS>, within| cells.shift(one, within) | cells.shift(other, within);
        let in_line = beside(self.wounded, self.wounded);
        beside(in_line, self.open)
    }

    /// If ships may not touch: all cells around a sunk ship are water, and so are the cells at the corners of a hit.
    fn rule_out_water(&mut self) {
        self.open -= self.sunk.halo(self.open) | self.wounded.corner_neighbours(self.open);
    }

    /// If ships may not touch: a line of hits is sunk if it cannot grow, or is as long as the longest ship left.
    ///
    /// Each sunk ship rules out more water and leaves fewer ships, from which the next sinking may follow.
    fn infer_sinkings(&mut self) {
        while let Some(line) = self.closed_line().or_else(|| self.longest_line()) {
            self.wounded -= line;
            self.sunk |= line;
            if let Some(ship) = self.afloat.iter().position(|&length| usize::from(length) == line.len()) {
                self.afloat.remove(ship);
            }
            self.rule_out_water();
        }
    }

    /// A line of hits without an open cell beside it.
    fn closed_line(&self) -> Option<CellSet<WORDS>> {
        let growing = self.open.edge_neighbours(self.wounded).spread(self.wounded);
        self.line_of(self.wounded - growing)
    }

    /// A line of hits as long as the longest ship left.
    fn longest_line(&self) -> Option<CellSet<WORDS>> {
        let longest = *self.afloat.first()?;
        let ends =
            [Direction::East, Direction::South].map(|direction| self.wounded.anchors(longest, direction));
        self.line_of(ends[0] | ends[1])
    }

    /// The whole line of hits to which the first of these cells belongs.
    fn line_of(&self, cells: CellSet<WORDS>) -> Option<CellSet<WORDS>> {
        cells.first().map(|at| CellSet::of(at).spread(self.wounded))
    }
}
