//! What the games of two contestants came to, for formats in which results decide who meets whom.

use super::{Fixture, GameScore};
use crate::{Score, Side};

/// Half points of a game, all told.
const HALF_POINTS_PER_GAME: u32 = 2;

/// Half points that a contestant has who wins so many games.
pub(super) const fn half_points_of_wins(games: u32) -> u32 {
    HALF_POINTS_PER_GAME * games
}

/// A sum over pairs of games between the same two. What belongs to a contestant is in the order in which they are
/// named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// A win is two, a draw one to each; so is each game of a pair that is not whole.
    pub half_points: [u32; 2],
    /// Games won, in whole pairs. Equally many for both where the half points are equal.
    pub wins: [u32; 2],
    /// Faults, in whole pairs.
    pub faults: [u64; 2],
    /// Turns taken in the games won, in whole pairs.
    pub turns_of_wins: [u64; 2],
    /// Pairs of which both games have a result.
    pub whole_pairs: u32,
    /// Games without a result.
    pub games_without_result: u32,
}

impl Tally {
    /// The sum over these games, which are of the same two and come in pairs.
    pub fn of(fixtures: &[Fixture], results: &[Option<GameScore>]) -> Self {
        let mut tally = Self::default();
        for (fixtures, results) in fixtures.chunks_exact(2).zip(results.chunks_exact(2)) {
            if let [Some(first), Some(second)] = *results {
                tally.whole_pairs += 1;
                tally.add_game(fixtures[0], first);
                tally.add_game(fixtures[1], second);
            } else {
                tally.half_points = tally.half_points.map(|points| points + HALF_POINTS_PER_GAME);
                tally.games_without_result += results.iter().filter(|result| result.is_none()).count() as u32;
            }
        }
        tally
    }

    fn add_game(&mut self, fixture: Fixture, game: GameScore) {
        let by_name = |seats: [u32; 2]| {
            let [first, second] = seats;
            if fixture.seats[0] < fixture.seats[1] { [first, second] } else { [second, first] }
        };
        for (sum, faults) in self.faults.iter_mut().zip(by_name(game.faults)) {
            *sum += u64::from(faults);
        }
        match game.score {
            Score::Win(side) => {
                let seat = usize::from(side == Side::Second);
                let winner = usize::from(fixture.seats[seat] != fixture.contestants()[0]);
                self.half_points[winner] += half_points_of_wins(1);
                self.wins[winner] += 1;
                self.turns_of_wins[winner] += u64::from(game.turns[seat]);
            }
            Score::Draw => self.half_points = self.half_points.map(|points| points + 1),
            Score::NoContest => {}
        }
    }

    /// Adds the games of another tally of the same two.
    pub fn add(&mut self, other: &Self) {
        for index in 0..2 {
            self.half_points[index] += other.half_points[index];
            self.wins[index] += other.wins[index];
            self.faults[index] += other.faults[index];
            self.turns_of_wins[index] += other.turns_of_wins[index];
        }
        self.whole_pairs += other.whole_pairs;
        self.games_without_result += other.games_without_result;
    }
}

/// The games of a round and their results, match by match.
pub(super) fn matches_of<'a>(
    fixtures: &'a [Fixture],
    results: &'a [Option<GameScore>],
) -> impl Iterator<Item = (&'a [Fixture], &'a [Option<GameScore>])> {
    let mut begin = 0;
    fixtures.chunk_by(|one, next| one.contestants() == next.contestants()).map(move |games| {
        let played = &results[begin..begin + games.len()];
        begin += games.len();
        (games, played)
    })
}
