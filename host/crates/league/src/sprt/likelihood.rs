//! How far pairs are from a hypothesis: the loss of log likelihood by the best distribution that it allows.

use crate::Pentanomial;

/// What stands for no pair in a cell, so that every distribution on the five scores stays possible. Chosen by fishtest,
/// and taken over by fastchess.
const EMPTY_CELL: f64 = 1e-3;

/// The most steps of an iteration. Chosen: the worst of 20,000 drawn cases took fewer than 60, most take four.
const STEPS_MAX: usize = 200;

/// The five results of pairs, none of them empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells([f64; 5]);

/// The loss of log likelihood that a hypothesis costs, 0 or more, and on which side of it the pairs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Distance {
    /// The pairs did worse than the hypothesis says.
    Below(f64),
    /// The pairs did as the hypothesis says, or better.
    Above(f64),
}

impl Distance {
    pub(super) fn nats(self) -> f64 {
        match self {
            Self::Below(nats) | Self::Above(nats) => nats,
        }
    }

    fn new(below: bool, nats: f64) -> Self {
        if below { Self::Below(nats) } else { Self::Above(nats) }
    }
}

impl Cells {
    pub(super) fn of(pairs: &Pentanomial) -> Self {
        Self(pairs.0.map(|pairs| if pairs == 0 { EMPTY_CELL } else { pairs as f64 }))
    }

    /// The distance from the distributions with this mean score, strictly between 0 and 1.
    pub(super) fn distance_from_score(&self, score: f64) -> Distance {
        let (mean, _) = moments(&self.0);
        Distance::new(mean < score, self.constrained(&SCORES.map(|of| of - score)).nats)
    }

    /// The distance from the distributions whose mean is so many of their standard deviations above an even score.
    ///
    /// By section 4.1 of "Comments on Normalized Elo": the constraint is replaced by its tangent at a distribution, the
    /// tangent's best distribution is the next one. Here the first tangent is one at a distribution so narrow, and so
    /// near the end on the hypothesis' side, that some distributions are on either side of it. For pairs short of the
    /// hypothesis each step gains likelihood, since the allowed set is the union of its tangents' far sides.
    pub(super) fn distance_from_sigmas(&self, sigmas: f64) -> Distance {
        let (mean, deviation) = moments(&self.0);
        let below = mean - 0.5 < sigmas * deviation;
        if sigmas == 0.0 {
            return self.distance_from_score(0.5);
        }
        let mut at = (if sigmas > 0.0 { 1.0 } else { 0.0 }, 0.5 / sigmas.abs().max(1.0));
        let mut last = f64::INFINITY;
        for _ in 0..STEPS_MAX {
            let best = self.constrained(&tangent(sigmas, at));
            if (best.nats - last).abs() <= 1e-10 * (1.0 + best.nats) {
                break;
            }
            last = best.nats;
            at = moments(&best.distribution);
        }
        Distance::new(below, last)
    }

    /// The best distribution for which a linear statistic, with these values in the five cells, has the mean 0: by a
    /// Lagrange multiplier, proposition 1.1 of M. Van den Bergh's "MLE for a multinomial distribution". The values
    /// have both signs.
    fn constrained(&self, values: &[f64; 5]) -> Constrained {
        let weights = &self.0;
        let extreme = |pick: fn(f64, f64) -> f64| values.iter().copied().fold(0.0, pick);
        let (mut low, mut high) = (-1.0 / extreme(f64::max), -1.0 / extreme(f64::min));
        let mut multiplier = 0.0;
        // Newton's method on a falling function, by halves where it would leave the bracket.
        for _ in 0..STEPS_MAX {
            let (mut sum, mut slope) = (0.0, 0.0);
            for (weight, value) in weights.iter().zip(values) {
                let term = value / (1.0 + multiplier * value);
                sum += weight * term;
                slope -= weight * term * term;
            }
            if sum > 0.0 {
                low = multiplier;
            } else {
                high = multiplier;
            }
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
    /// By weights that need not add up to 1.
    distribution: [f64; 5],
}

/// A pair's score in each cell, 0 to 1.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Mean and standard deviation of a pair's score.
fn moments(weights: &[f64; 5]) -> (f64, f64) {
    let cells = || weights.iter().zip(SCORES);
    let total: f64 = weights.iter().sum();
    let mean = cells().map(|(weight, score)| weight * score).sum::<f64>() / total;
    let variance =
        cells().map(|(weight, score)| weight * (score - mean) * (score - mean)).sum::<f64>() / total;
    (mean, variance.sqrt())
}

/// Mean − ½ − σ·(standard deviation), made linear at a distribution with this mean and standard deviation.
fn tangent(sigmas: f64, (mean, deviation): (f64, f64)) -> [f64; 5] {
    SCORES.map(|score| {
        let off = (score - mean) / deviation;
        score - 0.5 - sigmas * deviation * (1.0 + off * off) / 2.0
    })
}
