//! Ratings: how strong contestants are by all the games that were played, and how sure that is.

mod covariance;
mod fit;
mod graph;
mod matrix;
mod tally;

use crate::estimate::scale::ELO_PER_LOGIT;
use crate::{Interval, Score};
use fit::Fit;
use matrix::Matrix;
use serde::Serialize;
use tally::Tally;

/// A game to be rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// The contestants by seat.
    pub seats: [usize; 2],
    /// The number of the pair of games in the match of these two. Games of the same two with the same number count as
    /// dependent on one another.
    pub pair: u32,
    /// How it ended.
    pub score: Score,
}

/// A contestant's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Rating {
    /// Elo above the mean of the contestant's group; none where there is nobody to compare it with.
    pub elo: Option<Interval>,
    /// Games that count.
    pub games: u64,
    /// Half points scored in them.
    pub half_points: u64,
    /// The contestant's group, by its place in [`Ratings::groups`].
    pub group: usize,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Ratings {
    /// The contestants' ratings, in the order in which they are numbered.
    pub ratings: Vec<Rating>,
    /// Contestants between whom there is a chain of games, each group in ascending order, the groups by their first
    /// ones. Ratings of different groups cannot be compared.
    pub groups: Vec<Vec<usize>>,
    /// What sitting in seat 1 is worth, in Elo: between equals, the expected score is that of so much more strength.
    /// None where games cannot tell it from strength, because no two seats were ever swapped; it is part of the ratings
    /// then.
    pub first_seat: Option<Interval>,
    /// Games that count.
    pub games: u64,
    /// Games of these that were drawn.
    pub draws: u64,
    /// The covariance of the ratings, in log odds.
    #[serde(skip)]
    covariance: Matrix,
}

/// Rates contestants by their games, in any order, by the model of Bradley and Terry (1952): the odds that the first of
/// two wins are e^(r₁ − r₂ + s), with a rating r for each contestant and a common advantage s of seat 1. A draw is half
/// a win for each. No contests do not count, nor does a game of a contestant against itself, which tells nothing.
///
/// Ratings are the maximum of a penalised likelihood, so that one who won all games has a number too. To the games
/// come a few virtual draws, as in R. Coulom's BayesElo: half a draw for each contestant, shared out over its opponents
/// by the games against each, and one between equals for the seats. Between two contestants this makes one draw, the
/// Jeffreys prior of log odds (D. Firth, 1993): 10 of 10 counts as 10½ of 11, which is 529 Elo, and 60 of 100 is
/// 69.7 Elo instead of 70.4.
///
/// Error bars are from pairs of games, not from games: the two games of a pair share their seeds. The covariance is the
/// sandwich estimator with pairs as clusters (K.-Y. Liang and S. Zeger, 1986), shrunk towards that of independent games
/// where there are few pairs. See `covariance.rs`.
///
/// The result does not depend on the order of the games, to the last bit.
///
/// # Panics
/// Where a seat's number is not below that of the contestants.
pub fn rate(contestants: usize, games: impl IntoIterator<Item = RatedGame>) -> Ratings {
    let tally = Tally::of(contestants, games);
    let groups = graph::groups(contestants, &tally);
    let fit = Fit::of(&tally, &groups, fit::VIRTUAL_DRAWS);
    let covariance = covariance::of(&tally, &groups, &fit);
    let mut group_of = vec![0; contestants];
    for (group, members) in groups.iter().enumerate() {
        members.iter().for_each(|&member| group_of[member] = group);
    }
    let interval = |log_odds: f64, index: usize| {
        Interval::of(log_odds * ELO_PER_LOGIT, covariance.get(index, index) * ELO_PER_LOGIT * ELO_PER_LOGIT)
    };
    Ratings {
        ratings: (0..contestants)
            .map(|index| Rating {
                elo: (groups[group_of[index]].len() > 1).then(|| interval(fit.strengths[index], index)),
                games: tally.games[index],
                half_points: tally.half_points[index],
                group: group_of[index],
            })
            .collect(),
        first_seat: fit.first_seat.map(|advantage| interval(advantage, contestants)),
        games: tally.games.iter().sum::<u64>() / 2,
        draws: tally.draws,
        groups,
        covariance,
    }
}

impl Ratings {
    /// How much stronger one contestant is than another, in Elo; nothing where their ratings cannot be compared, and for
    /// a contestant and itself.
    pub fn difference(&self, contestant: usize, opponent: usize) -> Option<Interval> {
        let [rating, other] = [contestant, opponent].map(|index| &self.ratings[index]);
        if contestant == opponent || rating.group != other.group {
            return None;
        }
        let variance = self.covariance.get(contestant, contestant) + self.covariance.get(opponent, opponent)
            - 2.0 * self.covariance.get(contestant, opponent);
        Some(Interval::of(rating.elo?.value - other.elo?.value, variance * ELO_PER_LOGIT * ELO_PER_LOGIT))
    }

    /// The likelihood of superiority: how likely it is that one contestant is stronger than another, 0 to 1. Nothing
    /// where there is no [`difference`](Self::difference).
    pub fn los(&self, contestant: usize, opponent: usize) -> Option<f64> {
        self.difference(contestant, opponent).map(|difference| difference.above_zero())
    }

    /// The share of games that were drawn, 0 to 1; nothing where there were none.
    pub fn draw_share(&self) -> Option<f64> {
        (self.games > 0).then(|| self.draws as f64 / self.games as f64)
    }
}

#[cfg(test)]
mod tests;
