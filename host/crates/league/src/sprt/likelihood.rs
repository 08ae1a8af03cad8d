//! The distance of pairs of games from a hypothesis: the log likelihood that the hypothesis costs.

use crate::Pentanomial;
use crate::estimate::pairs::{SCORES, mean_and_variance};

/// The weight of an empty cell, so that every distribution over the five scores stays possible. Chosen by fishtest, and
/// adopted by fastchess.
const EMPTY_CELL: f64 = 1e-3;

/// The most steps of an iteration. Chosen: the worst of 20,000 random cases took fewer than 60, and most take four.
const STEPS_MAX: usize = 200;

/// The numbers of pairs with each of the five results, none of them 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells([f64; 5]);

/// The distance of pairs from a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distance {
    /// True if the pairs scored less than the hypothesis says.
    pub(super) below: bool,
    /// The log likelihood of the best fit, minus that of the best fit that the hypothesis allows. Never negative.
    pub(super) nats: f64,
}

impl Cells {
    pub(super) fn of(pairs: &Pentanomial) -> Self {
        Self(pairs.0.map(|pairs| if pairs == 0 { EMPTY_CELL } else { pairs as f64 }))
    }

    /// The distance from the distributions with this mean score, strictly between 0 and 1.
    pub(super) fn distance_from_score(&self, score: f64) -> Distance {
        let (mean, _) = moments(&self.0);
        Distance { below: mean < score, nats: self.constrained(&SCORES.map(|of| of - score)).nats }
    }

    /// The distance from the distributions whose mean is this number of their standard deviations above ½.
    ///
    /// The method is that of section 4.1 of "Comments on Normalized Elo": the constraint is replaced by its tangent at
    /// a distribution, and the best distribution on the tangent is the next one. The first tangent here is at a
    /// distribution so narrow, and so near the end on the hypothesis' side, that there are distributions on both sides
    /// of it. If the pairs are short of the hypothesis, each step gains likelihood, because the allowed set is the
    /// union of the far sides of its tangents.
    pub(super) fn distance_from_sigmas(&self, sigmas: f64) -> Distance {
        if sigmas == 0.0 {
            return self.distance_from_score(0.5);
        }
        let (mean, deviation) = moments(&self.0);
        let mut at = (if sigmas > 0.0 { 1.0 } else { 0.0 }, 0.5 / sigmas.abs().max(1.0));
        let mut nats = f64::INFINITY;
        for _ in 0..STEPS_MAX {
            let best = self.constrained(&tangent(sigmas, at));
            if (best.nats - nats).abs() <= 1e-10 * (1.0 + best.nats) {
                break;
            }
            nats = best.nats;
            at = moments(&best.distribution);
        }
        Distance { below: mean - 0.5 < sigmas * deviation, nats }
    }

    /// The most likely distribution under which a linear statistic has the mean 0. The statistic has these values in the
    /// five cells, which must have both signs. Found by a Lagrange multiplier: proposition 1.1 of M. Van den Bergh's "MLE
    /// for a multinomial distribution".
    fn constrained(&self, values: &[f64; 5]) -> Constrained {
        let weights = &self.0;
        let extreme = |pick: fn(f64, f64) -> f64| values.iter().copied().fold(0.0, pick);
        let (mut low, mut high) = (-1.0 / extreme(f64::max), -1.0 / extreme(f64::min));
        let mut multiplier = 0.0;
        // Newton's method on a decreasing function, with bisection for steps that would leave the bracket.
        for _ in 0..STEPS_MAX {
            let (mut sum, mut slope) = (0.0, 0.0);
            for (weight, value) in weights.iter().zip(values) {
                let term = value / (1.0 + multiplier * value);
                sum += weight * term;
                slope -= weight * term * term;
            }
            *(if sum > 0.0 { &mut low } else { &mut high }) = multiplier;
            let newton = multiplier - sum / slope;
            let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
            let step = (next - multiplier).abs();
            multiplier = next;
            if step <= 1e-14 * multiplier.abs() {
                break;
            }
        }
        let factors = values.map(|value| 1.0 + multiplier * value);
        Constrained {
            nats: weights.iter().zip(factors).map(|(weight, factor)| weight * libm::log(factor)).sum(),
            distribution: std::array::from_fn(|cell| weights[cell] / factors[cell]),
        }
    }
}

struct Constrained {
    nats: f64,
    /// The weights of the cells. Their sum need not be 1.
    distribution: [f64; 5],
}

/// The mean and the standard deviation of a pair's score.
fn moments(weights: &[f64; 5]) -> (f64, f64) {
    let (mean, variance) = mean_and_variance(weights);
    (mean, variance.sqrt())
}

/// The linearisation of: mean − ½ − σ·(standard deviation), at a distribution with this mean and standard deviation.
fn tangent(sigmas: f64, (mean, deviation): (f64, f64)) -> [f64; 5] {
    SCORES.map(|score| {
        let off = (score - mean) / deviation;
        score - 0.5 - sigmas * deviation * (1.0 + off * off) / 2.0
    })
}
