//! What a person is typing: a spot, or an action in a few words.

use super::{Answer, Confirm};
use crate::key::Key;

/// The most characters somebody may type. Chosen: the longest thing that means something has a dozen.
const TYPED_MAX: usize = 16;

/// A line that is being typed.
#[derive(Clone, Debug, Default)]
pub(super) struct Typed(String);

impl Typed {
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// What was typed; the line is empty after that.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }

    /// Takes a letter, a digit or one of these marks, if there is room, and says whether it did.
    pub(super) fn push(&mut self, c: char, marks: &str) -> bool {
        let fits = self.0.len() < TYPED_MAX && (c.is_ascii_alphanumeric() || marks.contains(c));
        if fits {
            self.0.push(c);
        }
        fits
    }

    /// What the keys do that take something back: a character, the line, or in the end the turn.
    pub(super) fn take_back(&mut self, key: Key) -> Option<Answer> {
        match key {
            Key::Backspace if !self.is_empty() => {
                self.0.pop();
                Some(Answer::Changed)
            }
            Key::Esc if !self.is_empty() => {
                self.clear();
                Some(Answer::Changed)
            }
            Key::Esc => Some(Answer::Confirm(Confirm::Leave)),
            _ => None,
        }
    }
}
