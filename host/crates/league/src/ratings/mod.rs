//! Ratings: the strength of each contestant by all games that were played, and the differences that they leave possible.

mod difference;
mod fit;
mod graph;
mod line;
mod matrix;
mod meeting;
mod pairing;
mod tail;
mod tally;

pub use difference::Difference;
pub use pairing::{InSeat, Pairing};

use crate::Score;
use crate::estimate::scale::ELO_PER_LOGIT;
use fit::Fit;
use graph::Graph;
use line::PointsCurve;
use matrix::Matrix;
use meeting::Meeting;
use tally::Tally;

/// The number of pairs of games that each of two contestants must have played for a likelihood of superiority. Chosen:
/// after fewer, one more pair often moves it by 10 % and more.
pub const LOS_PAIRS_MIN: u64 = 10;

/// A game to be rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// The contestants by seat.
    pub seats: [usize; 2],
    /// The number of the pair of games between these two. The two games of a pair count as dependent; a third one with the
    /// same number begins another pair.
    pub pair: u32,
    /// The result.
    pub score: Score,
}

/// A likelihood of superiority.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Superiority {
    /// One of the two has played fewer than [`LOS_PAIRS_MIN`] pairs.
    TooEarly,
    /// The probability that the first contestant is stronger than the second, 0 to 1.
    Likelihood(f64),
}

/// The ratings of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    tally: Tally,
    graph: Graph,
    /// The games as the fit expects them.
    meetings: Vec<Meeting>,
    /// The strengths by contestant, with the mean 0 in each group, then the advantage of seat 1, in log odds.
    values: Vec<f64>,
    /// The covariance of the values, if all games are independent.
    covariance: Matrix,
}

/// The games to be rated, as sums: their size does not depend on the number of games.
///
/// ```
/// use arena_league::{RatedGame, RatedGames, Score, Side};
///
/// let mut games = RatedGames::new(2);
/// for (pair, seats) in [(0, [0, 1]), (0, [1, 0])] {
///     // The first contestant wins from either seat.
///     let side = if seats[0] == 0 { Side::First } else { Side::Second };
///     games.add(RatedGame { seats, pair, score: Score::Win(side) });
/// }
/// assert!(games.rate().strength(0) > games.rate().strength(1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RatedGames(Tally);

impl RatedGames {
    /// No games between this number of contestants.
    pub fn new(contestants: usize) -> Self {
        Self(Tally::new(contestants))
    }

    /// Adds contestants without games, up to this number.
    pub fn grow(&mut self, contestants: usize) {
        self.0.grow(contestants);
    }

    /// Adds a game. Games may come in any order.
    ///
    /// # Panics
    /// If a contestant is not below the number of contestants.
    pub fn add(&mut self, game: RatedGame) {
        self.0.add(game);
    }

    /// Rates the contestants with the model of Bradley and Terry (1952): the odds that the contestant in seat 1 wins are
    /// e^(r₁ − r₂ + s), where each contestant has a rating r, and seat 1 an advantage s. A draw is half a win for each. Games
    /// without a result are excluded, and so are games of a contestant against itself, which contain no information.
    ///
    /// Estimates maximise a penalised likelihood. The penalty is a few virtual draws, as in R. Coulom's BayesElo: half a draw
    /// for each contestant, shared out over its opponents in proportion to their games, and one draw between equals for the
    /// seats. For two contestants this makes one draw, the Jeffreys prior of log odds (D. Firth, 1993): 60 of 100 is 69.7 Elo
    /// instead of 70.4. A contestant who won all games has an estimate too, which only serves to put the contestants in order.
    ///
    /// A difference of two ratings is an interval: see [`Difference`].
    ///
    /// The result does not depend on the order of the games, to the last bit.
    pub fn rate(&self) -> Ratings {
        let Self(tally) = self;
        let graph = Graph::of(tally);
        let fit = Fit::of(tally, &graph, fit::VIRTUAL_DRAWS);
        let covariance = fit.information.inverse();
        let meeting = |encounter: &tally::Encounter| {
            let [low, high] = encounter.contestants;
            let uncertainty =
                covariance.get(low, low) + covariance.get(high, high) - 2.0 * covariance.get(low, high);
            Meeting::of(encounter, fit.log_odds_by_seat(encounter.contestants), uncertainty)
        };
        let meetings = tally.encounters().map(meeting).collect();
        let values = fit.values.clone();
        Ratings { tally: tally.clone(), graph, meetings, values, covariance }
    }
}

/// Rates contestants by these games: see [`RatedGames::rate`].
///
/// # Panics
/// If a contestant in a game is not below `contestants`.
pub fn rate(contestants: usize, games: impl IntoIterator<Item = RatedGame>) -> Ratings {
    let mut rated = RatedGames::new(contestants);
    games.into_iter().for_each(|game| rated.add(game));
    rated.rate()
}

impl Ratings {
    /// The groups of contestants who are connected by games, directly or through others. Each group is in ascending order,
    /// the groups are in the order of their first members. Ratings of different groups cannot be compared.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.graph.groups
    }

    /// The index of a contestant's group in [`groups`](Self::groups).
    pub fn group_of(&self, contestant: usize) -> usize {
        self.graph.group_of[contestant]
    }

    /// The number of games that count.
    pub fn games(&self) -> u64 {
        self.tally.games.iter().sum::<u64>() / 2
    }

    /// The number of these games that were drawn.
    pub fn draws(&self) -> u64 {
        self.tally.draws
    }

    /// The estimate of a contestant's strength, in Elo above the mean of its group: to put contestants in order. `None`
    /// when it is alone in its group.
    pub fn strength(&self, contestant: usize) -> Option<f64> {
        let group = &self.graph.groups[self.group_of(contestant)];
        (group.len() > 1).then(|| self.values[contestant] * ELO_PER_LOGIT)
    }

    /// The contestant in the middle of these by strength, the weaker of two; of two equal ones, the one with the lower
    /// number counts as stronger. `None` for an empty list.
    pub fn middle(&self, contestants: impl IntoIterator<Item = usize>) -> Option<usize> {
        let mut ordered: Vec<_> = contestants.into_iter().collect();
        ordered.sort_unstable();
        ordered.sort_by(|&one, &other| self.values[other].total_cmp(&self.values[one]));
        ordered.get(ordered.len() / 2).copied()
    }

    /// The Elo difference of two contestants, positive if the first is stronger. `None` when their ratings cannot be
    /// compared, and for a contestant and itself.
    pub fn difference(&self, contestant: usize, opponent: usize) -> Option<Difference> {
        if contestant == opponent || self.group_of(contestant) != self.group_of(opponent) {
            return None;
        }
        let reaches = |one: usize, other: usize| self.graph.reach(one)[other];
        let ends = [reaches(contestant, opponent), reaches(opponent, contestant)];
        let estimate = self.values[contestant] - self.values[opponent];
        Some(Difference::of(&self.line_between(contestant, opponent, ends == [true; 2]), estimate, ends))
    }

    /// The likelihood of superiority of a contestant over another: the share of the probability that is below the score that
    /// was observed, if both were equal. `None` when there is no [`difference`](Self::difference).
    pub fn los(&self, contestant: usize, opponent: usize) -> Option<Superiority> {
        if contestant == opponent || self.group_of(contestant) != self.group_of(opponent) {
            return None;
        }
        if [contestant, opponent].iter().any(|&one| self.tally.clusters[one] < LOS_PAIRS_MIN) {
            return Some(Superiority::TooEarly);
        }
        let has_estimate = self.graph.reach(contestant)[opponent] && self.graph.reach(opponent)[contestant];
        let line = self.line_between(contestant, opponent, has_estimate);
        let [below, _] = line.tails(self.values[opponent] - self.values[contestant]);
        Some(Superiority::Likelihood(below))
    }

    /// The advantage of seat 1, in Elo: between equals, seat 1 has the expected score of a contestant who is stronger by this
    /// much. `None` when the games cannot distinguish it from strength, for example because no two contestants ever swapped
    /// seats; then it is part of the ratings.
    pub fn first_seat(&self) -> Option<Difference> {
        let seat = self.values.len() - 1;
        self.graph.tells_seats.then(|| {
            let line = self.line(&[(seat, 1.0)], true);
            Difference::of(&line, self.values[seat], [true; 2])
        })
    }

    /// All pairs of contestants that have met, in ascending order, by their own games only.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> {
        self.tally.encounters().map(Pairing::of)
    }

    fn line_between(&self, contestant: usize, opponent: usize, has_estimate: bool) -> PointsCurve {
        self.line(&[(contestant, 1.0), (opponent, -1.0)], has_estimate)
    }

    /// The line on which this combination of values changes.
    fn line(&self, combination: &[(usize, f64)], has_estimate: bool) -> PointsCurve {
        let along = |index: usize| -> f64 {
            combination.iter().map(|&(of, weight)| weight * self.covariance.get(index, of)).sum()
        };
        let variance: f64 = combination.iter().map(|&(of, weight)| weight * along(of)).sum();
        let direction: Vec<f64> = (0..self.values.len()).map(|index| along(index) / variance).collect();
        let seat_slope = if self.graph.tells_seats { direction[self.values.len() - 1] } else { 0.0 };
        let meetings = self.meetings.iter().map(|meeting| {
            let [low, high] = meeting.contestants;
            (meeting, [direction[low] - direction[high], seat_slope])
        });
        PointsCurve::new(meetings, has_estimate)
    }
}

#[cfg(test)]
mod tests;
