use super::RatedGame;
use crate::{Score, Side};
use std::collections::BTreeMap;

/// The ways in which a game of two contestants can end: by which of them was in seat 1, and what that one scored in
/// half points.
const KINDS: usize = 6;

/// Games of one kind, seen from the two contestants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// 1 where the lower contestant had seat 1, −1 where the higher one had.
    pub(super) seat: f64,
    /// What the lower contestant scored, 0 to 1.
    pub(super) score: f64,
}

/// How many games of each kind.
pub(super) type Counts = [u32; KINDS];

/// What all games come to, in whole numbers: the same whatever their order.
#[derive(Debug)]
pub(super) struct Tally {
    /// Games by contestant.
    pub(super) games: Vec<u64>,
    /// Half points by contestant.
    pub(super) half_points: Vec<u64>,
    /// Drawn games.
    pub(super) draws: u64,
    /// For two contestants, the lower number first: which sets of games their pairs of games were, and how many pairs
    /// were that.
    pub(super) clusters: BTreeMap<[usize; 2], BTreeMap<Counts, u64>>,
}

/// All games of two contestants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encounter {
    /// The lower number first.
    pub(super) contestants: [usize; 2],
    /// Games of each kind.
    pub(super) counts: [f64; KINDS],
    /// Games.
    pub(super) games: f64,
}

impl Tally {
    pub(super) fn of(contestants: usize, games: impl IntoIterator<Item = RatedGame>) -> Self {
        let mut tally = Self {
            games: vec![0; contestants],
            half_points: vec![0; contestants],
            draws: 0,
            clusters: BTreeMap::new(),
        };
        let mut played: Vec<_> = games.into_iter().filter_map(|game| tally.count(game)).collect();
        played.sort_unstable();
        for cluster in played.chunk_by(|a, b| a.0 == b.0) {
            let mut counts = Counts::default();
            cluster.iter().for_each(|&(_, kind)| counts[kind] += 1);
            let ([low, high, _], _) = cluster[0];
            *tally.clusters.entry([low, high]).or_default().entry(counts).or_default() += 1;
        }
        tally
    }

    /// Counts a game and says for which two contestants and which pair of theirs it is of which kind, if it counts.
    fn count(&mut self, game: RatedGame) -> Option<([usize; 3], usize)> {
        let [first, second] = game.seats;
        let first_half_points = match game.score {
            _ if first == second => return None,
            Score::NoContest => return None,
            Score::Win(Side::First) => 2,
            Score::Draw => 1,
            Score::Win(Side::Second) => 0,
        };
        self.draws += u64::from(game.score == Score::Draw);
        for (contestant, half_points) in [(first, first_half_points), (second, 2 - first_half_points)] {
            self.games[contestant] += 1;
            self.half_points[contestant] += half_points as u64;
        }
        let lower_is_first = first < second;
        let kind = if lower_is_first { first_half_points } else { 3 + first_half_points };
        Some(([first.min(second), first.max(second), game.pair as usize], kind))
    }

    /// The kinds of games, in the order of [`Counts`].
    pub(super) fn kinds() -> [Kind; KINDS] {
        std::array::from_fn(|kind| {
            let first_score = (kind % 3) as f64 / 2.0;
            if kind < 3 {
                Kind { seat: 1.0, score: first_score }
            } else {
                Kind { seat: -1.0, score: 1.0 - first_score }
            }
        })
    }

    /// What each two contestants played, in the order of their numbers.
    pub(super) fn encounters(&self) -> Vec<Encounter> {
        let encounter = |(&contestants, clusters): (&[usize; 2], &BTreeMap<Counts, u64>)| {
            let mut counts = [0_u64; KINDS];
            for (cluster, &times) in clusters {
                counts.iter_mut().zip(cluster).for_each(|(sum, &games)| *sum += u64::from(games) * times);
            }
            Encounter {
                contestants,
                counts: counts.map(|games| games as f64),
                games: counts.iter().sum::<u64>() as f64,
            }
        };
        self.clusters.iter().map(encounter).collect()
    }
}
