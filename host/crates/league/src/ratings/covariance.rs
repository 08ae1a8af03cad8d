//! How sure ratings are.
//!
//! The sandwich A⁻¹ B A⁻¹: A is the information, B the sum over clusters of the squares of their slopes of the
//! likelihood. A cluster is a pair of games, or whatever was played of it.
//!
//! B alone is too small where there is little to see it from, down to nothing for two equal bots that split every pair.
//! So two things are added to it, both chosen and then measured by simulation (`tests/ratings.rs`):
//!
//! - A virtual draw counts as half a win and half a loss. Then a bot that won everything has bars as wide as without
//!   clusters: there, slopes are small because the bot is strong, not because it is well known.
//! - In each group B is shrunk towards the information of its games, which is what B would be for independent games,
//!   with the weight of [`PRIOR_CLUSTERS`] clusters for each rating.

use super::fit::Fit;
use super::matrix::Matrix;
use super::tally::Tally;
use crate::estimate::scale::logistic;

/// How many clusters for each rating of a group the assumption of independent games is worth. Measured with results that
/// hang together or against one another, for two, three and six contestants up to 400 Elo apart: at 0, of bars from two
/// pairs as few as 87 of 100 held the truth, at 1 as few as 90 and 97 on average, from five pairs on 93 to 100. More only
/// makes bars wide where pairs are split.
const PRIOR_CLUSTERS: f64 = 1.0;

/// The covariance of the strengths and, in the last row, of the seat's advantage, in log odds.
pub(super) fn of(tally: &Tally, groups: &[Vec<usize>], fit: &Fit) -> Matrix {
    let bread = fit.information.inverse();
    bread.around(&filling(tally, groups, fit))
}

fn filling(tally: &Tally, groups: &[Vec<usize>], fit: &Fit) -> Matrix {
    let contestants = fit.strengths.len();
    let trust = trust(tally, groups, contestants);
    let mut filling = Matrix::zero(fit.information.size());
    for (&pair, clusters) in &tally.clusters {
        let kinds = Tally::kinds().map(|kind| (kind, logistic(fit.log_odds(pair, Some(kind)))));
        let trust = trust[pair[0]];
        for (counts, &times) in clusters {
            let games =
                || kinds.iter().zip(counts).map(|((kind, win), &games)| (kind, win, f64::from(games)));
            let strength: f64 = games().map(|(kind, win, games)| games * (kind.score - win)).sum();
            let seat: f64 = games().map(|(kind, win, games)| games * kind.seat * (kind.score - win)).sum();
            let seat = if fit.first_seat.is_some() { seat } else { 0.0 };
            let slope = [(pair[0], strength), (pair[1], -strength), (contestants, seat)];
            filling.add_square(&slope, trust * times as f64);
            for (kind, win, games) in games().filter(|&(_, _, games)| games > 0.0) {
                let weight = (1.0 - trust) * times as f64 * games * win * (1.0 - win);
                filling.add_square(&fit.slope(pair, kind.seat), weight);
            }
        }
    }
    let half_won_half_lost = |win: f64| ((1.0 - win) * (1.0 - win) + win * win) / 2.0;
    for (encounter, draws) in fit.encounters.iter().zip(&fit.draws) {
        let [low, high] = encounter.contestants;
        let win = logistic(fit.log_odds(encounter.contestants, None));
        filling.add_square(&[(low, 1.0), (high, -1.0)], draws * half_won_half_lost(win));
    }
    if let Some(advantage) = fit.first_seat {
        let weight = fit.seat_draws * half_won_half_lost(logistic(advantage));
        filling.add(contestants, contestants, weight);
    }
    filling
}

/// For each contestant, the weight of its group's clusters against the assumption, 0 to 1.
fn trust(tally: &Tally, groups: &[Vec<usize>], contestants: usize) -> Vec<f64> {
    let mut trust = vec![0.0; contestants];
    for group in groups.iter().filter(|group| group.len() > 1) {
        let of_group = tally.clusters.iter().filter(|(pair, _)| group.binary_search(&pair[0]).is_ok());
        let clusters: u64 = of_group.map(|(_, clusters)| clusters.values().sum::<u64>()).sum();
        let per_rating = clusters as f64 / (group.len() - 1) as f64;
        group.iter().for_each(|&member| trust[member] = per_rating / (per_rating + PRIOR_CLUSTERS));
    }
    trust
}
