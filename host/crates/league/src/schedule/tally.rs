//! The score of a match, for formats in which results decide the next pairings.

use super::{Fixture, GameScore};
use crate::Score;

/// The half points of a game: 2 for a win, 1 each for a draw.
pub(super) const HALF_POINTS_PER_GAME: u32 = 2;

/// A game of a schedule with its result, `None` when it has none because of a failure of the arena.
pub(super) type Recorded = (Fixture, Option<GameScore>);

/// The sums over pairs of games between the same two contestants. Arrays hold the values of the lower-numbered
/// contestant first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MatchTally {
    /// Half points: 2 for a win, 1 each for a draw. Both games of an incomplete pair count as drawn.
    pub half_points: [u32; 2],
    /// Games won, in complete pairs. Equal for both if the half points are equal.
    pub wins: [u32; 2],
    /// Faults, in complete pairs.
    pub faults: [u64; 2],
    /// Turns taken in won games, in complete pairs.
    pub turns_of_wins: [u64; 2],
    /// Pairs of which both games have a result.
    pub complete_pairs: u32,
    /// Games without a result.
    pub games_without_result: u32,
}

impl MatchTally {
    /// Adds games. They are between these two and come in pairs.
    pub fn add(&mut self, games: &[Recorded]) {
        for pair in games.chunks_exact(2) {
            if let [(fixture, Some(first)), (swapped, Some(second))] = *pair {
                self.complete_pairs += 1;
                self.add_game(fixture, first);
                self.add_game(swapped, second);
            } else {
                self.half_points = self.half_points.map(|points| points + HALF_POINTS_PER_GAME);
                self.games_without_result +=
                    pair.iter().filter(|(_, result)| result.is_none()).count() as u32;
            }
        }
    }

    fn add_game(&mut self, fixture: Fixture, game: GameScore) {
        for (seat, contestant) in fixture.seats.into_iter().enumerate() {
            let index = usize::from(contestant != fixture.contestants()[0]);
            self.faults[index] += u64::from(game.faults[seat]);
            self.half_points[index] += game.score.half_points().map_or(0, |half_points| half_points[seat]);
            if matches!(game.score, Score::Win(side) if side as usize == seat) {
                self.wins[index] += 1;
                self.turns_of_wins[index] += u64::from(game.turns[seat]);
            }
        }
    }
}

/// The games of a round, match by match.
pub(super) fn matches_of(games: &[Recorded]) -> impl Iterator<Item = &[Recorded]> {
    games.chunk_by(|(one, _), (next, _)| one.contestants() == next.contestants())
}
