//! The sequential probability ratio test: decides with as few games as possible if a contestant is stronger than
//! another.

mod likelihood;
mod score;

pub use score::{ScoreDifferences, ScoreSprt};

use crate::Pentanomial;
use crate::estimate::scale::{NELO_PER_SIGMA, score_of_elo};
use likelihood::{Cells, Distance};
use serde::Serialize;

/// The unit of the bounds of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// Plain Elo, which is a function of the score.
    #[default]
    Logistic,
    /// Normalised Elo, which divides by the standard deviation of the score. The length of a test does not depend on
    /// the share of draws.
    Normalized,
}

impl EloModel {
    /// The name of the unit, as it follows a number.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Logistic => "Elo",
            Self::Normalized => "normalised Elo",
        }
    }
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// H0 is accepted: the tested contestant is not stronger by `elo1`.
    AcceptH0,
    /// H1 is accepted: the tested contestant is stronger by more than `elo0`.
    AcceptH1,
    /// More pairs are needed.
    Continue,
}

/// The reason why the parameters of a test are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// A bound is too large or not a number.
    #[error("elo0 and elo1 must be numbers from -{max} to {max}", max = Sprt::ELO_MAX)]
    Elo,
    /// The bounds are in the wrong order, or too close together.
    #[error("elo1 must be above elo0 by at least {min}", min = Sprt::ELO_GAP_MIN)]
    Order,
    /// A bound is larger than any difference of scores.
    #[error("score0 and score1 must be numbers from -{0} to {0}")]
    Score(i64),
    /// The bounds of scores are in the wrong order.
    #[error("score1 must be above score0")]
    ScoreOrder,
    /// The error rates are not between 0 and 1, or too large together.
    #[error("alpha and beta must each be between 0 and 1, and less than 1 together")]
    Rates,
}

/// A sequential probability ratio test on pairs of games.
///
/// H0 says that the tested contestant is stronger by `elo0`, H1 that it is stronger by `elo1`. After each pair the test
/// continues or accepts one of them. If the true difference is `elo0` or less, at most a share `alpha` of all tests
/// accepts H1; if it is `elo1` or more, at most a share `beta` accepts H0. These shares are exact in the limit of long
/// tests. In short ones, the variance of the first pairs is often too small by chance, and a decision by the ratio alone is
/// wrong too often: [`decide`](Self::decide) therefore waits until one pair more of each outright result would not change it.
/// Measured for 5 %: of 2,000 tests with each of ten distributions of pairs and five pairs of bounds, from \[0, 20\] to \[0,
/// 200\], 0 to 5.8 % were wrong, where the simulation itself has a standard error of 0.5 %; without waiting, up to 6.2 %,
/// the worst for bots that split 96 of 100 pairs, of which now 2.5 % are wrong. It makes tests of \[0, 20\] longer by 1 % on
/// average, of \[0, 60\] by 3 %, and those that take ten pairs by three pairs.
///
/// The likelihood ratio is the generalised one for the five results of a pair: for each hypothesis, the distribution
/// that it allows and that fits the pairs best (M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments
/// on Normalized Elo"). It is the ratio that fishtest and fastchess print, with one exception.
///
/// Taken literally, H0 and H1 are both wrong about a bot that wins every pair, and nearly equally so: a test of \[0,
/// 10\] would need 104 pairs. Therefore "stronger by more than `elo1`" belongs to H1, and "by less than `elo0`" to H0,
/// each at a price of [`BEYOND_NATS`](Self::BEYOND_NATS) in log likelihood. This only makes a difference if the score
/// is about ten standard errors beyond a bound. The test of that bot then needs 77 pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

impl Sprt {
    /// The largest absolute value of a bound. Chosen: it is a score of 99.7 %, where a single game is worth hundreds of
    /// Elo.
    pub const ELO_MAX: f64 = 1000.0;

    /// The least difference of the bounds. Chosen: a test with it takes 100 million pairs.
    pub const ELO_GAP_MIN: f64 = 0.01;

    /// The price of a difference beyond the bounds, in log likelihood (natural logarithm).
    ///
    /// Chosen so that it never causes a wrong decision. By the regret of a universal portfolio (T. Cover and E.
    /// Ordentlich, 1996) and Ville's inequality, the probability that the likelihood of the best fit exceeds that of a
    /// true hypothesis of one score by a factor of L at any time within N pairs is at most (N + 1) / L, which is
    /// negligible for e^50. A tenth of it would suffice, but then more tests would print other ratios than fishtest and
    /// fastchess.
    pub const BEYOND_NATS: f64 = 50.0;

    /// A test with these bounds in Elo and these error rates.
    ///
    /// # Errors
    /// If the bounds or the rates are out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, SprtError> {
        let within = |elo: f64| elo.abs() <= Self::ELO_MAX;
        if !within(elo0) || !within(elo1) {
            Err(SprtError::Elo)
        } else if elo1 - elo0 < Self::ELO_GAP_MIN {
            Err(SprtError::Order)
        } else {
            Self::check_rates(alpha, beta)?;
            Ok(Self { elo0, elo1, alpha, beta, model })
        }
    }

    fn check_rates(alpha: f64, beta: f64) -> Result<(), SprtError> {
        let is_rate = |rate: f64| rate > 0.0 && rate < 1.0;
        if is_rate(alpha) && is_rate(beta) && alpha + beta < 1.0 { Ok(()) } else { Err(SprtError::Rates) }
    }

    /// The Elo difference under H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference under H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The unit of the bounds.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// The log likelihood ratios at which H0 and H1 are accepted (Wald's bounds).
    pub fn bounds(&self) -> [f64; 2] {
        wald_bounds(self.alpha, self.beta)
    }

    /// The log likelihood ratio of H1 to H0. Always finite; 0 without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let cells = Cells::of(pairs);
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => cells.distance_from_score(score_of_elo(elo)),
            // A pair's score has half the variance of a game's.
            EloModel::Normalized => {
                cells.distance_from_sigmas(elo / NELO_PER_SIGMA * std::f64::consts::SQRT_2)
            }
        });
        ratio(h0, h1)
    }

    /// The decision after these pairs. It is only taken if it would be the same after one more pair that is won outright, and
    /// one that is lost outright: the first pairs of a test often have less variance than those that follow.
    pub fn decide(&self, pairs: &Pentanomial) -> Decision {
        let decision = self.decide_by_ratio(pairs);
        // Most pairs of a test decide nothing, and two more change nothing then.
        if decision == Decision::Continue {
            return decision;
        }
        let mut varied = *pairs;
        varied.add(0);
        varied.add(4);
        if decision == self.decide_by_ratio(&varied) { decision } else { Decision::Continue }
    }

    fn decide_by_ratio(&self, pairs: &Pentanomial) -> Decision {
        Decision::of(self.llr(pairs), self.bounds())
    }
}

impl Decision {
    /// The decision by a log likelihood ratio alone.
    fn of(llr: f64, [lower, upper]: [f64; 2]) -> Self {
        match llr {
            llr if llr <= lower => Self::AcceptH0,
            llr if llr >= upper => Self::AcceptH1,
            _ => Self::Continue,
        }
    }
}

/// Wald's bounds of a log likelihood ratio, for these error rates.
fn wald_bounds(alpha: f64, beta: f64) -> [f64; 2] {
    [libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha)]
}

/// The log likelihood ratio of H1 to H0, by the distances of the pairs from both.
fn ratio(h0: Distance, h1: Distance) -> f64 {
    match (h0.below, h1.below) {
        (true, _) => h0.nats.min(Sprt::BEYOND_NATS) - h1.nats,
        (false, false) => h0.nats - h1.nats.min(Sprt::BEYOND_NATS),
        (false, true) => h0.nats - h1.nats,
    }
}
