//! The score of several games between the same two.

use arena_record::{Header, Seated};
use arena_rules::{Outcome, Seat};
use arena_text::counted;

/// A score: the games that each of two bots has won, and drawn games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The games won, first by the bot that had seat 1 in the first game.
    pub wins: [u32; 2],
    /// The drawn games and those of no contest.
    pub draws: u32,
}

impl Score {
    /// The number of games.
    pub fn games(self) -> u32 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// The sum of two scores.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let wins = [self.wins[0] + other.wins[0], self.wins[1] + other.wins[1]];
        Self { wins, draws: self.draws + other.draws }
    }

    /// The score for the bot on the left and the one on the right: `2–1`, and drawn games after it.
    pub(crate) fn text(self, is_swapped: bool) -> String {
        let [mut left, mut right] = self.wins;
        if is_swapped {
            std::mem::swap(&mut left, &mut right);
        }
        match self.draws {
            0 => format!("{left}–{right}"),
            draws => format!("{left}–{right}, {}", counted(draws, "draw")),
        }
    }
}

/// The games before the one on the screen.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// The bot that had seat 1 in the first game.
    first: Seated,
    /// The number of games of the series.
    pub(super) games: u32,
    score: Score,
}

impl Series {
    /// A series of this number of games that begins with the game of this header.
    pub(super) fn new(header: &Header, games: u32) -> Self {
        Self { first: header.bots[0].clone(), games, score: Score::default() }
    }

    /// The seat that the bot on the left has in a game. For self-play, it is always seat 1.
    pub(super) fn left(&self, header: &Header) -> Seat {
        let is_first = |seat: Seat| header.bots[seat.index()].bot == self.first.bot;
        if is_first(Seat::First) { Seat::First } else { Seat::Second }
    }

    /// Counts a game that is over.
    pub(super) fn count(&mut self, header: &Header, outcome: Option<Outcome>) {
        self.score = self.score_with(header, outcome);
    }

    /// The score with the game on the screen, if it is over.
    pub(super) fn score_with(&self, header: &Header, outcome: Option<Outcome>) -> Score {
        let mut score = self.score;
        match outcome {
            Some(Outcome::Win(seat)) => score.wins[usize::from(seat != self.left(header))] += 1,
            Some(Outcome::Draw) => score.draws += 1,
            Some(Outcome::NoContest) | None => {}
        }
        score
    }
}
