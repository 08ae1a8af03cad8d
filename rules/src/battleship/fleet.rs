//! Fleets: the check that one is legal, and ways to draw legal ones.

use super::Ruleset;
use super::waters::Waters;
use crate::{Coord, Direction, Placement, Size, random};
use rand::{Rng, RngExt};

/// The number of attempts of [`scatter`] before it searches in order. Chosen: on boards that people play on, an attempt
/// seldom fails; if a thousand fail, more of them are unlikely to succeed.
const SCATTER_TRIES_MAX: u32 = 1_000;

/// The number of attempts of [`uniform`]. Measured: the fleet of `guide` takes about ten thousand on average, which is a
/// quarter of a millisecond; a thousand times as many take less than a second.
const UNIFORM_TRIES_MAX: u32 = 10_000_000;

/// The number of attempts in which [`FleetSpec::can_be_drawn`] must draw [`DRAWABLE_FLEETS`]. Chosen: a fifth of those of one
/// draw, which is two tenths of a second.
const DRAWABLE_TRIES_MAX: u32 = UNIFORM_TRIES_MAX / 5;

/// The number of fleets that [`FleetSpec::can_be_drawn`] must draw. Chosen: one can be luck. With ten, a fleet of which one
/// draw in twenty thousand fails passes once in twenty thousand times, and a rarer one less often.
const DRAWABLE_FLEETS: u32 = 10;

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

/// The answer to the question if any legal fleet exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placeable {
    /// A legal fleet, as an example.
    Yes(Fleet),
    /// There is no legal fleet: the whole space was searched, or an area bound excludes one.
    No,
    /// The bounded search did not find out.
    Unknown,
}

/// A ship that lies on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    /// Its cells, from the anchor onwards.
    pub cells: Vec<Coord>,
}

impl Ship {
    /// Its length in cells.
    pub fn length(&self) -> u8 {
        // A ship is not longer than a side of the board, which fits a byte.
        self.cells.len() as u8
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
    /// Two ships touch, which these rules do not allow.
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
    /// The specification of a legal fleet by these rules.
    pub fn of(rules: &Ruleset) -> Self {
        Self { size: rules.size(), lengths: rules.fleet.clone(), may_touch: rules.may_touch }
    }

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
        if length == 1 {
            return 0;
        }
        usize::from(self.size.width) * (usize::from(self.size.height) + 1).saturating_sub(usize::from(length))
    }

    fn way_count(&self, length: u8) -> usize {
        self.eastward_count(length) + self.southward_count(length)
    }

    fn way(&self, length: u8, index: usize) -> Placement {
        let eastward = self.eastward_count(length);
        if index < eastward {
            let columns = usize::from(self.size.width) + 1 - usize::from(length);
            Placement::new(Coord::new((index / columns) as u8, (index % columns) as u8), Direction::East)
        } else {
            let (index, columns) = (index - eastward, usize::from(self.size.width));
            Placement::new(Coord::new((index / columns) as u8, (index % columns) as u8), Direction::South)
        }
    }

    /// Returns true if [`uniform`] draws such fleets in time, and not only by luck. Legal fleets may exist and be too rare for
    /// that.
    pub fn can_be_drawn(&self) -> bool {
        // With a fixed seed, the answer is the same each time.
        let mut rng = random::seeded(0);
        let mut tries_left = DRAWABLE_TRIES_MAX;
        (0..DRAWABLE_FLEETS).all(|_| uniform_within(&mut tries_left, self, &mut rng).is_some())
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
        match search.descend(&Waters::empty(self.size)) {
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
    /// Returns true if a fleet was found; `None` if the steps ran out.
    fn descend(&mut self, waters: &Waters) -> Option<bool> {
        let depth = self.chosen.len();
        let Some(&ship) = self.order.get(depth) else { return Some(true) };
        let length = self.spec.lengths[ship];
        // Ships of the same length are interchangeable, so they are laid in one order only.
        let first = match depth.checked_sub(1) {
            Some(before) if self.spec.lengths[self.order[before]] == length => self.chosen[before] + 1,
            _ => 0,
        };
        for way in first..self.spec.way_count(length) {
            self.steps_left = self.steps_left.checked_sub(1)?;
            let placement = self.spec.way(length, way);
            if !waters.is_free(placement, length) {
                continue;
            }
            let mut next = waters.clone();
            next.lay(placement, length, self.spec.may_touch);
            self.chosen.push(way);
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
            let ship = fleet.check(spec, index, placement, length)?;
            for &at in &ship.cells {
                if let Some(cell) = spec.size.index(at) {
                    // A fleet has at most SHIPS_MAX ships, which fits.
                    fleet.ship_at[cell] = Some(index as u8);
                }
            }
            fleet.ships.push(ship);
        }
        Ok(fleet)
    }

    fn check(
        &self,
        spec: &FleetSpec,
        index: usize,
        placement: Placement,
        length: u8,
    ) -> Result<Ship, FleetError> {
        let off_board = || FleetError::OffBoard { ship: index + 1, length, placement };
        let cells: Vec<Coord> = (0..length)
            .map(|steps| spec.size.step(placement.anchor, placement.direction, steps))
            .collect::<Option<_>>()
            .ok_or_else(off_board)?;
        if let Some((at, other)) = cells.iter().find_map(|&at| Some((at, self.ship_index(at)?))) {
            return Err(FleetError::Overlap { ship: index + 1, other: other + 1, at });
        }
        let touched = |at: Coord| spec.size.neighbours(at).find_map(|neighbour| self.ship_index(neighbour));
        if !spec.may_touch
            && let Some((at, other)) = cells.iter().find_map(|&at| Some((at, touched(at)?)))
        {
            return Err(FleetError::Touch { ship: index + 1, other: other + 1, at });
        }
        Ok(Ship { cells })
    }

    /// The size of its board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Its ships, in the order of placing.
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// The placement of each ship, as a bot answers it and a recording holds it.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The index of the ship on a cell; `None` if there is no ship.
    pub fn ship_index(&self, at: Coord) -> Option<usize> {
        self.ship_at[self.size.index(at)?].map(usize::from)
    }

    /// True for each cell with a ship on it, row by row from the top left.
    pub(super) fn covered(&self) -> impl Iterator<Item = bool> {
        self.ship_at.iter().map(Option::is_some)
    }
}

/// Draws a legal fleet quickly: each ship in turn, uniformly among the ways that are still legal.
///
/// It is made for bots that place a fleet. It is not uniform over all legal fleets, as [`uniform`] is. It returns `None` if
/// no legal fleet exists, or if none was found in a bounded search.
pub fn scatter(spec: &FleetSpec, rng: &mut impl Rng) -> Option<Fleet> {
    for _ in 0..SCATTER_TRIES_MAX {
        if let Some(placements) = scatter_once(spec, rng) {
            return Some(Fleet::parse(spec, &placements).expect("only legal ways were chosen"));
        }
    }
    match spec.placeable() {
        Placeable::Yes(fleet) => Some(fleet),
        Placeable::No | Placeable::Unknown => None,
    }
}

fn scatter_once(spec: &FleetSpec, rng: &mut impl Rng) -> Option<Vec<Placement>> {
    let mut waters = Waters::empty(spec.size);
    let mut free = Vec::new();
    spec.lengths
        .iter()
        .map(|&length| {
            free.clear();
            free.extend(spec.ways(length).filter(|&way| waters.is_free(way, length)));
            if free.is_empty() {
                return None;
            }
            let way = free[rng.random_range(0..free.len())];
            waters.lay(way, length, spec.may_touch);
            Some(way)
        })
        .collect()
}

/// Draws a fleet uniformly over all legal fleets, by rejection: it places every ship anywhere, and restarts at the first
/// conflict.
///
/// Two fleets in which two equally long ships have swapped places count as two, so all sets of ships are equally likely. A
/// ship of length 1 has one way to lie on a cell. It returns `None` if ten million attempts gave no fleet: the fleet is too
/// tight for its board.
pub fn uniform(spec: &FleetSpec, rng: &mut impl Rng) -> Option<Fleet> {
    let mut tries_left = UNIFORM_TRIES_MAX;
    uniform_within(&mut tries_left, spec, rng)
}

/// Draws a fleet in at most as many attempts as are left, and counts them off.
fn uniform_within(tries_left: &mut u32, spec: &FleetSpec, rng: &mut impl Rng) -> Option<Fleet> {
    let ways: Vec<usize> = spec.lengths.iter().map(|&length| spec.way_count(length)).collect();
    if ways.contains(&0) {
        return None;
    }
    let mut placements = Vec::with_capacity(spec.lengths.len());
    let mut waters = Waters::empty(spec.size);
    while let Some(left) = tries_left.checked_sub(1) {
        *tries_left = left;
        placements.clear();
        waters.clear();
        for (&length, &count) in spec.lengths.iter().zip(&ways) {
            let way = spec.way(length, rng.random_range(0..count));
            if !waters.is_free(way, length) {
                break;
            }
            waters.lay(way, length, spec.may_touch);
            placements.push(way);
        }
        if placements.len() == spec.lengths.len() {
            return Some(Fleet::parse(spec, &placements).expect("only legal ways were chosen"));
        }
    }
    None
}
