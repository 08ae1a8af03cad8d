//! Conversions between scores, Elo and probabilities.
//!
//! They use `libm` instead of the platform's functions, whose last bits differ between machines.

use std::f64::consts::{LN_10, SQRT_2};

/// Elo per unit of log odds. By definition, 400 Elo are odds of 10 to 1.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Normalised Elo per standard deviation of a game's score. Chosen by M. Van den Bergh ("Comments on Normalized Elo",
/// 2021) so that it equals plain Elo for small differences without draws.
pub(crate) const NELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// The probability with these log odds, 0 to 1.
pub(crate) fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + libm::exp(-log_odds))
    } else {
        let odds = libm::exp(log_odds);
        odds / (1.0 + odds)
    }
}

/// The natural logarithm of [`logistic`], exact for extreme log odds too.
pub(crate) fn ln_logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        -libm::log1p(libm::exp(-log_odds))
    } else {
        log_odds - libm::log1p(libm::exp(log_odds))
    }
}

/// The expected score for an Elo difference, 0 to 1.
pub fn score_of_elo(elo: f64) -> f64 {
    logistic(elo / ELO_PER_LOGIT)
}

/// The Elo difference for an expected score. Finite for scores strictly between 0 and 1.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    ELO_PER_LOGIT * (libm::log(score) - libm::log1p(-score))
}

/// The cumulative distribution function of the standard normal distribution.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// Formats a number with this number of decimals, and a zero without a minus sign.
pub(crate) fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|digit| digit == '0' || digit == '.') => zero.into(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_of_ten_to_one_are_400_elo() {
        assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((score_of_elo(-400.0) - 1.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (1.959_963_984_540_054, 0.975)] {
            assert!((normal_cdf(x) - share).abs() < 1e-15);
            assert!((normal_cdf(-x) - (1.0 - share)).abs() < 1e-15);
        }
    }

    #[test]
    fn logarithms_of_extreme_odds_are_exact() {
        assert_eq!(ln_logistic(-800.0), -800.0);
        assert_eq!(logistic(-800.0), 0.0);
        assert!((ln_logistic(2.0) - libm::log(logistic(2.0))).abs() < 1e-15);
    }

    #[test]
    fn zero_is_printed_without_a_minus_sign() {
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(-0.01, 2), "-0.01");
    }
}
