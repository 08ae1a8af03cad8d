//! Scores: whole numbers that a game gives its sides besides the result.

use crate::{Game, Outcome, Reason, Rules, Seat};
use serde::{Deserialize, Serialize};

/// The largest absolute value in the range of a loaded game's scores. A part of the contract. Chosen: far more than any chips, and a sum
/// over two games of it is a number that every reader of JSON keeps.
pub const SCORE_MAX: i64 = 1_000_000_000;

/// The score of each side of a game, by seat.
pub type Scores = [i64; 2];

/// The range of the scores of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRange {
    /// The lowest one.
    pub minimum: i64,
    /// The highest one.
    pub maximum: i64,
}

impl ScoreRange {
    /// True for a score in the range.
    pub fn contains(self, score: i64) -> bool {
        (self.minimum..=self.maximum).contains(&score)
    }

    /// The scores of a game that this side has won by a fault of the other: no side saves points by a fault.
    pub const fn of_fault(self, winner: Seat) -> Scores {
        match winner {
            Seat::First => [self.maximum, self.minimum],
            Seat::Second => [self.minimum, self.maximum],
        }
    }
}

/// The scores of a game with this end; `None` by rules without scores, and for a game that does not count. The state is that after the end
/// of a game that was played.
pub fn scores<G: Game>(
    rules: &G::Rules,
    game: Option<&G>,
    (outcome, reason): (Outcome, Reason),
) -> Option<Scores> {
    let range = rules.score_range()?;
    match (outcome, reason) {
        (Outcome::NoContest, _) => None,
        (Outcome::Win(winner), Reason::Forfeit | Reason::BadDeploy) => Some(range.of_fault(winner)),
        _ => game?.scores(),
    }
}
