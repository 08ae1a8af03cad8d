use serde::Serialize;

/// An estimate with its 95 % interval, whose ends need not be equally far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Bounded {
    /// The estimate.
    pub value: f64,
    /// The lower end; at most the estimate.
    pub low: f64,
    /// The upper end; at least the estimate.
    pub high: f64,
}

impl Bounded {
    /// The difference of two independent estimates. Each end is as far as the two ends that lead there, added in squares:
    /// method 10 of R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of
    /// eleven methods", Statistics in Medicine 17 (1998), which has intervals of shares. G. Y. Zou and A. Donner,
    /// "Construction of confidence limits about effect measures: a general approach", Statistics in Medicine 27 (2008), have
    /// it for intervals of any origin.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        let value = self.value - other.value;
        let far = |one: f64, another: f64| (one * one + another * another).sqrt();
        Self {
            value,
            low: value - far(self.value - self.low, other.high - other.value),
            high: value + far(self.high - self.value, other.value - other.low),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::interval::Z_95;
    use proptest::prelude::*;

    /// A share of a number of tries with its interval by E. B. Wilson (1927).
    fn wilson(won: u32, of: u32) -> Bounded {
        let (won, of) = (f64::from(won), f64::from(of));
        let value = won / of;
        let (middle, scale) = (value + Z_95 * Z_95 / (2.0 * of), 1.0 + Z_95 * Z_95 / of);
        let half = Z_95 * (value * (1.0 - value) / of + Z_95 * Z_95 / (4.0 * of * of)).sqrt();
        Bounded { value, low: (middle - half) / scale, high: (middle + half) / scale }
    }

    fn is_near(one: f64, other: f64, within: f64) -> bool {
        (one - other).abs() < within
    }

    #[test]
    fn differences_of_shares_have_the_published_intervals() {
        // Two of the examples in Newcombe's paper, with four decimals.
        for ([won, of], [other_won, other_of], low, high) in
            [([56, 70], [48, 80], 0.0524, 0.3339), ([9, 10], [3, 10], 0.1705, 0.8090)]
        {
            let difference = wilson(won, of).minus(wilson(other_won, other_of));
            let is_published =
                is_near(difference.low, low, 0.000_06) && is_near(difference.high, high, 0.000_06);
            assert!(is_published, "{difference:?}");
        }
    }

    /// An estimate with its interval.
    fn bounded() -> impl Strategy<Value = Bounded> {
        (-1.0..1.0, 0.0..1.0, 0.0..1.0).prop_map(|(value, below, above)| Bounded {
            value,
            low: value - below,
            high: value + above,
        })
    }

    proptest! {
        #[test]
        fn a_difference_is_in_its_interval_which_is_wider_than_each_of_the_two(one in bounded(), other in bounded()) {
            let difference = one.minus(other);
            prop_assert!(difference.low <= difference.value && difference.value <= difference.high);
            let width = |it: Bounded| it.high - it.low;
            prop_assert!(width(difference) > width(one).max(width(other)) - 1e-12);
            prop_assert!(width(difference) < width(one) + width(other) + 1e-12);
        }

        #[test]
        fn a_difference_from_the_other_side_is_its_negative(one in bounded(), other in bounded()) {
            let (ours, theirs) = (one.minus(other), other.minus(one));
            for (ours, theirs) in [(ours.value, theirs.value), (ours.low, theirs.high), (ours.high, theirs.low)] {
                prop_assert!(is_near(ours, -theirs, 1e-12), "{ours} {theirs}");
            }
        }

        #[test]
        fn more_tries_with_the_same_shares_make_a_narrower_interval(
            won in 0_u32..=10, other in 0_u32..=10, times in 2_u32..50
        ) {
            let width = |times: u32| {
                let difference = wilson(won * times, 10 * times).minus(wilson(other * times, 10 * times));
                difference.high - difference.low
            };
            prop_assert!(width(times) < width(1));
        }

        #[test]
        fn even_intervals_add_their_variances(values in [-1.0..1.0, -1.0..1.0], errors in [0.0..1.0, 0.0..1.0]) {
            let [one, other] = [0, 1].map(|at| {
                let (value, error): (f64, f64) = (values[at], errors[at]);
                Bounded { value, low: value - error, high: value + error }
            });
            let difference = one.minus(other);
            let error = errors[0].hypot(errors[1]);
            prop_assert!(is_near(difference.high - difference.value, error, 1e-12));
            prop_assert!(is_near(difference.value - difference.low, error, 1e-12));
        }
    }
}
