//! The sequential probability ratio test: is a contestant stronger than another, with as few games as it takes?

mod likelihood;

use crate::Pentanomial;
use crate::estimate::scale::{NELO_PER_SIGMA, score_of_elo};
use likelihood::{Cells, Distance};
use serde::Serialize;

/// What the bounds of a test are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// Plain Elo: a score.
    #[default]
    Logistic,
    /// Normalised Elo: a score by its standard deviation, so that a test takes as long whatever the share of draws.
    Normalized,
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The tested contestant is not stronger by `elo1`.
    AcceptH0,
    /// The tested contestant is stronger by more than `elo0`.
    AcceptH1,
    /// More pairs are needed.
    Continue,
}

/// Why bounds and errors make no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// A bound is too far out, or not a number.
    #[error("elo0 and elo1 must be numbers from -{max} to {max}", max = Sprt::ELO_MAX)]
    Elo,
    /// The bounds are the wrong way round, or too close to one another.
    #[error("elo1 must be above elo0 by at least {min}", min = Sprt::ELO_GAP_MIN)]
    Order,
    /// The error rates are none that a test can hold.
    #[error("alpha and beta must each be between 0 and 1, and less than 1 together")]
    Rates,
}

/// A sequential probability ratio test of pairs of games: H0 says that the tested contestant is stronger by `elo0`, H1
/// that it is by `elo1`. After each pair the test goes on or accepts one of them; with a true difference of `elo0` or
/// less it accepts H1 in a share of `alpha` of all tests at the most, with `elo1` or more it accepts H0 in `beta`. These
/// shares are exact in the limit of long tests. For 5 %, 4,000 tests each of ten kinds of pairs and four pairs of bounds
/// from \[0, 10\] to \[0, 200\] were wrong in 0 to 6 %; the worst were of bots that split 96 of 100 pairs.
///
/// The likelihood ratio is the generalised one for the five results of a pair: each hypothesis is given the
/// distribution that it allows and that fits the pairs best (M. Van den Bergh, "A practical introduction to the GSPRT"
/// and "Comments on Normalized Elo"). It is what fishtest and fastchess print, but for one thing.
///
/// Taken at their word, H0 and H1 are both wrong about a bot that wins every pair, and nearly equally so: in a test of
/// \[0, 10\] it would take 104 pairs to tell. So "stronger by more than `elo1`" belongs to H1 and "less than `elo0`" to
/// H0, each at a price of [`BEYOND_NATS`](Self::BEYOND_NATS) in the logarithm of the likelihood. It pays where the
/// score is some ten standard errors past a bound, and makes that 77 pairs.
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
    /// The farthest bound. Chosen: a score of 99.7 %, where a game more or less is worth hundreds of Elo.
    pub const ELO_MAX: f64 = 1000.0;

    /// The least distance of the bounds. Chosen: a test of it takes 100 million pairs.
    pub const ELO_GAP_MIN: f64 = 0.01;

    /// What a difference beyond the bounds costs a hypothesis, in natural logarithms of the likelihood.
    ///
    /// Chosen so that it is never what makes a test go wrong. By a portfolio's regret (T. Cover and E. Ordentlich,
    /// 1996) and Ville's inequality, the best fit's likelihood ever gets a factor of L ahead of a true hypothesis of
    /// one score within N pairs with a probability of (N + 1) / L at the most, which is nothing for e^50. A tenth of it
    /// would do, but then more tests would print another ratio than fishtest and fastchess.
    pub const BEYOND_NATS: f64 = 50.0;

    /// A test of these bounds in Elo, with these rates of error.
    ///
    /// # Errors
    /// Where the bounds or the rates make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, SprtError> {
        let within = |elo: f64| elo.abs() <= Self::ELO_MAX;
        let rate = |rate: f64| rate > 0.0 && rate < 1.0;
        if !within(elo0) || !within(elo1) {
            Err(SprtError::Elo)
        } else if elo1 - elo0 < Self::ELO_GAP_MIN {
            Err(SprtError::Order)
        } else if !rate(alpha) || !rate(beta) || alpha + beta >= 1.0 {
            Err(SprtError::Rates)
        } else {
            Ok(Self { elo0, elo1, alpha, beta, model })
        }
    }

    /// The difference that H0 says, in Elo.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference that H1 says, in Elo.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The log likelihood ratios at which H0 and H1 are accepted: Wald's bounds.
    pub fn bounds(&self) -> [f64; 2] {
        [libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha)]
    }

    /// The logarithm of the likelihood ratio of H1 to H0; always a number, and 0 with no pair.
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
        match (h0, h1) {
            (Distance::Below(h0), h1) => h0.min(Self::BEYOND_NATS) - h1.nats(),
            (h0, Distance::Above(h1)) => h0.nats() - h1.min(Self::BEYOND_NATS),
            (h0, h1) => h0.nats() - h1.nats(),
        }
    }

    /// What the test says of these pairs.
    pub fn decide(&self, pairs: &Pentanomial) -> Decision {
        let [lower, upper] = self.bounds();
        match self.llr(pairs) {
            llr if llr <= lower => Decision::AcceptH0,
            llr if llr >= upper => Decision::AcceptH1,
            _ => Decision::Continue,
        }
    }
}
