//! The opponent's board with the bot's conclusions.

use arena_sdk::{Coord, Direction, Game, Grid, Mark, View};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// Not shot at; there may be a ship.
    Open,
    /// Water, shot at or inferred.
    Water,
    /// A hit on a ship that may be afloat.
    Wounded,
    /// A hit on a ship that is sunk.
    Sunk,
}

/// The opponent's board with everything that follows from the hits and misses.
pub struct Chart {
    cells: Grid<Cell>,
    afloat: Vec<u8>,
}

impl Chart {
    /// The chart for a view. `sunk` are the cells of ships that are also known to be sunk.
    pub fn new(game: &Game, view: &View, sunk: &[Coord]) -> Self {
        let cells = Grid::from_fn(game.size, |at| match view.attacks[at] {
            Mark::Unknown => Cell::Open,
            Mark::Miss => Cell::Water,
            Mark::Hit if sunk.contains(&at) => Cell::Sunk,
            Mark::Hit => Cell::Wounded,
        });
        let afloat = view.ships_remaining.clone().unwrap_or_else(|| game.fleet.clone());
        let mut chart = Self { cells, afloat };

        let cells_of = |ships: &[u8]| ships.iter().copied().map(usize::from).sum::<usize>();
        if view.hits().count() == cells_of(&game.fleet) - cells_of(&chart.afloat) {
            // The ships announced as sunk explain all hits, so it does not matter which ship is where.
            view.hits().for_each(|at| chart.cells[at] = Cell::Sunk);
        }
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
        self.afloat.iter().copied().min().unwrap_or(1)
    }

    /// The cells where a ship may still be.
    pub fn open(&self) -> impl Iterator<Item = Coord> {
        self.cells.coords_of(Cell::Open)
    }

    /// The shots that may finish a wounded ship: at the ends of the lines of hits, otherwise beside any hit.
    pub fn finishing_shots(&self) -> Vec<Coord> {
        let ends: Vec<Coord> =
            self.lines().iter().filter(|line| line.len() > 1).flat_map(|line| self.ends(line)).collect();
        if ends.is_empty() { self.open().filter(|&at| self.is_beside_a_wound(at)).collect() } else { ends }
    }

    fn is_beside_a_wound(&self, at: Coord) -> bool {
        self.cells.edge_neighbours(at).any(|(_, &cell)| cell == Cell::Wounded)
    }

    /// If ships may not touch: marks all cells beside a sunk ship, and all cells at a corner of a hit, as water.
    fn rule_out_water(&mut self) {
        let size = self.cells.size();
        for (cell, corners_only) in [(Cell::Sunk, false), (Cell::Wounded, true)] {
            let hits: Vec<Coord> = self.cells.coords_of(cell).collect();
            for (at, near) in hits.into_iter().flat_map(|at| size.neighbours(at).map(move |near| (at, near)))
            {
                let at_corner = near.row != at.row && near.column != at.column;
                if self.cells[near] == Cell::Open && (at_corner || !corners_only) {
                    self.cells[near] = Cell::Water;
                }
            }
        }
    }

    /// If ships may not touch: marks each line of hits as sunk that cannot grow, or is as long as the longest ship
    /// left.
    ///
    /// Each sunk ship rules out more water and leaves fewer ships, from which the next sinking may follow.
    fn infer_sinkings(&mut self) {
        let is_sunk = |chart: &Self, line: &[Coord]| {
            chart.ends(line).is_empty()
                || chart.afloat.first().is_some_and(|&longest| usize::from(longest) == line.len())
        };
        while let Some(line) = self.lines().into_iter().find(|line| is_sunk(self, line)) {
            line.iter().for_each(|&at| self.cells[at] = Cell::Sunk);
            self.afloat.extract_if(.., |length| usize::from(*length) == line.len()).next();
            self.rule_out_water();
        }
    }

    /// The lines of wounded cells, each as long as possible. A cell without a wounded neighbour is a line of length 1.
    fn lines(&self) -> Vec<Vec<Coord>> {
        let mut lines = Vec::new();
        for start in self.cells.coords_of(Cell::Wounded) {
            if !self.is_beside_a_wound(start) {
                lines.push(vec![start]);
                continue;
            }
            for (back, onward) in [(Direction::West, Direction::East), (Direction::North, Direction::South)] {
                let is_first = self.wounded_steps(start, back).count() == 1;
                let line: Vec<Coord> = self.wounded_steps(start, onward).collect();
                if is_first && line.len() > 1 {
                    lines.push(line);
                }
            }
        }
        lines
    }

    /// The wounded cells from this cell on in a direction, up to the first cell that is not wounded.
    fn wounded_steps(&self, from: Coord, direction: Direction) -> impl Iterator<Item = Coord> {
        let size = self.cells.size();
        (0..)
            .map_while(move |steps| size.step(from, direction, steps))
            .take_while(|&at| self.cells[at] == Cell::Wounded)
    }

    /// The open cells into which a line can grow.
    fn ends(&self, line: &[Coord]) -> Vec<Coord> {
        let in_line = |at: Coord| {
            line.iter().all(|cell| cell.row == at.row) || line.iter().all(|cell| cell.column == at.column)
        };
        let beside = line.iter().flat_map(|&cell| self.cells.edge_neighbours(cell));
        beside.filter(|&(at, cell)| *cell == Cell::Open && in_line(at)).map(|(at, _)| at).collect()
    }
}
