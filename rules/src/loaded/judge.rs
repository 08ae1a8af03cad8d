//! The rules of the contract that hold for the course of any game. Matches and `arena check` apply them by this code.

use super::About;
use super::about::{GAME_TEXT_BYTES_MAX, SIDE_TEXT_BYTES_MAX};
use crate::{ScoreRange, Scores, Seat};

/// The course of a game, as far as the contract limits it: its turns, and its texts, so that each game fits a transcript. Of the actions
/// that are refused in a turn, a transcript has the first. Any seat may have the next turn.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    turns_max: u32,
    scores: Option<ScoreRange>,
    turns: [u32; 2],
    /// The bytes of the actions of each side.
    sides: [usize; 2],
    /// The bytes of the effects, and of the reasons against actions.
    game: usize,
    /// True if an action was refused in the present turn.
    has_refused: bool,
}

/// A rule of the contract that a game breaks: a text that reads on from the name of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// It has no turn.
    #[error("returns a game that is over before its first turn")]
    OverAtStart,
    /// It goes on after its largest number of turns.
    #[error("has not ended the game after {0} turns, its `max-game-length`")]
    Endless(u32),
    /// Its texts are too long: their bytes.
    #[error(
        "returns effects and reasons against actions that have {0} bytes as text in this game; they can have {GAME_TEXT_BYTES_MAX}: return \
         only what an observation does not have"
    )]
    TooMuchText(usize),
    /// It has scores, and `describe` has no range of them.
    #[error("returns `scores`, and `describe` returns no range of them: return `none`, or add the range")]
    StrayScores,
    /// It has no scores, and `describe` has a range of them.
    #[error("returns no `scores`, and `describe` returns a range of them: return the score of each player")]
    NoScores,
    /// A score is outside of the range.
    #[error(
        "returns the score {score}, outside of {} to {}, the range that `describe` returns",
        range.minimum,
        range.maximum
    )]
    BadScore {
        /// The score.
        score: i64,
        /// The range.
        range: ScoreRange,
    },
}

impl Breach {
    /// The function of the contract that breaks the rule.
    pub const fn call(self) -> &'static str {
        match self {
            Self::OverAtStart => "new-initial-state",
            Self::Endless(_) | Self::TooMuchText(_) => "apply-action",
            Self::StrayScores | Self::NoScores | Self::BadScore { .. } => "outcome",
        }
    }
}

impl From<Breach> for String {
    fn from(breach: Breach) -> Self {
        format!("`{}` {breach}", breach.call())
    }
}

impl Judge {
    /// The judge of a game before its beginning.
    pub fn new(about: &About) -> Self {
        Self { turns_max: about.max_game_length, scores: about.scores, ..Self::default() }
    }

    /// The number of turns that a side has taken.
    pub const fn turns(&self, seat: Seat) -> u32 {
        self.turns[seat.index()]
    }

    /// Judges the beginning of a game, in which a seat is to move if the game goes on.
    ///
    /// # Errors
    /// The game is over.
    pub const fn begin(goes_on: bool) -> Result<(), Breach> {
        if goes_on { Ok(()) } else { Err(Breach::OverAtStart) }
    }

    /// The reason why a side has too much text with this action, and loses; `None` if it has not.
    pub fn objection(&self, seat: Seat, action: &str) -> Option<String> {
        let bytes = self.sides[seat.index()].saturating_add(action.len());
        (bytes > SIDE_TEXT_BYTES_MAX).then(|| {
            format!(
                "the actions of its side have {bytes} bytes of text so far; they can have {SIDE_TEXT_BYTES_MAX} in a game"
            )
        })
    }

    /// Judges a turn with an action that was taken, its effect, and whether the game goes on after it.
    ///
    /// # Errors
    /// The game breaks a rule.
    pub fn act(&mut self, seat: Seat, action: &str, effect: &str, goes_on: bool) -> Result<(), Breach> {
        self.add(seat, action, effect)?;
        self.turn(seat, goes_on)
    }

    /// Judges an action that was refused with another try, and the reason.
    ///
    /// # Errors
    /// The game breaks a rule.
    pub fn refuse(&mut self, seat: Seat, action: &str, why: &str) -> Result<(), Breach> {
        if std::mem::replace(&mut self.has_refused, true) {
            return Ok(());
        }
        self.add(seat, action, why)
    }

    /// Judges the end of a turn: of one without an action, this is all.
    ///
    /// # Errors
    /// The game breaks a rule.
    pub fn turn(&mut self, seat: Seat, goes_on: bool) -> Result<(), Breach> {
        self.has_refused = false;
        self.turns[seat.index()] += 1;
        let is_endless = goes_on && self.turns[0] + self.turns[1] >= self.turns_max;
        if is_endless { Err(Breach::Endless(self.turns_max)) } else { Ok(()) }
    }

    /// Judges the scores of a game that has ended on the board.
    ///
    /// # Errors
    /// They are not as `describe` announces them.
    pub fn end(&self, scores: Option<Scores>) -> Result<(), Breach> {
        match (self.scores, scores) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Breach::StrayScores),
            (Some(_), None) => Err(Breach::NoScores),
            (Some(range), Some(scores)) => match scores.into_iter().find(|&score| !range.contains(score)) {
                Some(score) => Err(Breach::BadScore { score, range }),
                None => Ok(()),
            },
        }
    }

    fn add(&mut self, seat: Seat, action: &str, answer: &str) -> Result<(), Breach> {
        let side = &mut self.sides[seat.index()];
        *side = side.saturating_add(action.len());
        self.game = self.game.saturating_add(answer.len());
        if self.game > GAME_TEXT_BYTES_MAX { Err(Breach::TooMuchText(self.game)) } else { Ok(()) }
    }
}
