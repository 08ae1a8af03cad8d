//! The covariance of ratings.
//!
//! It is the sandwich A⁻¹ B A⁻¹, where A is the information, and B the sum over clusters of the squares of their slopes
//! of the likelihood. A cluster is a pair of games, or the games that were played of it.
//!
//! B alone is too small if there are few clusters: for two equal bots that split every pair it is 0. Therefore two
//! things are added to it, both chosen, and then measured by simulation (`tests/ratings.rs`):
//!
//! - A virtual draw counts as half a win and half a loss. This makes the error bars of a bot that won everything as
//!   wide as without clusters: its slopes are small because it is strong, not because its strength is well known.
//! - In each group, B is shrunk towards the information of its games, which is the expected B of independent games. The
//!   information has the weight of [`PRIOR_CLUSTERS`] clusters per rating.

use super::fit::Fit;
use super::graph::Graph;
use super::matrix::Matrix;
use super::tally::{Kind, Tally};
use crate::estimate::scale::logistic;

/// The weight of the assumption of independent games, in clusters per rating of a group. Measured with positively and
/// negatively correlated games, for two, three and six contestants up to 400 Elo apart. With 0, as few as 87 of 100
/// error bars from two pairs contained the truth; with 1, as few as 90, and 97 on average, and from five pairs on 93 to
/// 100. A greater weight only widens the error bars of bots that split their pairs.
const PRIOR_CLUSTERS: f64 = 1.0;

/// The covariance of the fitted values (the strengths, then the advantage of seat 1), in log odds.
pub(super) fn of(tally: &Tally, graph: &Graph, fit: &Fit<'_>) -> Matrix {
    fit.information.inverse().around(&filling(tally, graph, fit))
}

/// B, the filling of the sandwich.
fn filling(tally: &Tally, graph: &Graph, fit: &Fit<'_>) -> Matrix {
    let mut clusters = vec![0; graph.groups.len()];
    for encounter in &tally.encounters {
        clusters[graph.group_of[encounter.contestants[0]]] += encounter.clusters.values().sum::<u64>();
    }
    let mut filling = Matrix::zero(fit.information.size());
    let half_won_half_lost = |win: f64| ((1.0 - win) * (1.0 - win) + win * win) / 2.0;
    for (encounter, &draws) in tally.encounters.iter().zip(&fit.draws) {
        let contestants = encounter.contestants;
        let group = graph.group_of[contestants[0]];
        let per_rating = clusters[group] as f64 / (graph.groups[group].len() - 1) as f64;
        let trust = per_rating / (per_rating + PRIOR_CLUSTERS);
        let kinds = Kind::all().map(|kind| {
            let win = fit.win(contestants, kind);
            (fit.slope(contestants, kind), kind.score - win, win * (1.0 - win))
        });
        for (counts, &times) in &encounter.clusters {
            let mut cluster = fit.slope(contestants, Kind::VIRTUAL_DRAW).map(|(index, _)| (index, 0.0));
            for ((slope, off, _), &games) in kinds.iter().zip(counts) {
                let terms = cluster.iter_mut().zip(slope);
                terms.for_each(|((_, sum), (_, slope))| *sum += f64::from(games) * slope * off);
            }
            filling.add_square(&cluster, trust * times as f64);
        }
        for ((slope, _, information), games) in kinds.iter().zip(encounter.counts) {
            filling.add_square(slope, (1.0 - trust) * games * information);
        }
        let win = fit.win(contestants, Kind::VIRTUAL_DRAW);
        filling.add_square(&fit.slope(contestants, Kind::VIRTUAL_DRAW), draws * half_won_half_lost(win));
    }
    if fit.tells_seats {
        let seat = filling.size() - 1;
        filling.add(seat, seat, fit.seat_draws * half_won_half_lost(logistic(fit.first_seat())));
    }
    filling
}
