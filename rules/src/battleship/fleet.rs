//! Fleets: what is legal, and how to draw legal ones.

use super::Ruleset;
use super::waters::Waters;
use crate::{Coord, Direction, Placement, Size, random};
use rand::{Rng, RngExt};

/// Fresh starts that [`scatter`] makes before it searches in order. Chosen: on boards people play on, a start fails at
/// most now and then; where a thousand fail, luck is no longer the way.
const SCATTER_TRIES_MAX: u32 = 1_000;

/// Fresh starts that [`uniform`] makes. Measured: the fleet of `guide` takes about ten thousand on average, which is a
/// quarter of a millisecond; a thousand times as many is under a second.
const UNIFORM_TRIES_MAX: u32 = 10_000_000;

/// Fresh starts within which [`FleetSpec::can_be_drawn`] wants a fleet. Chosen: a tenth of what a draw may take, so that
/// one that passes is drawn in time ever after, but for one time in twenty thousand.
const DRAWABLE_TRIES_MAX: u32 = UNIFORM_TRIES_MAX / 10;

/// Placements that [`FleetSpec::placeable`] tries before it gives up. Chosen: about a second of work.
const SEARCH_STEPS_MAX: u32 = 2_000_000;

/// What a legal fleet is: the part of the rules that placing depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetSpec {
    /// The board.
    pub size: Size,
    /// The length of each ship, in the order in which they are placed.
    pub lengths: Vec<u8>,
    /// Whether ships may lie side by side, or corner to corner.
    pub may_touch: bool,
}

/// Whether any legal fleet exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placeable {
    /// Yes: here is one.
    Yes(Fleet),
    /// No: the whole space was searched, or an area bound rules it out.
    No,
    /// Not found out within the bounded search.
    Unknown,
}

/// A ship that lies on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    /// Its cells, from the anchor on.
    pub cells: Vec<Coord>,
}

impl Ship {
    /// Its length in cells.
    pub fn length(&self) -> u8 {
        // A ship is at most a board's side long, and a side fits a byte.
        self.cells.len() as u8
    }
}

/// A legal fleet. There is no other way to make one than to have it checked: a `Fleet` in hand is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    size: Size,
    placements: Vec<Placement>,
    ships: Vec<Ship>,
    ship_at: Vec<Option<u8>>,
}

/// Why a deployment is not legal. Ships are counted from 1, as a reader counts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FleetError {
    /// Too few or too many ships.
    #[error("{got} ships were placed where the fleet has {expected}")]
    WrongCount {
        /// Ships in the fleet.
        expected: usize,
        /// Placements given.
        got: usize,
    },
    /// A ship does not lie wholly on the board.
    #[error("ship {ship} (length {length}) from {} {} leaves the board", .placement.anchor, heading(.placement.direction))]
    OffBoard {
        /// Which ship.
        ship: usize,
        /// Its length.
        length: u8,
        /// Where it was placed.
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
    /// Two ships touch where that is not allowed.
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
    /// What a legal fleet is by these rules.
    pub fn of(rules: &Ruleset) -> Self {
        Self { size: rules.size(), lengths: rules.fleet.clone(), may_touch: rules.may_touch }
    }

    /// Every way a ship of a length can lie on the empty board: eastwards ones first, row by row, then southwards ones.
    ///
    /// A ship of length 1 lies in one way on a cell, not in two.
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

    /// Whether [`uniform`] draws such fleets in time. Legal ones may exist and yet be too rare.
    pub fn can_be_drawn(&self) -> bool {
        // Any seed would do; a fixed one gives the same answer each time.
        uniform_within(DRAWABLE_TRIES_MAX, self, &mut random::seeded(0)).is_some()
    }

    /// Whether some legal fleet exists, found by a bounded search in order.
    ///
    /// Ships that may not touch are, grown by one cell to the right and below, rectangles of 2 by length + 1 that may
    /// not overlap on a board grown likewise. That gives an area bound, which settles most impossible fleets at once.
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
        // Longest first, whatever the order of placing: the search fails early where it must fail.
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
    /// `Some(found)`, or `None` when the steps ran out.
    fn descend(&mut self, waters: &Waters) -> Option<bool> {
        let depth = self.chosen.len();
        let Some(&ship) = self.order.get(depth) else { return Some(true) };
        let length = self.spec.lengths[ship];
        // Ships of one length are interchangeable, so they are laid in one order only.
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
    /// A [`FleetError`] that names the first thing wrong, in the order count, then ship by ship.
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

    /// The board it lies on.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Its ships, in the order of placing.
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// How it was placed: the form a bot deploys and a transcript holds.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The index of the ship on a cell, if there is one.
    pub fn ship_index(&self, at: Coord) -> Option<usize> {
        self.ship_at[self.size.index(at)?].map(usize::from)
    }
}

/// A random legal fleet, quickly: each ship in turn uniformly among the ways still legal.
///
/// It is what a bot wants for its own fleet. It is not uniform over legal fleets: for that, see [`uniform`]. `None`
/// means that no legal fleet exists, or that none was found in a bounded search.
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

/// A fleet drawn uniformly over all legal fleets, by rejection: every ship anywhere, and all anew at the first conflict.
///
/// Two fleets that differ only in which of two equally long ships lies where count as two, so each set of ships is as
/// likely as any other. A ship of length 1 has one way to lie on a cell. `None` means that no fleet came up in ten
/// million starts: the fleet is too tight for its board.
pub fn uniform(spec: &FleetSpec, rng: &mut impl Rng) -> Option<Fleet> {
    uniform_within(UNIFORM_TRIES_MAX, spec, rng)
}

fn uniform_within(tries: u32, spec: &FleetSpec, rng: &mut impl Rng) -> Option<Fleet> {
    let ways: Vec<usize> = spec.lengths.iter().map(|&length| spec.way_count(length)).collect();
    if ways.contains(&0) {
        return None;
    }
    let mut placements = Vec::with_capacity(spec.lengths.len());
    let mut waters = Waters::empty(spec.size);
    for _ in 0..tries {
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
