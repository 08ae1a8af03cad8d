use super::scale::fixed;
use serde::Serialize;
use std::fmt;

/// The 0.975 quantile of the standard normal distribution, for two-sided intervals of 95 %.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// An estimate with its 95 % interval: value ± error.
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
}

/// The format of chess programs: `12.34 +/- 5.00`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} +/- {}", fixed(self.value, 2), fixed(self.error, 2))
    }
}
