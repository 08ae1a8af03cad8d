//! The rest of a game, played out against many fleets at once.

use crate::tally::Tally;
use arena_sdk::battleship::Fleets;
use arena_sdk::{CellSet, Coord};
use std::cell::Cell;

/// The possible games from here on.
///
/// A game is played against a group of fleets that look the same so far. A shot splits it into those that show a miss, a hit, or
/// a ship sunk, by its length; each part is played on by itself, until one fleet is left, whose cells are then known.
pub struct Tree<'a, const WORDS: usize> {
    pub fleets: &'a Fleets<WORDS>,
    /// All cells.
    pub board: CellSet<WORDS>,
    /// True if the rules announce sinkings.
    pub is_announced: bool,
    /// The most cells to compare for a shot for which cells are compared.
    pub candidates: usize,
    /// The remaining looks; without any, no further game is played out.
    pub looks_left: Cell<usize>,
}

/// A fleet of a group.
#[derive(Clone, Copy)]
pub struct Member<const WORDS: usize> {
    /// The cells of its ships. They are here as well as in the list of fleets, so that a group is read in one go.
    cells: CellSet<WORDS>,
    /// Its number in the list of fleets.
    number: usize,
}

/// A group of fleets that look the same after some shots.
pub struct Group<'g, const WORDS: usize> {
    /// The fleets, in any order.
    pub members: &'g mut [Member<WORDS>],
    /// The cells that were shot at.
    pub shot: CellSet<WORDS>,
    /// The number of cells with a ship that were not.
    pub left: usize,
}

/// The looks that a group costs in addition to those at its members. Chosen: it stands for the counts and the calls.
const LOOKS_PER_GROUP: usize = 2;

/// The share of the highest count that a cell needs to be compared. Chosen: a cell with less is hardly ever the best.
const SHARE_MIN: f64 = 0.5;

impl<const WORDS: usize> Member<WORDS> {
    /// The fleet with a number.
    pub fn of(fleets: &Fleets<WORDS>, number: usize) -> Self {
        Self { cells: fleets.cells(number), number }
    }

    /// Its number in the list of fleets.
    #[cfg(test)]
    pub fn number(&self) -> usize {
        self.number
    }
}

impl<const WORDS: usize> Tree<'_, WORDS> {
    /// The cell to shoot at, and the number of shots in all games of the group if it is shot at. As many shots as `compared` says
    /// are the best of several cells; after them, each is the most likely cell. Cells for which no looks are left are not
    /// compared.
    pub fn best(&self, group: Group<'_, WORDS>, compared: u32) -> (Option<Coord>, usize) {
        let mut best = (None, usize::MAX);
        for at in self.likely(&group) {
            let same = Group { members: &mut *group.members, ..group };
            let shots = self.shots_from(same, CellSet::of(at), compared.saturating_sub(1));
            let is_known = self.looks_left.get() > 0;
            if best.0.is_none() || (is_known && shots < best.1) {
                best = (Some(at), shots);
            }
            if !is_known {
                break;
            }
        }
        best
    }

    /// The cells to compare, the most likely first.
    fn likely(&self, group: &Group<'_, WORDS>) -> Vec<Coord> {
        let tally = tally(group);
        let ships = group.members.iter().fold(CellSet::EMPTY, |all, member| all | member.cells);
        let mut cells = ships - group.shot;
        let (mut likely, mut fleets_min) = (Vec::new(), 0.0);
        while likely.len() < self.candidates && !cells.is_empty() {
            let most = tally.most(cells);
            let fleets = tally.count(most) as f64;
            if likely.is_empty() {
                fleets_min = SHARE_MIN * fleets;
            } else if fleets < fleets_min {
                break;
            }
            likely.extend(most.iter().take(self.candidates - likely.len()));
            cells -= most;
        }
        likely
    }

    /// The number of shots of all games of a group, if the next one is at this cell. It means nothing once no looks are left.
    fn shots_from(&self, group: Group<'_, WORDS>, at: CellSet<WORDS>, compared: u32) -> usize {
        let Group { members, shot, left } = group;
        let (count, shot) = (members.len(), shot | at);
        self.looks_left.set(self.looks_left.get().saturating_sub(count + LOOKS_PER_GROUP));
        if self.looks_left.get() == 0 {
            return 0;
        }
        let (missed, mut hit) = split(members, |member| member.cells.is_disjoint(at));
        let mut shots = count + self.shots(Group { members: missed, shot, left }, compared);
        while let Some(first) = hit.first() {
            let sunk = self.sunk(first, at, shot);
            let (alike, others) = if self.is_announced {
                split(hit, |member| self.sunk(member, at, shot) == sunk)
            } else {
                (hit, &mut [][..])
            };
            shots += self.shots(Group { members: alike, shot, left: left - 1 }, compared);
            hit = others;
        }
        shots
    }

    /// The number of shots of all games of a group.
    fn shots(&self, group: Group<'_, WORDS>, compared: u32) -> usize {
        match group.members {
            [] => 0,
            _ if group.left == 0 || self.looks_left.get() == 0 => 0,
            [_] => group.left,
            // The cells of both first; then one of them misses once, unless they are equal.
            [one, other] => 2 * group.left + usize::from(one.cells - group.shot != other.cells - group.shot),
            _ if compared > 0 => self.best(group, compared).1,
            _ => {
                let at = self.likeliest(&group);
                self.shots_from(group, at, 0)
            }
        }
    }

    /// One of the most likely cells.
    // A function of its own, so that the counts are not kept while the parts of the group are played.
    #[inline(never)]
    fn likeliest(&self, group: &Group<'_, WORDS>) -> CellSet<WORDS> {
        tally(group).most(self.board - group.shot).first().map_or(CellSet::EMPTY, CellSet::of)
    }

    /// The length of the ship that a hit sinks, if that is announced; otherwise 0.
    #[inline]
    fn sunk(&self, member: &Member<WORDS>, at: CellSet<WORDS>, shot: CellSet<WORDS>) -> u8 {
        if !self.is_announced {
            return 0;
        }
        let ships = self.fleets.ships(member.number);
        match ships.iter().position(|ship| !ship.is_disjoint(at)) {
            Some(ship) if ships[ship].is_subset(shot) => self.fleets.lengths()[ship],
            _ => 0,
        }
    }
}

#[inline]
fn tally<const WORDS: usize>(group: &Group<'_, WORDS>) -> Tally<WORDS> {
    Tally::of(group.members.iter().map(|member| member.cells - group.shot))
}

/// Reorders a list so that the items with a property come first, and splits it after them.
#[inline]
fn split<T: Copy>(items: &mut [T], has: impl Fn(&T) -> bool) -> (&mut [T], &mut [T]) {
    let (mut first, mut end) = (0, items.len());
    while first < end {
        if has(&items[first]) {
            first += 1;
            continue;
        }
        // The last item that is not on its side changes places with this one.
        end -= 1;
        while first < end && !has(&items[end]) {
            end -= 1;
        }
        items.swap(first, end);
    }
    items.split_at_mut(first)
}
