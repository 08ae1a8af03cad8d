use super::scale::{fixed, normal_cdf};
use serde::Serialize;
use std::fmt;

/// The normal distribution's quantile of 0.975, so that a bar holds 95 %.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// An estimate with its bar: the value, give or take the error, in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Half the width of the 95 % interval; never negative.
    pub error: f64,
}

impl Interval {
    pub(crate) fn of(value: f64, variance: f64) -> Self {
        Self { value, error: Z_95 * variance.sqrt() }
    }

    /// How likely the true value is above 0, from 0 to 1, with a normal distribution of the error. A half where the
    /// value is 0.
    pub fn above_zero(&self) -> f64 {
        if self.value == 0.0 { 0.5 } else { normal_cdf(self.value / (self.error / Z_95)) }
    }
}

/// `12.34 +/- 5.00`, as programs for chess print it.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} +/- {}", fixed(self.value, 2), fixed(self.error, 2))
    }
}
