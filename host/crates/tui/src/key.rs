//! Keys, and what pressing one comes to.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key, as far as a screen has a use for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character.
    Char(char),
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Takes back what was typed last.
    Backspace,
    /// The next choice.
    Tab,
    /// Ctrl-C, which is a key while a screen is on.
    Interrupt,
}

impl Key {
    /// The key of a terminal's event; none for one that no screen has a use for, or that was let go.
    pub fn of(event: &KeyEvent) -> Option<Self> {
        if event.kind == KeyEventKind::Release {
            return None;
        }
        let is_command = event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        Some(match event.code {
            KeyCode::Char('c') if event.modifiers.contains(KeyModifiers::CONTROL) => Self::Interrupt,
            KeyCode::Char(_) if is_command => return None,
            KeyCode::Char(c) => Self::Char(c),
            KeyCode::Left => Self::Left,
            KeyCode::Right => Self::Right,
            KeyCode::Up => Self::Up,
            KeyCode::Down => Self::Down,
            KeyCode::Home => Self::Home,
            KeyCode::End => Self::End,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::PageDown => Self::PageDown,
            KeyCode::Enter => Self::Enter,
            KeyCode::Esc => Self::Esc,
            KeyCode::Backspace => Self::Backspace,
            KeyCode::Tab => Self::Tab,
            _ => return None,
        })
    }
}

/// What came of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: the screen is as it was.
    Nothing,
    /// The screen is another and has to be drawn.
    Changed,
    /// The user wants the game saved as a transcript.
    Save,
    /// The screen is done.
    End(Ended),
}

/// How a screen ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By the user's wish.
    Quit,
    /// By Ctrl-C.
    Interrupted,
    /// Because the terminal is gone.
    HungUp,
    /// Because the host asked for it, by [`Options::stop`](crate::Options::stop).
    Stopped,
}
