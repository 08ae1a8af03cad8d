//! Fleets: the check that one is legal, and the search for one.

use super::free_cells::{FreeCells, with_free_cells};
use crate::{Coord, Direction, Placement, Size};

/// The number of placements that [`FleetSpec::placeable`] tries before it gives up. Chosen: about a second of work.
const SEARCH_STEPS_MAX: u32 = 2_000_000;

/// The specification of a legal fleet: the part of the rules that placing depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetSpec {
    /// The board.
    pub size: Size,
    /// The length of each ship, in the order in which they are placed.
    pub lengths: Vec<u8>,
    /// True if ships may lie side by side, or corner to corner.
    pub may_touch: bool,
}

/// The answer to the question whether a legal fleet exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placeable {
    /// A legal fleet, as an example.
    Yes(Fleet),
    /// There is no legal fleet: the whole space was searched, or an area bound excludes one.
    No,
    /// The bounded search ended without an answer.
    Unknown,
}

/// A ship that lies on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ship {
    placement: Placement,
    length: u8,
}

impl Ship {
    /// Its length in cells.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Its cells, from the anchor onwards.
    pub fn cells(&self) -> impl Iterator<Item = Coord> + use<> {
        let Placement { anchor: Coord { row, column }, direction } = self.placement;
        // No sum overflows: the ship is on the board.
        (0..self.length).map(move |steps| match direction {
            Direction::North => Coord::new(row - steps, column),
            Direction::East => Coord::new(row, column + steps),
            Direction::South => Coord::new(row + steps, column),
            Direction::West => Coord::new(row, column - steps),
        })
    }
}

/// A legal fleet. Every `Fleet` is legal, because all constructors check it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    size: Size,
    placements: Vec<Placement>,
    ships: Vec<Ship>,
    ship_at: Vec<Option<u8>>,
}

/// The reason why a deployment is not legal. Ships are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FleetError {
    /// Too few or too many ships.
    #[error("the number of ships placed is {got}, but the fleet has {expected}")]
    WrongCount {
        /// The number of ships in the fleet.
        expected: usize,
        /// The number of placements given.
        got: usize,
    },
    /// A part of a ship is off the board.
    #[error("ship {ship} (length {length}) from {} {} leaves the board", .placement.anchor, heading(.placement.direction))]
    OffBoard {
        /// The number of the ship.
        ship: usize,
        /// The length of the ship.
        length: u8,
        /// The placement of the ship.
        placement: Placement,
    },
    /// Two ships share a cell.
    #[error("ships {other} and {ship} overlap at {at}")]
    Overlap {
        /// The later ship.
        ship: usize,
        /// The earlier ship.
        other: usize,
        /// A shared cell.
        at: Coord,
    },
    /// Two ships touch, and these rules do not allow that.
    #[error("ships {other} and {ship} touch at {at}")]
    Touch {
        /// The later ship.
        ship: usize,
        /// The earlier ship.
        other: usize,
        /// A cell of the later ship with a neighbour in the earlier.
        at: Coord,
    },
}

fn heading(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "northwards",
        Direction::East => "eastwards",
        Direction::South => "southwards",
        Direction::West => "westwards",
    }
}

impl FleetSpec {
    /// All ways in which a ship of a length can lie on the empty board: eastwards ones first, row by row, then southwards
    /// ones.
    ///
    /// A ship of length 1 has one way to lie on a cell, not two.
    pub fn ways(&self, length: u8) -> impl Iterator<Item = Placement> {
        (0..self.way_count(length)).map(move |index| self.way(length, index))
    }

    fn eastward_count(&self, length: u8) -> usize {
        usize::from(self.size.height) * (usize::from(self.size.width) + 1).saturating_sub(usize::from(length))
    }

    fn southward_count(&self, length: u8) -> usize {
        usize::from(self.size.width) * (usize::from(self.size.height) + 1).saturating_sub(usize::from(length))
    }

    /// The number of [`Self::ways`].
    pub(super) fn way_count(&self, length: u8) -> usize {
        match length {
            0 => 0,
            1 => self.eastward_count(length),
            _ => self.eastward_count(length) + self.southward_count(length),
        }
    }

    /// The way at an index of [`Self::ways`].
    pub(super) fn way(&self, length: u8, index: usize) -> Placement {
        let eastward = self.eastward_count(length);
        if index < eastward {
            let columns = usize::from(self.size.width) + 1 - usize::from(length);
            Placement::new(Coord::new((index / columns) as u8, (index % columns) as u8), Direction::East)
        } else {
            let (index, columns) = (index - eastward, usize::from(self.size.width));
            Placement::new(Coord::new((index / columns) as u8, (index % columns) as u8), Direction::South)
        }
    }

    /// Finds out if a legal fleet exists, by a bounded search in order.
    ///
    /// An area bound excludes most impossible fleets at once. Ships that may not touch, extended by one cell to the right
    /// and below, are rectangles of 2 by length + 1 that may not overlap on a board extended in the same way.
    pub fn placeable(&self) -> Placeable {
        let ships: usize = self.lengths.iter().map(|&length| usize::from(length)).sum();
        let fits = if self.may_touch {
            ships <= self.size.cells()
        } else {
            let grown = (usize::from(self.size.width) + 1) * (usize::from(self.size.height) + 1);
            2 * (ships + self.lengths.len()) <= grown
        };
        if !fits || self.lengths.iter().any(|&length| self.way_count(length) == 0) {
            return Placeable::No;
        }
        // Longest first, so that a search that must fail fails early.
        let mut order: Vec<usize> = (0..self.lengths.len()).collect();
        order.sort_by_key(|&ship| std::cmp::Reverse(self.lengths[ship]));
        let mut search =
            Search { spec: self, order: &order, chosen: Vec::new(), steps_left: SEARCH_STEPS_MAX };
        match with_free_cells!(self, |free_cells| search.descend(free_cells)).flatten() {
            Some(true) => {
                let mut placements = vec![Placement::new(Coord::new(0, 0), Direction::East); order.len()];
                for (&ship, &way) in order.iter().zip(&search.chosen) {
                    placements[ship] = self.way(self.lengths[ship], way);
                }
                Placeable::Yes(Fleet::parse(self, &placements).expect("the search keeps to the rules"))
            }
            Some(false) => Placeable::No,
            None => Placeable::Unknown,
        }
    }
}

/// A depth-first search for one legal fleet.
struct Search<'a> {
    spec: &'a FleetSpec,
    order: &'a [usize],
    chosen: Vec<usize>,
    steps_left: u32,
}

impl Search<'_> {
    /// Returns true if a fleet was found; `None` when the steps ran out.
    fn descend<const WORDS: usize>(&mut self, free_cells: &FreeCells<WORDS>) -> Option<bool> {
        let depth = self.chosen.len();
        let Some(&ship) = self.order.get(depth) else { return Some(true) };
        let length = self.spec.lengths[ship];
        // Ships of the same length are interchangeable, so they are laid in one order only.
        let first = match depth.checked_sub(1) {
            Some(before) if self.spec.lengths[self.order[before]] == length => self.chosen[before] + 1,
            _ => 0,
        };
        for index in first..self.spec.way_count(length) {
            self.steps_left = self.steps_left.checked_sub(1)?;
            let way = self.spec.way(length, index);
            if !free_cells.is_free(way, length) {
                continue;
            }
            let mut next = *free_cells;
            next.lay(way, length);
            self.chosen.push(index);
            if self.descend(&next)? {
                return Some(true);
            }
            self.chosen.pop();
        }
        Some(false)
    }
}

impl Fleet {
    /// Checks a deployment: one placement for each length of the fleet, in that order.
    ///
    /// # Errors
    /// The first problem: the number of ships, then those of each ship in order.
    pub fn parse(spec: &FleetSpec, placements: &[Placement]) -> Result<Self, FleetError> {
        if placements.len() != spec.lengths.len() {
            return Err(FleetError::WrongCount { expected: spec.lengths.len(), got: placements.len() });
        }
        let mut fleet = Self {
            size: spec.size,
            placements: placements.to_vec(),
            ships: Vec::with_capacity(placements.len()),
            ship_at: vec![None; spec.size.cells()],
        };
        for (index, (&placement, &length)) in placements.iter().zip(&spec.lengths).enumerate() {
            let ship = Ship { placement, length };
            fleet.check(spec, index, ship)?;
            for at in ship.cells() {
                if let Some(cell) = spec.size.index(at) {
                    // A fleet has at most SHIPS_MAX ships, so the index fits.
                    fleet.ship_at[cell] = Some(index as u8);
                }
            }
            fleet.ships.push(ship);
        }
        Ok(fleet)
    }

    /// Checks the next ship against those before it.
    fn check(&self, spec: &FleetSpec, index: usize, ship: Ship) -> Result<(), FleetError> {
        let Ship { placement, length } = ship;
        let Placement { anchor, direction } = placement;
        let end = spec.size.step(anchor, direction, length.saturating_sub(1));
        let Some(end) = end.filter(|_| spec.size.contains(anchor)) else {
            return Err(FleetError::OffBoard { ship: index + 1, length, placement });
        };
        if self.is_clear(spec, anchor, end) {
            return Ok(());
        }
        if let Some((at, other)) = ship.cells().find_map(|at| Some((at, self.ship_index(at)?))) {
            return Err(FleetError::Overlap { ship: index + 1, other: other + 1, at });
        }
        let touched = |at: Coord| spec.size.neighbours(at).find_map(|neighbour| self.ship_index(neighbour));
        match ship.cells().find_map(|at| Some((at, touched(at)?))) {
            Some((at, other)) => Err(FleetError::Touch { ship: index + 1, other: other + 1, at }),
            None => Ok(()),
        }
    }

    /// Returns true if the cells from one to another of a row or column have no ship yet, and neither do those around them if
    /// ships may not touch.
    fn is_clear(&self, spec: &FleetSpec, one: Coord, other: Coord) -> bool {
        let margin = usize::from(!spec.may_touch);
        let span = |one: u8, other: u8, side: u8| {
            let first = usize::from(one.min(other)).saturating_sub(margin);
            first..(usize::from(one.max(other)) + margin + 1).min(side.into())
        };
        let columns = span(one.column, other.column, spec.size.width);
        span(one.row, other.row, spec.size.height).all(|row| {
            let row = row * usize::from(spec.size.width);
            self.ship_at[row + columns.start..row + columns.end].iter().all(Option::is_none)
        })
    }

    /// The size of its board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Its ships, in the order of placing.
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// The placement of each ship, in the form in which bots answer and recordings store it.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The index of the ship on a cell; `None` when there is no ship.
    pub fn ship_index(&self, at: Coord) -> Option<usize> {
        self.ship_at[self.size.index(at)?].map(usize::from)
    }

    /// True for each cell with a ship on it, row by row from the top left.
    pub(super) fn covered(&self) -> impl Iterator<Item = bool> {
        self.ship_at.iter().map(Option::is_some)
    }
}
