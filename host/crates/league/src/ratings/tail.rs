//! Tail probabilities of a score, from its mean, variance and skewness.

use crate::estimate::scale::normal_cdf;

/// The expected number of events above which the Wilson–Hilferty approximation replaces the incomplete gamma function.
/// Chosen: there the two differ by less than 0.0003.
const EVENTS_EXACT_MAX: f64 = 100.0;

/// The expected number of events above which a Poisson distribution counts as normal. Chosen: its skewness is then
/// below 0.001.
const EVENTS_SKEWED_MAX: f64 = 1e6;

/// The most terms of a series. Chosen: with at most [`EVENTS_EXACT_MAX`] events, fewer than 200 are needed.
const TERMS_MAX: usize = 1_000;

/// The moments of a score under a hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    /// The observed score minus its expectation.
    pub(super) surplus: f64,
    /// The variance of the score.
    pub(super) variance: f64,
    /// The third central moment of the score.
    pub(super) third: f64,
}

impl Moments {
    /// The probabilities of a lower and of a higher score than the observed one, where half of the probability of the
    /// observed score itself counts for each (the mid-P convention, H. O. Lancaster, 1961). Their sum is 1.
    ///
    /// The distribution is that of a number of rare events: a Poisson distribution, shifted and scaled so that its first
    /// three moments are those of the score. This is exact for the losses of a bot that hardly ever loses, and nearly
    /// normal if the score is.
    pub(super) fn tails(self) -> [f64; 2] {
        let Self { surplus, variance, third } = self;
        // The score of an event, and the expected number of events.
        let events = variance * variance * variance / (third * third);
        if !events.is_finite() || events > EVENTS_SKEWED_MAX {
            let below = normal_cdf(surplus / variance.sqrt());
            return [below, 1.0 - below];
        }
        let observed = events + surplus * variance / third;
        let fewer = poisson_mid_cdf(observed, events);
        // If an event is a loss, fewer of them are a higher score.
        if third > 0.0 { [fewer, 1.0 - fewer] } else { [1.0 - fewer, fewer] }
    }
}

/// The probability that a Poisson variable with this mean is below `x`, with half of the probability of `x` itself.
/// Between whole numbers it is interpolated by the incomplete gamma function.
fn poisson_mid_cdf(x: f64, mean: f64) -> f64 {
    if mean > EVENTS_EXACT_MAX {
        let shape = x + 0.5;
        if shape <= 0.0 {
            return 0.0;
        }
        // E. B. Wilson and M. M. Hilferty, "The Distribution of Chi-Square", 1931.
        let z = 1.0 - 1.0 / (9.0 * shape) - libm::cbrt(mean / shape);
        return normal_cdf(z * 3.0 * shape.sqrt());
    }
    (upper_gamma(x + 1.0, mean) + upper_gamma(x, mean)) / 2.0
}

/// The regularised upper incomplete gamma function Q(shape, x): for whole numbers the probability that a Poisson variable
/// with the mean x is less than `shape`. 0 for a shape that is not positive.
fn upper_gamma(shape: f64, x: f64) -> f64 {
    if shape <= 0.0 {
        return 0.0;
    }
    if x <= 0.0 {
        return 1.0;
    }
    let scale = libm::exp(shape * libm::log(x) - x - libm::lgamma(shape));
    if x < shape + 1.0 {
        // The series of the lower function.
        let (mut term, mut sum) = (1.0 / shape, 1.0 / shape);
        for step in 1..TERMS_MAX {
            term *= x / (shape + step as f64);
            sum += term;
            if term < sum * 1e-15 {
                break;
            }
        }
        return (1.0 - scale * sum).clamp(0.0, 1.0);
    }
    // The continued fraction, from its far end, by Lentz's method.
    let mut below = x + 1.0 - shape;
    let (mut ratio, mut numerator) = (1.0 / below, f64::INFINITY);
    let mut fraction = ratio;
    for step in 1..TERMS_MAX {
        let step = step as f64;
        let factor = step * (shape - step);
        below += 2.0;
        ratio = 1.0 / (below + factor * ratio);
        numerator = below + factor / numerator;
        let change = numerator * ratio;
        fraction *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (scale * fraction).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tails of a binomial score, term by term.
    fn binomial(games: u32, win: f64, won: u32) -> [f64; 2] {
        let mut log_share = f64::from(games) * (1.0 - win).ln();
        let mut tails = [0.0, 0.0];
        for number in 0..=games {
            let share = log_share.exp();
            match number.cmp(&won) {
                std::cmp::Ordering::Less => tails[0] += share,
                std::cmp::Ordering::Equal => tails.iter_mut().for_each(|tail| *tail += share / 2.0),
                std::cmp::Ordering::Greater => tails[1] += share,
            }
            log_share += (f64::from(games - number) / f64::from(number + 1) * win / (1.0 - win)).ln();
        }
        tails
    }

    fn check(games: u32, win: f64, won: u32, within: f64) {
        let count = f64::from(games);
        let moments = Moments {
            surplus: f64::from(won) - count * win,
            variance: count * win * (1.0 - win),
            third: count * win * (1.0 - win) * (1.0 - 2.0 * win),
        };
        for (ours, exact) in moments.tails().into_iter().zip(binomial(games, win, won)) {
            assert!((ours - exact).abs() < within, "{won} of {games} at {win}: {ours} for {exact}");
        }
    }

    #[test]
    fn tails_of_wins_are_those_of_the_binomial_distribution() {
        for (games, win, won) in [(10, 0.5, 5), (10, 0.5, 8), (20, 0.3, 3), (100, 0.9, 96), (1000, 0.5, 530)]
        {
            check(games, win, won, 0.005);
        }
    }

    #[test]
    fn tails_of_rare_losses_are_nearly_exact() {
        for lost in 0..5 {
            check(1000, 0.998, 1000 - lost, 0.000_5);
            check(1000, 0.002, lost, 0.000_5);
        }
        check(1_000_000, 0.999_7, 999_650, 0.002);
    }

    #[test]
    fn the_incomplete_gamma_function_counts_poisson_events() {
        for mean in [0.01, 0.5, 3.0, 20.0, 90.0_f64] {
            let mut term = (-mean).exp();
            let mut sum = 0.0;
            for number in 1..150 {
                sum += term;
                let ours = upper_gamma(f64::from(number), mean);
                assert!((ours - sum).abs() < 1e-12, "{number} {mean}: {ours} {sum}");
                term *= mean / f64::from(number);
            }
        }
    }

    #[test]
    fn the_two_ways_to_count_events_meet() {
        for x in [70.0, 80.5, 100.0, 119.3, 130.0] {
            let [exact, approximate] = [1.0, 1.0 + 1e-9].map(|scale| poisson_mid_cdf(x, 100.0 * scale));
            assert!((exact - approximate).abs() < 3e-4, "{x}: {exact} {approximate}");
        }
    }
}
