//! The lengths of a game's texts, so that each game fits a transcript.

use super::about::{GAME_TEXT_BYTES_MAX, SIDE_TEXT_BYTES_MAX};
use crate::Seat;

/// The lengths of the texts of a game so far: of all that a transcript has. Of the actions that are refused in a turn, it has the first.
#[derive(Clone, Debug, Default)]
pub(super) struct TextLengths {
    /// The bytes of the actions of each side.
    sides: [usize; 2],
    /// The bytes of the effects, and of the reasons against actions.
    game: usize,
    /// True if an action was refused in the present turn.
    has_refused: bool,
}

impl TextLengths {
    /// The reason why a side has too much text with this action; `None` if it has not.
    pub(super) fn objection(&self, seat: Seat, action: &str) -> Option<String> {
        let bytes = self.sides[seat.index()].saturating_add(action.len());
        (bytes > SIDE_TEXT_BYTES_MAX).then(|| {
            format!(
                "the actions of its side have {bytes} bytes of text so far; they can have {SIDE_TEXT_BYTES_MAX} in a game"
            )
        })
    }

    /// Adds an action that was taken, and its effect.
    pub(super) fn take(&mut self, seat: Seat, action: &str, effect: &str) {
        self.add(seat, action, effect);
        self.has_refused = false;
    }

    /// Adds an action that was refused with another try, and the reason.
    pub(super) fn refuse(&mut self, seat: Seat, action: &str, why: &str) {
        if !self.has_refused {
            self.add(seat, action, why);
        }
        self.has_refused = true;
    }

    /// Begins the next turn after one without an action.
    pub(super) fn overrun(&mut self) {
        self.has_refused = false;
    }

    /// Why the code of the game has said too much; `None` if it has not.
    pub(super) fn failure(&self) -> Option<String> {
        let bytes = self.game;
        (bytes > GAME_TEXT_BYTES_MAX).then(|| {
            format!(
                "its effects and its reasons against actions have {bytes} bytes of text so far; they can have {GAME_TEXT_BYTES_MAX} in a game"
            )
        })
    }

    fn add(&mut self, seat: Seat, action: &str, answer: &str) {
        let side = &mut self.sides[seat.index()];
        *side = side.saturating_add(action.len());
        self.game = self.game.saturating_add(answer.len());
    }
}
