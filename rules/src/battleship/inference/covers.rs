//! Covers: sets of ships that explain all hits.

use super::evidence::{Evidence, Kind};
use crate::{CellSet, Direction};
use rand::{Rng, RngExt};

/// A set of ships that explains all hits, and the free cells that it leaves for the others.
#[derive(Clone)]
pub(super) struct Cover<const WORDS: usize> {
    /// Each ship with the index of its length in the list of kinds.
    pub ships: Vec<(usize, CellSet<WORDS>)>,
    /// The cells that the other ships can use.
    pub free: CellSet<WORDS>,
    /// For each kind, the number of the other ships.
    pub left: Vec<usize>,
    /// For each kind, the number of ways in which one of the other ships can lie.
    pub ways: Vec<usize>,
    /// An upper bound of the number of ways to lay the other ships. It is at least 1.
    pub weight: f64,
}

/// All covers of some evidence.
pub(super) struct Covers<const WORDS: usize> {
    pub list: Vec<Cover<WORDS>>,
    /// The sum of the weights up to each cover.
    sums: Vec<f64>,
}

impl<const WORDS: usize> Covers<WORDS> {
    /// All covers; `None` when the search takes more steps than that.
    pub fn all(evidence: &Evidence<WORDS>, steps_max: usize) -> Option<Self> {
        let mut search = Search::new(evidence, steps_max);
        let mut list = Vec::new();
        search.explore(Open::of(evidence), &mut list)?;
        let sums = list.iter().scan(0.0, |sum, cover| {
            *sum += cover.weight;
            Some(*sum)
        });
        Some(Self { sums: sums.collect(), list })
    }

    /// The sum of all weights.
    pub fn weight(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// The cover at a place from 0 to 1, where each cover has a part in proportion to its weight; `None` when there are no
    /// covers.
    pub fn at(&self, place: f64) -> Option<&Cover<WORDS>> {
        let place = place * self.weight();
        let index = self.sums.partition_point(|&sum| sum <= place);
        self.list.get(index).or(self.list.last())
    }
}

/// The state of a search between two steps.
#[derive(Clone, Copy)]
struct Open<const WORDS: usize> {
    /// The hits that no ship explains yet.
    unexplained: CellSet<WORDS>,
    /// The cells that no other ship can use.
    blocked: CellSet<WORDS>,
    /// The number of sunk ships that are laid.
    sunk: usize,
    /// The number of the first way that a twin of the last sunk ship may have.
    twin_from: usize,
}

impl<const WORDS: usize> Open<WORDS> {
    fn of(evidence: &Evidence<WORDS>) -> Self {
        Self { unexplained: evidence.hits, blocked: evidence.misses, sunk: 0, twin_from: 0 }
    }
}

/// A way to lay the next ship.
struct Lay<const WORDS: usize> {
    kind: usize,
    ship: CellSet<WORDS>,
    next: Open<WORDS>,
}

/// A search for covers, ship by ship: first the sunk ones, then one for the first hit that no ship explains, until all hits are
/// explained. So each cover is found once.
pub(super) struct Search<'a, const WORDS: usize> {
    evidence: &'a Evidence<WORDS>,
    steps_left: usize,
    ships: Vec<(usize, CellSet<WORDS>)>,
    /// For each kind, the number of ships that are not laid yet.
    left: Vec<usize>,
}

impl<'a, const WORDS: usize> Search<'a, WORDS> {
    pub fn new(evidence: &'a Evidence<WORDS>, steps_max: usize) -> Self {
        let left = evidence.kinds.iter().map(|kind| kind.count).collect();
        Self { evidence, steps_left: steps_max, ships: Vec::new(), left }
    }

    /// Lists all covers from a state on; `None` when the steps run out.
    fn explore(&mut self, open: Open<WORDS>, found: &mut Vec<Cover<WORDS>>) -> Option<()> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        match self.choices(&open) {
            None => found.extend(self.cover(&open)),
            Some(choices) => {
                for Lay { kind, ship, next } in choices {
                    self.ships.push((kind, ship));
                    self.left[kind] -= 1;
                    self.explore(next, found)?;
                    self.left[kind] += 1;
                    self.ships.pop();
                }
            }
        }
        Some(())
    }

    /// Returns true if a draw may begin.
    pub fn has_steps(&self) -> bool {
        self.steps_left > 0
    }

    /// Draws a cover: a random choice for each ship. Its weight is multiplied by the number of choices, that is, by one over the
    /// probability of drawing it. Returns `None` for a dead end.
    pub fn draw(&mut self, rng: &mut impl Rng) -> Option<Cover<WORDS>> {
        self.ships.clear();
        for (left, kind) in self.left.iter_mut().zip(&self.evidence.kinds) {
            *left = kind.count;
        }
        let (mut open, mut factor) = (Open::of(self.evidence), 1.0);
        while let Some(mut choices) = self.choices(&open) {
            self.steps_left = self.steps_left.saturating_sub(1);
            if choices.is_empty() {
                return None;
            }
            factor *= choices.len() as f64;
            let Lay { kind, ship, next } = choices.swap_remove(rng.random_range(0..choices.len()));
            self.ships.push((kind, ship));
            self.left[kind] -= 1;
            open = next;
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        self.cover(&open).map(|cover| Cover { weight: cover.weight * factor, ..cover })
    }

    /// The ways to lay the next ship; `None` when all hits are explained.
    fn choices(&self, open: &Open<WORDS>) -> Option<Vec<Lay<WORDS>>> {
        let Evidence { kinds, sunk, hits, may_touch, is_announced, .. } = self.evidence;
        let mut choices = Vec::new();
        let mut add = |kind: usize, ship: CellSet<WORDS>, sunk: usize, twin_from: usize| {
            let halo = self.evidence.halo(ship);
            let is_free = ship.is_disjoint(open.blocked);
            if self.left[kind] > 0 && is_free && (*may_touch || (halo & *hits).is_subset(ship)) {
                let (unexplained, blocked) = (open.unexplained - ship, open.blocked | halo);
                choices.push(Lay { kind, ship, next: Open { unexplained, blocked, sunk, twin_from } });
            }
        };
        if let Some(ship) = sunk.get(open.sunk) {
            let from = if ship.is_twin { open.twin_from } else { 0 };
            for (index, &way) in ship.ways.iter().enumerate().skip(from) {
                add(ship.kind, way, open.sunk + 1, index + 1);
            }
            return Some(choices);
        }
        let hit = open.unexplained.first()?;
        for (index, kind) in kinds.iter().enumerate() {
            if self.left[index] > 0 {
                // A ship whose cells are all hit would have been announced as sunk.
                let ways = kind.ways.over(hit).filter(|way| !is_announced || !way.is_subset(*hits));
                ways.for_each(|&way| add(index, way, open.sunk, 0));
            }
        }
        Some(choices)
    }

    /// The cover of the ships that are laid; `None` when there is no room for the others.
    fn cover(&self, open: &Open<WORDS>) -> Option<Cover<WORDS>> {
        let free = self.evidence.board - open.blocked - self.evidence.hits;
        let mut weight = 1.0;
        let mut ways = Vec::with_capacity(self.left.len());
        for (kind, &left) in self.evidence.kinds.iter().zip(&self.left) {
            let count =
                if left == 0 { 0 } else { anchors(free, kind).map(|anchors| anchors.len()).iter().sum() };
            if count < left {
                return None;
            }
            weight *= (1..=left).map(|ship| count as f64 / ship as f64).product::<f64>();
            ways.push(count);
        }
        Some(Cover { ships: self.ships.clone(), free, left: self.left.clone(), ways, weight })
    }
}

/// The first cells of the free ways of a ship: of the eastward ones, and of the southward ones.
pub(super) fn anchors<const WORDS: usize>(free: CellSet<WORDS>, kind: &Kind<WORDS>) -> [CellSet<WORDS>; 2] {
    // A ship of length 1 has one way to lie on a cell, not two.
    let south = if kind.length == 1 { CellSet::EMPTY } else { free.anchors(kind.length, Direction::South) };
    [free.anchors(kind.length, Direction::East), south]
}
