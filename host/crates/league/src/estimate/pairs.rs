//! Pairs of games as the unit of a match: their five results, and what they say of the tested contestant.
//!
//! The two games of a pair share their seeds, so they are not independent: what one seat's luck gives in the first it
//! takes in the second. The pairs are independent, so errors come from the spread of the pairs' scores (the
//! pentanomial model of fishtest and fastchess), not from the games'.

use super::interval::{Interval, Z_95};
use super::scale::{NELO_PER_SIGMA, elo_of_score, normal_cdf};
use crate::{Score, Side};
use serde::Serialize;

/// Pairs of games by what the tested contestant scored: 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

/// What pairs of games say of the tested contestant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Estimate {
    /// How much stronger it is, in Elo.
    pub elo: Interval,
    /// The same in normalised Elo: by standard deviations of a game's score instead of by the score, so that it says
    /// how many games it takes to see the difference.
    pub nelo: Interval,
    /// How likely it is the stronger one, 0 to 1.
    pub los: f64,
    /// The share of pairs that were even, 0 to 1.
    pub draw_ratio: f64,
    /// Pairs won to pairs lost; none where none was lost.
    pub pairs_ratio: Option<f64>,
}

impl Pentanomial {
    /// Adds a pair in which the tested contestant scored so many half points.
    ///
    /// # Panics
    /// Where a pair has no such score: it is from 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points of the points there were, 0 to 1; a half where there were none.
    pub fn share(&self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            pairs => self.half_points() as f64 / (4 * pairs) as f64,
        }
    }

    /// Half points of the tested contestant.
    pub fn half_points(&self) -> u64 {
        (0..).zip(self.0).map(|(half_points, pairs)| half_points * pairs).sum()
    }

    /// What the pairs say; nothing where there are none.
    ///
    /// The formulas are fastchess's and fishtest's: the mean score with its normal 95 % interval by the pairs'
    /// variance, both ends turned into Elo. They have no number for some results, which get one as follows.
    ///
    /// - A score of 0 or 1 counts as half a half point from it, and so does an end of the interval beyond that; the
    ///   bar is then that of the farther end. Ten pairs won are 645 ± 348 Elo.
    /// - Where all pairs came to the same, one pair more is counted for their variance, half won and half lost
    ///   outright. Bars shrink with the number of pairs then, rather than with its root: ten even pairs are
    ///   0 ± 66 Elo.
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
        let per_game = NELO_PER_SIGMA / (2.0 * variance).sqrt();
        Some(Estimate {
            elo: Interval { value: elo, error },
            nelo: Interval { value: (score - 0.5) * per_game, error: Z_95 * deviation * per_game },
            los: normal_cdf((score - 0.5) / deviation),
            draw_ratio: even as f64 / count,
            pairs_ratio: match lost_twice + lost {
                0 => None,
                pairs_lost => Some((won + won_twice) as f64 / pairs_lost as f64),
            },
        })
    }

    /// The variance of a pair's score, 0 to 1, with a pair more where there is none.
    fn variance(&self) -> f64 {
        let squares = |pairs: f64, score: f64, weights: [f64; 5]| -> f64 {
            let of = |index: usize| index as f64 / 4.0 - score;
            (0..5).map(|index| weights[index] * of(index) * of(index)).sum::<f64>() / pairs
        };
        let pairs = self.pairs() as f64;
        let mut weights = self.0.map(|pairs| pairs as f64);
        if self.0.iter().filter(|&&pairs| pairs > 0).count() > 1 {
            return squares(pairs, self.share(), weights);
        }
        weights[0] += 0.5;
        weights[4] += 0.5;
        squares(pairs + 1.0, (self.share() * pairs + 0.5) / (pairs + 1.0), weights)
    }
}

/// A match in pairs, added up from the tested contestant's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PairTally {
    /// The complete pairs by their score.
    pub pairs: Pentanomial,
    /// Games of complete pairs that it won.
    pub wins: u64,
    /// Games of complete pairs that were drawn.
    pub draws: u64,
    /// Games of complete pairs that it lost.
    pub losses: u64,
    /// Pairs that count for nothing, because a game of theirs has no result or was no contest.
    pub incomplete: u64,
}

impl PairTally {
    /// Adds a pair: the tested contestant's seat in each game, and how the game ended. None stands for a game that
    /// has no result. A pair without two scored games only counts as incomplete.
    pub fn add(&mut self, games: [(Side, Option<Score>); 2]) {
        let [Some(first), Some(second)] = games.map(|(side, score)| half_points(side, score?)) else {
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
        self.pairs.add(first + second);
    }

    /// Games of complete pairs.
    pub fn games(&self) -> u64 {
        2 * self.pairs.pairs()
    }

    /// Points of the tested contestant.
    pub fn points(&self) -> f64 {
        self.pairs.half_points() as f64 / 2.0
    }
}

/// Half points of the contestant on this side; none where it was no contest.
fn half_points(side: Side, score: Score) -> Option<usize> {
    match score {
        Score::Win(winner) => Some(if winner == side { 2 } else { 0 }),
        Score::Draw => Some(1),
        Score::NoContest => None,
    }
}
