//! Differences between two bots that did the same tasks.

use crate::Interval;

impl Interval {
    /// The mean of differences with its 95 % interval; `None` for fewer than two, whose spread is not known. It assumes that the
    /// mean is normally distributed, which is accurate for some tens of differences or more. It does not depend on their
    /// order, to the last bit.
    ///
    /// ```
    /// use arena_league::Interval;
    ///
    /// // 1.95996 · √(((−2)² + 0² + 2²) / 2 / 3)
    /// let mean = Interval::of_mean([-1, 1, 3]).unwrap();
    /// assert_eq!(mean.value, 1.0);
    /// assert!((mean.error - 2.263_2).abs() < 0.000_1);
    /// assert_eq!(Interval::of_mean([5]), None);
    /// ```
    pub fn of_mean(differences: impl IntoIterator<Item = i64>) -> Option<Self> {
        // Whole numbers up to the division, so that it is exact.
        let (mut count, mut sum, mut squares) = (0_i128, 0_i128, 0_i128);
        for difference in differences {
            let difference = i128::from(difference);
            count += 1;
            sum += difference;
            squares += difference * difference;
        }
        if count < 2 {
            return None;
        }
        let variance = (count * squares - sum * sum) as f64 / (count * (count - 1)) as f64 / count as f64;
        Some(Self::of(sum as f64 / count as f64, variance))
    }
}
