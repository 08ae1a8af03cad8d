//! The heat of each cell: a measure of the chance that a ship lies there.

use arena_sdk::battleship::Chart;
use arena_sdk::{CellSet, Game, Grid};

/// The factor by which each hit that a way covers counts more. Measured: with 5 and 20, the mean numbers of shots are the same.
const HIT_FACTOR: f64 = 10.0;

/// A game with what is known about the opponent's ships.
pub struct Position<'a, const WORDS: usize> {
    game: &'a Game,
    pub chart: Chart<WORDS>,
}

impl<'a, const WORDS: usize> Position<'a, WORDS> {
    /// The position of a chart. Where sinkings are not announced and ships may not touch, the ships that must be sunk are inferred.
    pub fn new(game: &'a Game, chart: Chart<WORDS>) -> Self {
        let mut position = Self { game, chart };
        if !game.may_touch && !game.sinkings_announced {
            // Each sunk ship leaves fewer cells and fewer ships, from which the next sinking may follow.
            while let Some(ship) = position.sunk_ship() {
                position.chart.sink(ship);
            }
        }
        position
    }

    /// A line of hits over which no longer ship can lie. Ships that may not touch are such lines.
    fn sunk_ship(&self) -> Option<CellSet<WORDS>> {
        let mut hits = self.chart.wounded;
        while let Some(at) = hits.first() {
            let line = CellSet::of(at).spread(hits);
            let mut longer = self.chart.afloat.iter().filter(|&&length| usize::from(length) > line.len());
            if longer.all(|&length| self.ways_over(line, length).next().is_none()) {
                return Some(line);
            }
            hits -= line;
        }
        None
    }

    /// The heat of each open cell: the sum of the weights of all ways in which the ships left can lie there. That of other cells
    /// is 0.
    pub fn heat(&self) -> Grid<f64> {
        let mut heat = Grid::filled(self.game.size, 0.0);
        for ships in self.chart.afloat.chunk_by(|one, other| one == other) {
            let (length, count) = (ships[0], ships.len() as f64);
            for way in self.ways_beside_hits(length) {
                way.iter().for_each(|at| heat[at] += count);
            }
            for way in self.ways_over(self.chart.wounded, length) {
                let hits = (way & self.chart.wounded).len();
                let weight = count * HIT_FACTOR.powi(hits as i32);
                (way - self.chart.wounded).iter().for_each(|at| heat[at] += weight);
            }
        }
        heat
    }

    /// The ways in which a ship of this length can lie and cover no hit.
    fn ways_beside_hits(&self, length: u8) -> impl Iterator<Item = CellSet<WORDS>> {
        let Chart { open, wounded, .. } = self.chart;
        let free = if self.game.may_touch { open } else { open - wounded.halo(open) };
        free.ways(length)
    }

    /// The ways in which a ship of this length can lie and cover one of these hits.
    fn ways_over(&self, hits: CellSet<WORDS>, length: u8) -> impl Iterator<Item = CellSet<WORDS>> {
        let Chart { open, wounded, .. } = self.chart;
        // Only cells within the ship's length are checked, and these are few.
        let reach = (1..length).fold(hits, |reach, _| reach | reach.edge_neighbours(open | wounded));
        // A ship that is hit everywhere would be announced; one that touches another hit is not legal.
        let (announced, may_touch) = (self.game.sinkings_announced, self.game.may_touch);
        reach.ways(length).filter(move |way| {
            let is_sunk = announced && way.is_subset(wounded);
            let is_legal = may_touch || way.halo(wounded).is_subset(*way);
            !way.is_disjoint(hits) && !is_sunk && is_legal
        })
    }
}
