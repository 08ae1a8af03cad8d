//! The sequential test of the difference of two contestants' scores.

use super::{Decision, Sprt, SprtError, wald_bounds};
use crate::{Interval, MeanScore};
use serde::Serialize;

/// The differences of the scores in pairs of games, of the tested contestant to the other one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreDifferences {
    pairs: u64,
    sum: i128,
    squares: i128,
}

impl ScoreDifferences {
    /// Adds a pair, with the sum of the differences in its two games.
    pub fn add(&mut self, difference: i64) {
        let difference = i128::from(difference);
        self.pairs += 1;
        self.sum += difference;
        self.squares += difference * difference;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The mean difference in a game; `None` without pairs.
    pub fn mean(&self) -> Option<MeanScore> {
        let (pairs, mean, variance) = self.moments()?;
        let error = (self.pairs > 1).then(|| Interval::of(mean, variance / (pairs - 1.0)).error);
        Some(MeanScore { mean, error })
    }

    /// The number of pairs, and the mean and the variance of a pair's mean difference.
    fn moments(&self) -> Option<(f64, f64, f64)> {
        let pairs = i128::from(self.pairs);
        if pairs == 0 {
            return None;
        }
        // Whole numbers up to the division, so that it is exact.
        let spread = pairs * self.squares - self.sum * self.sum;
        let count = pairs as f64;
        Some((count, self.sum as f64 / (2.0 * count), spread as f64 / (4.0 * count * count)))
    }
}

/// A sequential probability ratio test on the scores that a game gives.
///
/// H0 says that the tested contestant scores `score0` more in a game than the other one, H1 that it scores `score1` more. The unit is the
/// mean difference in a pair of games with swapped seats. The likelihood ratio is the generalised one for normal differences of unknown
/// variance (M. Van den Bergh, "A practical introduction to the GSPRT"); more than `score1` belongs to H1 and less than `score0` to H0 at
/// the price of [`Sprt::BEYOND_NATS`], as in an [`Sprt`]. A decision waits until it would be the same after two more pairs, one at each end
/// of the possible differences: what rarely happens is often missing among the first pairs.
///
/// The error rates are those of the limit of long tests. Measured for 5 %, in 1,000 tests with each of five distributions and three
/// bounds: 0 to 4.5 % were wrong, and 7.6 % where a tenth of the pairs lose nine times what the others win and the bounds are 0.15 standard
/// deviations apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ScoreSprt {
    score0: f64,
    score1: f64,
    alpha: f64,
    beta: f64,
    /// The largest difference in a game.
    #[serde(skip)]
    most: i64,
}

/// The variance that rounding adds: the mean of a pair is a multiple of a half. It keeps a ratio finite if all pairs are equal.
const ROUNDING: f64 = 0.25 / 12.0;

impl ScoreSprt {
    /// A test with these bounds, which are differences in a game, and these error rates, in a game with this largest difference.
    ///
    /// # Errors
    /// If the bounds or the rates are out of range.
    pub fn new(score0: f64, score1: f64, alpha: f64, beta: f64, most: i64) -> Result<Self, SprtError> {
        let is_within = |score: f64| score.abs() <= most as f64;
        if !is_within(score0) || !is_within(score1) {
            return Err(SprtError::Score(most));
        }
        if score1 <= score0 {
            return Err(SprtError::ScoreOrder);
        }
        Sprt::check_rates(alpha, beta)?;
        Ok(Self { score0, score1, alpha, beta, most })
    }

    /// The difference under H0.
    pub fn score0(&self) -> f64 {
        self.score0
    }

    /// The difference under H1.
    pub fn score1(&self) -> f64 {
        self.score1
    }

    /// The log likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> [f64; 2] {
        wald_bounds(self.alpha, self.beta)
    }

    /// The log likelihood ratio of H1 to H0. Always finite; 0 without pairs.
    pub fn llr(&self, differences: &ScoreDifferences) -> f64 {
        let Some((pairs, mean, variance)) = differences.moments() else { return 0.0 };
        let [h0, h1] = [self.score0, self.score1].map(|score| {
            let off = mean - score;
            super::likelihood::Distance {
                below: off < 0.0,
                nats: pairs / 2.0 * libm::log1p(off * off / (variance + ROUNDING)),
            }
        });
        super::ratio(h0, h1)
    }

    /// The decision after these pairs.
    pub fn decide(&self, differences: &ScoreDifferences) -> Decision {
        let by_ratio = |of: &ScoreDifferences| Decision::of(self.llr(of), self.bounds());
        let decision = by_ratio(differences);
        if decision == Decision::Continue {
            return decision;
        }
        let mut varied = *differences;
        varied.add(2 * self.most);
        varied.add(-2 * self.most);
        if decision == by_ratio(&varied) { decision } else { Decision::Continue }
    }
}
