//! The idea of a screen: a state that keys and time change, and that can be drawn.

use crate::OnScreen;
use crate::game::GameScreen;
use crate::theme::Theme;
use arena_record::Transcript;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;
use std::time::Duration;

/// A screen. It does not know the terminal: [`watch`](crate::watch) and the other functions of this crate put it on one.
pub trait Screen {
    /// The game that is shown.
    type Game: OnScreen;

    /// Draws the screen on a buffer of any size.
    fn draw(&self, theme: Theme, buffer: &mut Buffer);

    /// Answers a key that is pressed alone.
    fn key(&mut self, key: KeyCode) -> KeyEffect;

    /// Answers an event of the keyboard. Ctrl-C, which is a key while a screen is on, ends any screen at once.
    fn key_event(&mut self, event: &KeyEvent) -> KeyEffect {
        let is_command = event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match event.code {
            _ if event.kind == KeyEventKind::Release => KeyEffect::Nothing,
            KeyCode::Char('c') if event.modifiers.contains(KeyModifiers::CONTROL) => {
                KeyEffect::End(Ended::Interrupted)
            }
            KeyCode::Char(_) if is_command => KeyEffect::Nothing,
            code => self.key(code),
        }
    }

    /// Takes in the news and lets time pass. Returns true if the screen has to be drawn again.
    fn tick(&mut self, elapsed: Duration) -> bool;

    /// The time after which [`Screen::tick`] may have something to do; none while nothing happens by itself.
    fn wait(&self) -> Option<Duration>;

    /// Takes the game that the user wanted to see, or the reason why it is not there.
    fn opened(&mut self, game: Result<Transcript<Self::Game>, String>) {
        _ = game;
    }

    /// The screen of the game that can be saved, if there is one.
    fn game_screen(&mut self) -> Option<&mut GameScreen<Self::Game>> {
        None
    }
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// None: the screen is as it was.
    Nothing,
    /// The screen has changed and has to be drawn.
    Changed,
    /// The user wants to save the game as a transcript.
    Save,
    /// The user wants to see the game with this number.
    Open(u64),
    /// The screen ends.
    End(Ended),
}

/// The end of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The user quit.
    Quit,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The terminal is gone.
    HungUp,
    /// The host asked for it, by [`Options::stop`](crate::Options::stop).
    Stopped,
}
