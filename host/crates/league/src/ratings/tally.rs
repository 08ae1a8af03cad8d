//! The sums over all games that ratings depend on.

use super::RatedGame;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The number of kinds of games between two contestants.
const KINDS: usize = 6;

/// A kind of game between two contestants, from the lower-numbered one's side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// 1 if the lower-numbered contestant had seat 1, −1 if it had seat 2, and 0 for a virtual draw without seats.
    pub(super) seat: f64,
    /// The score of the lower-numbered contestant, 0 to 1.
    pub(super) score: f64,
}

impl Kind {
    /// A virtual draw.
    pub(super) const VIRTUAL_DRAW: Self = Self { seat: 0.0, score: 0.5 };

    /// All kinds, in the order of [`Counts`]: the lower-numbered contestant in seat 1, then in seat 2, with 0, 1 and 2
    /// half points.
    pub(super) fn all() -> [Self; KINDS] {
        let seat = |kind| if kind < 3 { 1.0 } else { -1.0 };
        std::array::from_fn(|kind| Self { seat: seat(kind), score: (kind % 3) as f64 / 2.0 })
    }

    /// The index of the lower-numbered contestant's seat.
    pub(super) fn seat_index(self) -> usize {
        usize::from(self.seat < 0.0)
    }
}

/// The number of games of each kind.
pub(super) type Counts = [u32; KINDS];

/// The sums over all games. Whole numbers, so they do not depend on the order of the games.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tally {
    /// Games by contestant.
    pub(super) games: Vec<u64>,
    /// Half points by contestant.
    pub(super) half_points: Vec<u64>,
    /// Clusters by contestant: pairs of games, or the games that were played of them.
    pub(super) clusters: Vec<u64>,
    /// Drawn games.
    pub(super) draws: u64,
    /// All games by the two contestants, in ascending order.
    encounters: BTreeMap<[usize; 2], Encounter>,
    /// The pairs of which one game was counted, by the contestants in ascending order and the number of the pair, with the kind
    /// of that game.
    halves: BTreeMap<([usize; 2], u32), usize>,
}

/// All games between two contestants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Encounter {
    /// The two contestants, in ascending order.
    pub(super) contestants: [usize; 2],
    /// The number of games of each kind.
    pub(super) counts: [f64; KINDS],
    /// The pairs of games, by the games they contain: the number of pairs with these games.
    pub(super) clusters: BTreeMap<Counts, u64>,
}

impl Tally {
    /// No games between this number of contestants.
    pub(super) fn new(contestants: usize) -> Self {
        Self {
            games: vec![0; contestants],
            half_points: vec![0; contestants],
            clusters: vec![0; contestants],
            draws: 0,
            encounters: BTreeMap::new(),
            halves: BTreeMap::new(),
        }
    }

    /// Adds contestants without games, up to this number.
    pub(super) fn grow(&mut self, contestants: usize) {
        for counts in [&mut self.games, &mut self.half_points, &mut self.clusters] {
            counts.resize(counts.len().max(contestants), 0);
        }
    }

    /// Adds a game, if it counts.
    pub(super) fn add(&mut self, game: RatedGame) {
        let [first, second] = game.seats;
        let Some(half_points) = game.score.half_points().filter(|_| first != second) else { return };
        for (contestant, half_points) in game.seats.into_iter().zip(half_points) {
            self.games[contestant] += 1;
            self.half_points[contestant] += u64::from(half_points);
        }
        self.draws += u64::from(half_points == [1, 1]);
        let lower = usize::from(second < first);
        let kind = 3 * lower + half_points[lower] as usize;
        let contestants = [first.min(second), first.max(second)];
        let encounter = self.encounters.entry(contestants).or_insert_with(|| Encounter::new(contestants));
        encounter.counts[kind] += 1.0;
        let pair = (contestants, game.pair);
        let mut counts = Counts::default();
        match self.halves.remove(&pair) {
            Some(half) => {
                counts[half] += 1;
                encounter.remove_cluster(counts);
            }
            None => {
                contestants.into_iter().for_each(|contestant| self.clusters[contestant] += 1);
                self.halves.insert(pair, kind);
            }
        }
        counts[kind] += 1;
        *encounter.clusters.entry(counts).or_default() += 1;
    }

    /// All games by the two contestants, in ascending order.
    pub(super) fn encounters(&self) -> impl Iterator<Item = &Encounter> {
        self.encounters.values()
    }
}

impl Encounter {
    fn new(contestants: [usize; 2]) -> Self {
        Self { contestants, counts: [0.0; KINDS], clusters: BTreeMap::new() }
    }

    /// Removes one of the pairs with these games.
    fn remove_cluster(&mut self, counts: Counts) {
        if let Entry::Occupied(mut entry) = self.clusters.entry(counts) {
            *entry.get_mut() -= 1;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }

    /// The number of games.
    pub(super) fn games(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The points of the lower-numbered contestant.
    pub(super) fn points(&self) -> f64 {
        Kind::all().iter().zip(self.counts).map(|(kind, games)| kind.score * games).sum()
    }
}
