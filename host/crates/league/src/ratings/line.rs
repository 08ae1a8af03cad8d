//! The interval of a difference: all values that a test of the score does not reject.
//!
//! A difference of two ratings is tested by moving the ratings along a line on which the difference changes, and all
//! others with it in the least favourable way: in proportion to their covariance with it (C. Stein, 1956). The line has a
//! score, the points of both contestants weighted by how much they say about the difference. A value of the difference is
//! contradicted if, were it true, so high or so low a score would have a probability of less than 2.5 % (the inversion of
//! a score test, as E. B. Wilson's interval of 1927 for a share). This holds near the edges too, where an estimate with
//! its standard error says nothing: a bot with one loss in two hundred games may be much stronger than that, and hardly
//! weaker; one without a loss has no upper end at all.
//!
//! The two games of a pair share their random seeds, so the variance of the score is not that of independent games. It is
//! multiplied by a factor, which is estimated from the squares of the pairs' surpluses (K.-Y. Liang and S. Zeger, 1986).

use super::meeting::{Dependence, Meeting};
use super::tail::Moments;
use crate::estimate::scale::logistic;

/// The probability in each of the two tails outside of an interval.
pub(super) const TAIL: f64 = 0.025;

/// The change of log odds, as a share of the change of the difference, below which games are not computed at each value
/// again: their expected points are taken as linear. Chosen: at the ends of an interval it is wrong by less than the
/// square of this share.
const SLOPE_EXACT_MIN: f64 = 0.05;

/// The farthest value that is tried, in log odds from the estimate. Chosen: 11,000 Elo.
const STEP_MAX: f64 = 64.0;

/// The halvings of the interval in which an end lies. Chosen: they leave less than a millionth of an Elo.
const HALVINGS: usize = 32;

/// The weight of the assumption that the games of a cluster are as dependent as possible, in degrees of freedom. Measured
/// by `tests/coverage.rs`: of the intervals of two equal bots after five pairs, 90 % of them with common luck for the same
/// bot, 94.3 % contain the truth with 1, and 94.5 % with 2.
const PRIOR_DEGREES: f64 = 2.0;

/// The games of some contestants as a function of a difference between two of them.
#[derive(Debug)]
pub(super) struct PointsCurve {
    /// The games whose expected points are computed at each value.
    terms: Vec<Term>,
    /// The moments of all other games at the estimate.
    rest: Moments,
    /// The factor by which the variance differs from that of independent games.
    inflation: f64,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    /// The change of log odds for each unit of the difference.
    slope: f64,
    count: f64,
    points: f64,
    /// The log odds at the estimate.
    log_odds: f64,
}

impl PointsCurve {
    /// The line through these games. `slopes` are the changes of a meeting's log odds for each unit of the difference: the
    /// same in both seats, and more in seat 1 and less in seat 2. If the difference has no finite estimate, the games do not
    /// show how much they depend on each other, and it counts as much as possible.
    pub(super) fn new<'a>(
        meetings: impl IntoIterator<Item = (&'a Meeting, [f64; 2])>,
        has_estimate: bool,
    ) -> Self {
        let mut line = Self { terms: Vec::new(), rest: Moments::default(), inflation: 1.0 };
        let mut dependence = Dependence::default();
        for (meeting, [slope, seat_slope]) in meetings {
            meeting.add_to(&mut dependence, slope, seat_slope);
            for (games, slope) in meeting.seats.iter().zip([slope + seat_slope, slope - seat_slope]) {
                let term = Term { slope, count: games.count, points: games.points, log_odds: games.log_odds };
                if slope.abs() >= SLOPE_EXACT_MIN {
                    if games.count > 0.0 {
                        line.terms.push(term);
                    }
                } else {
                    term.add_to(&mut line.rest, games.win);
                }
            }
        }
        line.inflation = if has_estimate { dependence.inflation() } else { dependence.full() };
        line
    }

    /// The probabilities of a lower and of a higher score than the observed one, if the difference is this much above the
    /// estimate.
    pub(super) fn tails(&self, step: f64) -> [f64; 2] {
        let mut sum = Moments { surplus: self.rest.surplus - step * self.rest.variance, ..self.rest };
        for term in &self.terms {
            term.add_to(&mut sum, logistic(term.log_odds + step * term.slope));
        }
        // As if there were so many fewer games, each with so many times the score.
        sum.variance *= self.inflation;
        sum.third *= self.inflation * self.inflation;
        sum.tails()
    }

    /// The end of the interval below the estimate, from the estimate. `None` when every value is possible.
    pub(super) fn low(&self) -> Option<f64> {
        self.end(-1.0, |[_, above]| above)
    }

    /// The end of the interval above the estimate, from the estimate. `None` when every value is possible.
    pub(super) fn high(&self) -> Option<f64> {
        self.end(1.0, |[below, _]| below)
    }

    /// The first value in this direction at which a tail is small enough.
    fn end(&self, sign: f64, tail: impl Fn([f64; 2]) -> f64) -> Option<f64> {
        let is_outside = |step: f64| tail(self.tails(sign * step)) <= TAIL;
        let mut outside = 1.0 / 64.0;
        while !is_outside(outside) {
            outside *= 2.0;
            if outside > STEP_MAX {
                return None;
            }
        }
        let mut inside = if outside > 1.0 / 64.0 { outside / 2.0 } else { 0.0 };
        for _ in 0..HALVINGS {
            let middle = (inside + outside) / 2.0;
            *(if is_outside(middle) { &mut outside } else { &mut inside }) = middle;
        }
        Some(sign * outside)
    }
}

impl Term {
    /// Adds these games to the moments of the score, if each is won with this probability.
    fn add_to(&self, sum: &mut Moments, win: f64) {
        let Self { slope, count, points, .. } = *self;
        let variance = slope * slope * count * win * (1.0 - win);
        sum.surplus += slope * (points - count * win);
        sum.variance += variance;
        sum.third += variance * slope * (1.0 - 2.0 * win);
    }
}

impl Dependence {
    /// The factor by which the variance of the score differs from that of independent games: the estimate, which is worth
    /// its degrees of freedom (F. E. Satterthwaite, 1946), and the assumption of full dependence, which is worth
    /// [`PRIOR_DEGREES`].
    fn inflation(&self) -> f64 {
        if self.left <= 0.0 {
            return self.full();
        }
        let estimate = self.observed.max(0.0) / self.left;
        if self.spread <= 0.0 {
            return estimate;
        }
        let degrees = 2.0 * self.independent * self.left / self.spread;
        (degrees * estimate + PRIOR_DEGREES * self.full()) / (degrees + PRIOR_DEGREES)
    }

    /// The same factor, if the games of a cluster depend on each other as much as possible: 2 for pairs between equals.
    fn full(&self) -> f64 {
        if self.independent > 0.0 { self.dependent / self.independent } else { 1.0 }
    }
}
