//! Pairs of games as the unit of a match: their five results, and what follows for the tested contestant.
//!
//! The two games of a pair have the same random seeds, so they are not independent: luck that favours a seat in the
//! first game is against the same bot in the second. Pairs are independent, so errors are computed from the variance of
//! the pairs' scores (the pentanomial model of fishtest and fastchess), not of the games'.

use super::interval::{Interval, Z_95};
use super::scale::{NELO_PER_SIGMA, elo_of_score, normal_cdf};
use crate::{Score, Side};
use serde::Serialize;

/// The numbers of pairs of games in which the tested contestant scored 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

/// An estimate of the tested contestant's strength from pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Estimate {
    /// The Elo difference: positive if the tested contestant is stronger.
    pub elo: Interval,
    /// The difference in normalised Elo, which divides by the standard deviation of a game's score. It determines the
    /// number of games that are needed to detect the difference.
    pub nelo: Interval,
    /// The likelihood of superiority: the probability that the tested contestant is the stronger one, 0 to 1.
    /// It is too sure after few pairs, as fastchess's is. Measured by `tests/coverage.rs`: for equals, it is 0.95 or more, or
    /// 0.05 or less, in 15.1 % of matches of ten pairs.
    pub los: f64,
    /// The share of pairs that were even, 0 to 1.
    pub draw_ratio: f64,
    /// The ratio of pairs won to pairs lost. `None` when none was lost.
    pub pairs_ratio: Option<f64>,
}

impl Pentanomial {
    /// Adds a pair in which the tested contestant scored this number of half points.
    ///
    /// # Panics
    /// If the number is above 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of the possible points, 0 to 1; ½ without pairs.
    pub fn share(&self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            pairs => self.half_points() as f64 / (4 * pairs) as f64,
        }
    }

    /// The half points of the tested contestant.
    pub fn half_points(&self) -> u64 {
        (0..).zip(self.0).map(|(half_points, pairs)| half_points * pairs).sum()
    }

    /// The estimate from these pairs. `None` without pairs.
    ///
    /// The formulas are those of fastchess and fishtest: the mean score with its normal 95 % interval from the pairs'
    /// variance, both ends converted to Elo. For some results they are undefined or infinite. Those are handled as
    /// follows.
    ///
    /// - A score of 0 or 1, or an end of the interval beyond it, counts as half a point short of it in one game more
    ///   than were played: 20 of 20 as 20½ of 21. If an end of the interval is moved, the error is the distance to the
    ///   farther end. Ten pairs won are 645 ± 348 Elo.
    /// - If all pairs have the same result, one more pair is added for the variance, half of it won outright and half
    ///   lost outright. Then the error shrinks with the number of pairs instead of its root: ten even pairs are 0 ± 66
    ///   Elo.
    pub fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pairs();
        if pairs == 0 {
            return None;
        }
        let count = pairs as f64;
        let score_max = 1.0 - 0.5 / (2.0 * count + 1.0);
        let within = |score: f64| score.clamp(1.0 - score_max, score_max);
        let score = within(self.share());
        let variance = self.variance();
        let deviation = (variance / count).sqrt();
        let [low, high] = [score - Z_95 * deviation, score + Z_95 * deviation];
        let elo = elo_of_score(score);
        let [below, above] = [elo - elo_of_score(within(low)), elo_of_score(within(high)) - elo];
        let error =
            if [low, high] == [low, high].map(within) { (below + above) / 2.0 } else { below.max(above) };
        let [lost_twice, lost, even, won, won_twice] = self.0;
        let pairs_lost = lost_twice + lost;
        let per_game = NELO_PER_SIGMA / (2.0 * variance).sqrt();
        Some(Estimate {
            elo: Interval { value: elo, error },
            nelo: Interval { value: (score - 0.5) * per_game, error: Z_95 * deviation * per_game },
            los: normal_cdf((score - 0.5) / deviation),
            draw_ratio: even as f64 / count,
            pairs_ratio: (pairs_lost > 0).then(|| (won + won_twice) as f64 / pairs_lost as f64),
        })
    }

    /// The variance of a pair's score, with one more pair if all have the same result.
    fn variance(&self) -> f64 {
        let mut weights = self.0.map(|pairs| pairs as f64);
        if weights.iter().filter(|&&pairs| pairs > 0.0).count() == 1 {
            weights[0] += 0.5;
            weights[4] += 0.5;
        }
        mean_and_variance(&weights).1
    }
}

/// The score in each of the five results of a pair, 0 to 1.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The mean and the variance of a pair's score, for results with these weights.
pub(crate) fn mean_and_variance(weights: &[f64; 5]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let average = |of: &dyn Fn(f64) -> f64| {
        weights.iter().zip(SCORES).map(|(weight, score)| weight * of(score)).sum::<f64>() / total
    };
    let mean = average(&|score| score);
    (mean, average(&|score| (score - mean) * (score - mean)))
}

/// The results of a match in pairs, for the tested contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PairTally {
    /// The complete pairs by score.
    pub pairs: Pentanomial,
    /// Games won, in complete pairs.
    pub wins: u64,
    /// Games drawn, in complete pairs.
    pub draws: u64,
    /// Games lost, in complete pairs.
    pub losses: u64,
    /// Pairs that do not count, because one of their games has no result or was no contest.
    pub incomplete: u64,
}

impl PairTally {
    /// The number of pairs after which a match in which no pair counted yet is given up. Chosen: two bots that fail in each
    /// game are found in seconds, and two whose games fail in nine pairs of ten are given up once in 190 matches.
    pub const UNCOUNTED_MAX: u64 = 50;

    /// True if [`UNCOUNTED_MAX`](Self::UNCOUNTED_MAX) pairs were played and none of them counts, so that more of them are
    /// unlikely to.
    pub fn never_counts(&self) -> bool {
        self.pairs.pairs() == 0 && self.incomplete >= Self::UNCOUNTED_MAX
    }

    /// Adds a pair. For each game: the seat of the tested contestant, and the score, `None` when the game has no
    /// result. A pair counts as incomplete unless both games are won, lost or drawn.
    pub fn add(&mut self, games: [(Side, Option<Score>); 2]) {
        let half_points = |(side, score): (Side, Option<Score>)| Some(score?.half_points()?[side as usize]);
        let [Some(first), Some(second)] = games.map(half_points) else {
            self.incomplete += 1;
            return;
        };
        for half_points in [first, second] {
            match half_points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        self.pairs.add((first + second) as usize);
    }

    /// The number of games in complete pairs.
    pub fn games(&self) -> u64 {
        2 * self.pairs.pairs()
    }

    /// The points of the tested contestant.
    pub fn points(&self) -> f64 {
        self.pairs.half_points() as f64 / 2.0
    }
}
