//! Ratings: the strength of each contestant by all games that were played, with error bars.

mod covariance;
mod fit;
mod graph;
mod matrix;
mod tally;

use crate::estimate::scale::ELO_PER_LOGIT;
use crate::{Interval, Score};
use fit::Fit;
use graph::Graph;
use matrix::Matrix;
use serde::Serialize;
use tally::Tally;

/// A game to be rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// The contestants by seat.
    pub seats: [usize; 2],
    /// The number of the pair of games between these two. Games of the same two with the same number count as
    /// dependent.
    pub pair: u32,
    /// The result.
    pub score: Score,
}

/// A contestant's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Rating {
    /// Elo above the mean of the contestant's group. `None` if it is alone in its group.
    pub elo: Option<Interval>,
    /// The number of its games that count.
    pub games: u64,
    /// Half points scored in them.
    pub half_points: u64,
    /// The index of its group in [`Ratings::groups`].
    pub group: usize,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Ratings {
    /// The ratings by contestant.
    pub ratings: Vec<Rating>,
    /// The groups of contestants who are connected by games, directly or through others. Each group is in ascending
    /// order, the groups are in the order of their first members. Ratings of different groups cannot be compared.
    pub groups: Vec<Vec<usize>>,
    /// The advantage of seat 1, in Elo: between equals, seat 1 has the expected score of a contestant who is stronger
    /// by this much. `None` if the games cannot tell it from strength, for example because no two contestants ever
    /// swapped seats; then it is part of the ratings.
    pub first_seat: Option<Interval>,
    /// The number of games that count.
    pub games: u64,
    /// The number of these games that were drawn.
    pub draws: u64,
    /// The covariance of the ratings, in log odds.
    #[serde(skip)]
    covariance: Matrix,
}

/// Rates contestants by their games, in any order, with the model of Bradley and Terry (1952): the odds that the
/// contestant in seat 1 wins are e^(r₁ − r₂ + s), where each contestant has a rating r, and seat 1 an advantage s. A draw
/// is half a win for each. No contests do not count, nor does a game of a contestant against itself, which contains no
/// information.
///
/// Ratings maximise a penalised likelihood, so that they are finite even for a contestant who won all games. The
/// penalty is a few virtual draws, as in R. Coulom's BayesElo: half a draw for each contestant, shared out over its
/// opponents in proportion to their games, and one draw between equals for the seats. For two contestants this makes
/// one draw, the Jeffreys prior of log odds (D. Firth, 1993): 10 of 10 counts as 10½ of 11, which is 529 Elo, and 60 of
/// 100 is 69.7 Elo instead of 70.4.
///
/// Error bars are computed from pairs of games, because the two games of a pair share their random seeds. The
/// covariance is the sandwich estimator with pairs as clusters (K.-Y. Liang and S. Zeger, 1986), shrunk towards that of
/// independent games if there are few pairs. See `covariance.rs`.
///
/// The result does not depend on the order of the games, to the last bit.
///
/// # Panics
/// If a contestant in a game is not below `contestants`.
pub fn rate(contestants: usize, games: impl IntoIterator<Item = RatedGame>) -> Ratings {
    let tally = Tally::of(contestants, games);
    let graph = Graph::of(&tally);
    let fit = Fit::of(&tally, &graph, fit::VIRTUAL_DRAWS);
    let covariance = covariance::of(&tally, &graph, &fit);
    let interval = |index: usize| {
        let variance = covariance.get(index, index) * ELO_PER_LOGIT * ELO_PER_LOGIT;
        Interval::of(fit.values[index] * ELO_PER_LOGIT, variance)
    };
    let rating = |index: usize| Rating {
        elo: (graph.groups[graph.group_of[index]].len() > 1).then(|| interval(index)),
        games: tally.games[index],
        half_points: tally.half_points[index],
        group: graph.group_of[index],
    };
    Ratings {
        ratings: (0..contestants).map(rating).collect(),
        first_seat: graph.tells_seats.then(|| interval(contestants)),
        games: tally.games.iter().sum::<u64>() / 2,
        draws: tally.draws,
        groups: graph.groups,
        covariance,
    }
}

impl Ratings {
    /// The Elo difference of two contestants, positive if the first is stronger. `None` if their ratings cannot be
    /// compared, and for a contestant and itself.
    pub fn difference(&self, contestant: usize, opponent: usize) -> Option<Interval> {
        let [rating, other] = [contestant, opponent].map(|index| &self.ratings[index]);
        if contestant == opponent || rating.group != other.group {
            return None;
        }
        let variance = self.covariance.get(contestant, contestant) + self.covariance.get(opponent, opponent)
            - 2.0 * self.covariance.get(contestant, opponent);
        Some(Interval::of(rating.elo?.value - other.elo?.value, variance * ELO_PER_LOGIT * ELO_PER_LOGIT))
    }

    /// The likelihood of superiority: the probability that the first contestant is stronger than the second, 0 to 1.
    /// `None` if there is no [`difference`](Self::difference).
    pub fn los(&self, contestant: usize, opponent: usize) -> Option<f64> {
        self.difference(contestant, opponent).map(|difference| difference.above_zero())
    }
}

#[cfg(test)]
mod tests;
