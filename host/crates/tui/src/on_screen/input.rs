//! The input of a person: a deployment or an action, which each game has its own way to put together.

use super::OnScreen;
use crate::grid::Block;
use crate::help::Keys;
use arena_live::Decision;
use arena_pictures::{Moment, Tone};
use arena_rules::{Coord, Size};
use crossterm::event::KeyCode;
use std::fmt;

/// The largest number of characters to type. Chosen: the longest input that means something has a dozen.
const TYPED_MAX: usize = 16;

/// A deployment or an action that a person is putting together.
pub trait Input<G: OnScreen>: fmt::Debug {
    /// Answers a key.
    fn key(&mut self, key: KeyCode, moment: &Moment<G>) -> Reaction<G>;

    /// Answers a click on a cell of the person's own board, or of the other one. It is the same as going there and pressing
    /// Enter; the right button only moves the cursor.
    fn click(&mut self, click: Click, moment: &Moment<G>) -> Reaction<G>;

    /// Answers a click on one of the [choices](Self::choices), by its place among them. It only chooses it.
    fn pick(&mut self, _place: usize) -> Reaction<G> {
        Reaction::Nothing
    }

    /// Answers the person's consent to [`Confirm::Input`].
    fn confirmed(&mut self) -> Reaction<G> {
        Reaction::Nothing
    }

    /// A line about the effect of Enter now.
    fn hint(&self, moment: &Moment<G>) -> (String, Tone);

    /// Draws the input on the person's own board and the other one.
    fn draw(&self, moment: &Moment<G>, boards: [&mut Block; 2]);

    /// The list that the person can choose from; `None` if there is none.
    fn choices(&self) -> Option<Choices<'_>> {
        None
    }

    /// The text that is being typed, and the cursor, which stays for the next turn; `None` when this input takes no
    /// text. If text is typed, all keys are the input's own; otherwise the screen answers those for help and for
    /// leaving.
    fn typed(&self) -> Option<(&str, Coord)> {
        None
    }

    /// The keys for the bottom of the screen.
    fn keys(&self) -> &'static Keys;

    /// The key to leave the game; `None` while the input itself takes that key and `?`.
    fn quit_key(&self) -> Option<&'static str> {
        Some("q")
    }
}

/// A list to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices<'a> {
    /// Those that fit what was typed.
    pub list: Vec<&'a str>,
    /// The place of the chosen one in the list.
    pub chosen: Option<usize>,
    /// The number of all, whether they fit or not.
    pub of: usize,
}

/// A click on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Click {
    /// The cell.
    pub at: Coord,
    /// True on the person's own board.
    pub is_own: bool,
    /// True with the left button.
    pub decides: bool,
}

/// The reaction to a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reaction<G: OnScreen> {
    /// None.
    Nothing,
    /// The screen has to be drawn again.
    Changed,
    /// A line for the person: the reason why an input is not legal.
    Notice(String),
    /// A decision for the referee.
    Decided(Decision<G>),
    /// A question to the person.
    Confirm(Confirm<G>),
    /// The help.
    Help,
}

/// A question that the person is asked to confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirm<G: OnScreen> {
    /// Leave the game?
    Leave,
    /// Confirm the action of the last key, although something is lost by it?
    Input(&'static str),
    /// Take this action, although it is rarely meant?
    Action {
        /// The action.
        action: G::Action,
        /// The question, in words.
        question: String,
    },
}

/// Moves a cursor by a key, if it is a key for that.
pub(crate) fn move_cursor<G: OnScreen>(cursor: &mut Coord, size: Size, key: KeyCode) -> Reaction<G> {
    let Coord { row, column } = *cursor;
    let last = Coord::new(size.height.saturating_sub(1), size.width.saturating_sub(1));
    *cursor = match key {
        KeyCode::Left => Coord::new(row, column.saturating_sub(1)),
        KeyCode::Right => Coord::new(row, (column + 1).min(last.column)),
        KeyCode::Up => Coord::new(row.saturating_sub(1), column),
        KeyCode::Down => Coord::new((row + 1).min(last.row), column),
        KeyCode::Home => Coord::new(row, 0),
        KeyCode::End => Coord::new(row, last.column),
        KeyCode::PageUp => Coord::new(0, column),
        KeyCode::PageDown => Coord::new(last.row, column),
        _ => return Reaction::Nothing,
    };
    Reaction::Changed
}

/// A line that is being typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typed(String);

impl Typed {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the line, and empties it.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }

    /// Takes a letter, a digit or one of these marks, if there is room. Returns true if it did.
    pub(crate) fn push(&mut self, c: char, marks: &str) -> bool {
        let fits = self.0.len() < TYPED_MAX && (c.is_ascii_alphanumeric() || marks.contains(c));
        if fits {
            self.0.push(c);
        }
        fits
    }

    /// Moves the cursor by a key, if it is a key for that, and empties the line then.
    pub(crate) fn give_way_to_cursor<G: OnScreen>(
        &mut self,
        cursor: &mut Coord,
        size: Size,
        key: KeyCode,
    ) -> Reaction<G> {
        let reaction = move_cursor(cursor, size, key);
        if reaction == Reaction::Changed {
            self.0.clear();
        }
        reaction
    }

    /// Answers the keys that take something back: a character, the line, or in the end the game.
    pub(crate) fn take_back<G: OnScreen>(&mut self, key: KeyCode) -> Option<Reaction<G>> {
        match key {
            KeyCode::Backspace if !self.is_empty() => _ = self.0.pop(),
            KeyCode::Esc if !self.is_empty() => self.0.clear(),
            KeyCode::Esc => return Some(Reaction::Confirm(Confirm::Leave)),
            _ => return None,
        }
        Some(Reaction::Changed)
    }
}
