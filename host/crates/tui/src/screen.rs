//! The idea of a screen: a state that keys and time change, and that can be drawn.

use crate::OnScreen;
use crate::game::GameScreen;
use crate::key::{Key, KeyEffect};
use crate::theme::Theme;
use ratatui::buffer::Buffer;
use std::time::Duration;

/// A screen. It does not know the terminal: [`watch`](crate::watch) and the other functions of this crate put it on one.
pub trait Screen {
    /// The game that is shown.
    type Game: OnScreen;

    /// Draws the screen on a buffer of any size.
    fn draw(&self, theme: Theme, buffer: &mut Buffer);

    /// Answers a key.
    fn key(&mut self, key: Key) -> KeyEffect;

    /// Takes in the news and lets time pass. Returns true if the screen has to be drawn again.
    fn tick(&mut self, elapsed: Duration) -> bool;

    /// The time after which [`Screen::tick`] may have something to do; none while nothing happens by itself.
    fn wait(&self) -> Option<Duration>;

    /// The screen of the game that can be saved, if there is one.
    fn game_screen(&mut self) -> Option<&mut GameScreen<Self::Game>>;
}
