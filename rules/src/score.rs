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

/// True if a side that won for this reason has won by a fault of the other.
const fn is_fault(reason: Reason) -> bool {
    matches!(reason, Reason::Forfeit | Reason::BadDeploy)
}

/// True for scores that a game with this end can have, by rules with scores of this range.
pub fn can_have_scores(
    scores: Option<Scores>,
    range: Option<ScoreRange>,
    (outcome, reason): (Outcome, Reason),
) -> bool {
    match (range, outcome) {
        (None, _) | (_, Outcome::NoContest) => scores.is_none(),
        (Some(range), Outcome::Win(winner)) if is_fault(reason) => scores == Some(range.of_fault(winner)),
        (Some(range), _) => scores.is_some_and(|of| of.into_iter().all(|score| range.contains(score))),
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
        (Outcome::Win(winner), _) if is_fault(reason) => Some(range.of_fault(winner)),
        _ => game?.scores(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_range_and_of_a_fault_its_ends() {
        let range = Some(ScoreRange { minimum: -2, maximum: 5 });
        let win = Outcome::Win(Seat::Second);
        let own = Reason::own("line");
        for (scores, end, is_possible) in [
            (Some([-2, 5]), (win, own), true),
            (Some([5, -2]), (win, own), true),
            (Some([-3, 5]), (win, own), false),
            (Some([-2, 6]), (Outcome::Draw, Reason::TurnsMax), false),
            (None, (win, own), false),
            (Some([-2, 5]), (win, Reason::Forfeit), true),
            (Some([-2, 5]), (win, Reason::BadDeploy), true),
            (Some([5, -2]), (win, Reason::Forfeit), false),
            (Some([-2, 4]), (win, Reason::BadDeploy), false),
            (None, (Outcome::NoContest, Reason::BothBadDeploy), true),
            (Some([0, 0]), (Outcome::NoContest, Reason::BothBadDeploy), false),
        ] {
            assert_eq!(can_have_scores(scores, range, end), is_possible, "{scores:?}, {end:?}");
            assert_eq!(can_have_scores(scores, None, end), scores.is_none(), "{scores:?}, {end:?}");
        }
    }
}
