use super::line::PointsCurve;
use crate::estimate::scale::ELO_PER_LOGIT;
use serde::Serialize;

/// An Elo difference, as far as the games determine it.
///
/// The interval has a confidence of 95 %: the games have a probability of 2.5 % or more for each difference in it, counting
/// half of that of the very score that was observed. An end may be missing: a contestant who won all games may be stronger
/// by any amount. Then there is no estimate, and the games give only the other end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Difference {
    /// The estimate. `None` when an end is missing.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval. `None` when any smaller difference is possible.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval. `None` when any larger difference is possible.
    pub high: Option<f64>,
}

impl Difference {
    /// The difference with this estimate, in log odds, and the interval on the line through it; `ends` says if there can be a
    /// lower and an upper end.
    pub(super) fn of(line: &PointsCurve, estimate: f64, ends: [bool; 2]) -> Self {
        let end = |can_be: bool, end: &dyn Fn() -> Option<f64>| {
            can_be.then(end).flatten().map(|step| (estimate + step) * ELO_PER_LOGIT)
        };
        let (low, high) = (end(ends[0], &|| line.low()), end(ends[1], &|| line.high()));
        let elo = low.and(high).map(|_| estimate * ELO_PER_LOGIT);
        Self { elo, low, high }
    }

    /// The difference seen from the other side.
    pub fn reversed(self) -> Self {
        Self {
            elo: self.elo.map(|elo| -elo),
            low: self.high.map(|high| -high),
            high: self.low.map(|low| -low),
        }
    }
}
