//! Fleets drawn at random: quickly for bots, and uniformly over all legal fleets.

use super::free_cells::{FreeCells, with_free_cells};
use super::{Fleet, FleetSpec, Placeable};
use crate::{Coord, Direction, Placement, random};
use rand::{Rng, RngExt};
use std::cmp::Reverse;

/// The number of attempts of [`scatter`] before it searches in order. Chosen: on usual boards an attempt seldom fails.
/// If a thousand fail, more of them are unlikely to succeed.
const SCATTER_TRIES_MAX: u32 = 1_000;

/// The number of steps of [`uniform`] in all of its attempts; a step lays one ship, or ends an attempt. Measured: a fleet of
/// `guide` takes 630 of them on average, 16 µs. Ten million take a second on a board of 10 by 10 cells, and one and a
/// half on one of 32 by 32.
const UNIFORM_STEPS_MAX: u32 = 10_000_000;

/// The number of steps in which [`FleetSpec::can_be_drawn`] must draw [`DRAWABLE_FLEETS`]. Chosen: a fifth of the steps of one
/// draw, up to three tenths of a second.
const DRAWABLE_STEPS_MAX: u32 = UNIFORM_STEPS_MAX / 5;

/// The number of fleets that [`FleetSpec::can_be_drawn`] must draw. Chosen: one can be luck. With ten, a fleet of which one
/// draw in twenty thousand fails passes once in twenty thousand times, and a rarer fleet passes less often.
const DRAWABLE_FLEETS: u32 = 10;

/// The factor, in 1024ths, by which [`plan`] may make attempts more to save counting free ways. Measured: with half as many
/// attempts again, a draw takes half the time on boards of 32 by 32 cells, and nine tenths under `classic` and `guide`.
const MORE_ATTEMPTS_MAX: u64 = 1024 * 3 / 2;

/// Draws a legal fleet quickly: each ship in turn, uniformly among the ways that are still legal.
///
/// It is made for bots that place a fleet. Unlike [`uniform`], it is not uniform over all legal fleets. It returns `None` if
/// no legal fleet exists, or if a bounded search found none.
pub fn scatter(spec: &FleetSpec, rng: &mut impl Rng) -> Option<Fleet> {
    let scattered = with_free_cells!(spec, |free_cells| (0..SCATTER_TRIES_MAX)
        .find_map(|_| scatter_once(spec, free_cells, rng)))?;
    if let Some(placements) = scattered {
        return Some(Fleet::parse(spec, &placements).expect("only legal ways were chosen"));
    }
    match spec.placeable() {
        Placeable::Yes(fleet) => Some(fleet),
        Placeable::No | Placeable::Unknown => None,
    }
}

/// Lays the ships in the order of the fleet; `None` when there is no free way for one.
fn scatter_once<const WORDS: usize>(
    spec: &FleetSpec,
    empty: &FreeCells<WORDS>,
    rng: &mut impl Rng,
) -> Option<Vec<Placement>> {
    let mut free_cells = *empty;
    let mut placements = Vec::with_capacity(spec.lengths.len());
    for &length in &spec.lengths {
        let free = free_cells.count(length);
        let number = (free > 0).then(|| rng.random_range(0..free))?;
        let way = free_cells.nth(length, number)?;
        free_cells.lay(way, length);
        placements.push(way);
    }
    Some(placements)
}

/// Draws a fleet uniformly over all legal fleets.
///
/// Fleets that differ by two swapped ships of equal length count as two, so all sets of ships are equally likely. A ship of
/// length 1 has one way to lie on a cell. It returns `None` if no legal fleet exists, or if ten million steps, about a second,
/// found none: the fleet is too tight for its board.
///
/// # Method
/// An attempt lays the ships in sequence. For each ship it draws one of B numbers. B is fixed in advance, and at least as large as
/// the number of free ways in any position that the ships before can leave. Each free way has one number. If the number that is
/// drawn belongs to no free way, the attempt fails, and the next one begins with an empty board. So an attempt gives each legal
/// fleet with the same probability, one in the product of all B, and the first fleet that an attempt gives is uniform. The closer
/// B is to the number of free ways, the fewer attempts fail.
pub fn uniform(spec: &FleetSpec, rng: &mut impl Rng) -> Option<Fleet> {
    let mut steps_left = UNIFORM_STEPS_MAX;
    with_free_cells!(spec, |free_cells| uniform_within(&mut steps_left, spec, &plan(spec), free_cells, rng))?
}

impl FleetSpec {
    /// Returns true if [`uniform`] reliably draws such fleets in time. Legal fleets may exist, and be too rare for
    /// that.
    pub fn can_be_drawn(&self) -> bool {
        // With a fixed seed, the answer is the same each time.
        let mut rng = random::seeded(0);
        let mut steps_left = DRAWABLE_STEPS_MAX;
        let drawn = with_free_cells!(self, |free_cells| {
            let plan = plan(self);
            (0..DRAWABLE_FLEETS)
                .all(|_| uniform_within(&mut steps_left, self, &plan, free_cells, &mut rng).is_some())
        });
        drawn == Some(true)
    }
}

/// A step of an attempt of [`uniform`]: one ship.
struct Step {
    /// The index of the ship in the fleet.
    ship: usize,
    /// Its length.
    length: u8,
    /// The number of numbers to draw from.
    numbers: u32,
    /// True if free ways are counted, and have the first numbers. False if each way on the empty board has its own number.
    /// Then there are more numbers, but the check that the way of a number is free is fast.
    counts_free: bool,
}

/// The steps of an attempt, the longest ship first. Computed for the built-in rules: no order needs fewer attempts.
fn plan(spec: &FleetSpec) -> Vec<Step> {
    let lengths = spec.lengths.iter().enumerate();
    let mut plan: Vec<Step> = lengths
        .map(|(ship, &length)| Step {
            ship,
            length,
            // There are at most two ways from each cell, so the number fits.
            numbers: spec.way_count(length) as u32,
            counts_free: false,
        })
        .collect();
    plan.sort_by_key(|step| Reverse(step.length));
    let mut room = Room::of(spec);
    let mut more_attempts = 1024;
    for step in &mut plan {
        let free = room.ways_max(step.length);
        let with_all = more_attempts * u64::from(step.numbers) / u64::from(free.max(1));
        if free == 0 || with_all > MORE_ATTEMPTS_MAX {
            step.counts_free = true;
            step.numbers = free;
        } else {
            more_attempts = with_all;
        }
        room.lay(step.length);
    }
    plan
}

/// The number of cells that ships leave free on a board.
///
/// Ships that may not touch are extended by one cell to the right and below: they are rectangles of 2 by length + 1 cells. On a
/// board that is extended in the same way, they are legal exactly if these rectangles do not overlap.
#[derive(Clone, Copy)]
struct Room {
    width: u32,
    height: u32,
    /// The cells by which a ship and the board are extended to the right and below: 1 if ships may not touch, or else 0.
    margin: u32,
    /// The number of cells without a rectangle.
    cells: u32,
}

impl Room {
    /// The free cells of a board without ships.
    fn of(spec: &FleetSpec) -> Self {
        let margin = u32::from(!spec.may_touch);
        let (width, height) = (u32::from(spec.size.width) + margin, u32::from(spec.size.height) + margin);
        Self { width, height, margin, cells: width * height }
    }

    /// Removes the cells of a ship.
    fn lay(&mut self, length: u8) {
        let (long, wide) = self.rectangle(length);
        self.cells = self.cells.saturating_sub(long * wide);
    }

    /// The sides of a ship's rectangle.
    fn rectangle(&self, length: u8) -> (u32, u32) {
        (u32::from(length) + self.margin, 1 + self.margin)
    }

    /// An upper bound of the number of ways in which a ship can be added, for any places of the others.
    fn ways_max(&self, length: u8) -> u32 {
        let (long, wide) = self.rectangle(length);
        let eastward = runs_max(runs_max(self.cells, self.width, long), self.height, wide);
        let southward = runs_max(runs_max(self.cells, self.height, long), self.width, wide);
        if length == 1 { eastward } else { eastward + southward }
    }
}

/// The largest number of runs of free cells of a length, if this number of cells are free in lines of a length.
///
/// In a line with n free cells, at most n + 1 - run runs begin, and none if that is negative. This is convex in n, so there are
/// the most runs if the free cells fill whole lines. For rectangles it is used twice: first for their rows, then for the columns
/// of first cells of such rows.
fn runs_max(cells: u32, line: u32, run: u32) -> u32 {
    let begin = |free: u32| (free + 1).saturating_sub(run);
    (cells / line) * begin(line) + begin(cells % line)
}

/// Draws a fleet in at most as many steps as are left, and subtracts them.
fn uniform_within<const WORDS: usize>(
    steps_left: &mut u32,
    spec: &FleetSpec,
    plan: &[Step],
    empty: &FreeCells<WORDS>,
    rng: &mut impl Rng,
) -> Option<Fleet> {
    if plan.iter().any(|step| step.numbers == 0) {
        return None;
    }
    let mut placements = vec![Placement::new(Coord::new(0, 0), Direction::East); plan.len()];
    'attempt: loop {
        let mut free_cells = *empty;
        for step in plan {
            *steps_left = steps_left.checked_sub(1)?;
            let number = rng.random_range(0..step.numbers);
            let way = if step.counts_free {
                free_cells.nth(step.length, number)
            } else {
                let way = spec.way(step.length, number as usize);
                free_cells.is_free(way, step.length).then_some(way)
            };
            let Some(way) = way else { continue 'attempt };
            free_cells.lay(way, step.length);
            placements[step.ship] = way;
        }
        return Some(Fleet::parse(spec, &placements).expect("only free ways were chosen"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    /// Compares the bound of each ship with the free ways in all positions that the ships before it can leave, and returns
    /// the number of positions.
    fn check_bounds<const WORDS: usize>(
        lengths: &[u8],
        spec: &FleetSpec,
        free_cells: &FreeCells<WORDS>,
        mut room: Room,
    ) -> usize {
        let Some((&length, others)) = lengths.split_first() else { return 1 };
        let (free, bound) = (free_cells.count(length), room.ways_max(length));
        assert!(free <= bound, "{spec:?}: {free} ways for a ship of {length}, and the bound is {bound}");
        room.lay(length);
        let positions = (0..free).map(|number| {
            let mut next = *free_cells;
            next.lay(free_cells.nth(length, number).expect("the way was counted"), length);
            check_bounds(others, spec, &next, room)
        });
        1 + positions.sum::<usize>()
    }

    #[test]
    fn no_position_has_more_free_ways_than_the_bound() {
        let mut positions = 0;
        for (width, height) in [(1, 9), (2, 6), (3, 3), (4, 4), (5, 4), (3, 7), (6, 6)] {
            for lengths in [&[1; 4][..], &[2, 1, 2], &[3, 1, 1], &[3, 2, 1], &[4, 3, 2], &[2; 3]] {
                for may_touch in [false, true] {
                    let size = Size::new(width, height);
                    let spec = FleetSpec { size, lengths: lengths.to_vec(), may_touch };
                    let checked = with_free_cells!(&spec, |free_cells| check_bounds(
                        lengths,
                        &spec,
                        free_cells,
                        Room::of(&spec)
                    ));
                    positions += checked.expect("the board is small");
                }
            }
        }
        assert!(positions > 100_000, "{positions}");
    }
}
