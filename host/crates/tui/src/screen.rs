//! The trait of screens: a state that keys and time change, and that can be drawn.

use crate::on_screen::OnScreen;
use crate::theme::Theme;
use arena_record::Transcript;
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::buffer::Buffer;
use std::time::Duration;

/// The smallest number of columns and rows of a terminal. Chosen: two boards of ten by ten with their titles and notes.
pub const SCREEN_MIN: (u16, u16) = (60, 20);

/// A press, a drag or a turn of the mouse's wheel at a place of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    /// What the mouse did.
    pub gesture: Gesture,
    /// The column, from 0.
    pub column: u16,
    /// The row, from 0.
    pub row: u16,
}

/// A gesture of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// The left button is pressed.
    Press,
    /// The right button is pressed.
    Turn,
    /// The mouse moves with the left button pressed.
    Drag,
    /// The wheel turns up.
    Up,
    /// The wheel turns down.
    Down,
}

impl Mouse {
    /// An event of the mouse, if it is one that screens answer.
    fn of(event: &MouseEvent) -> Option<Self> {
        let gesture = match event.kind {
            MouseEventKind::Down(MouseButton::Left) => Gesture::Press,
            MouseEventKind::Down(MouseButton::Right) => Gesture::Turn,
            MouseEventKind::Drag(MouseButton::Left) => Gesture::Drag,
            MouseEventKind::ScrollUp => Gesture::Up,
            MouseEventKind::ScrollDown => Gesture::Down,
            _ => return None,
        };
        Some(Self { gesture, column: event.column, row: event.row })
    }
}

/// A screen. It does not know the terminal: [`watch`](crate::watch) and the other functions of this crate put it on one.
pub trait Screen {
    /// The game that is shown.
    type Game: OnScreen;

    /// Draws the screen on a buffer of any size.
    fn draw(&self, theme: Theme, buffer: &mut Buffer);

    /// Answers a key that is pressed alone.
    fn key(&mut self, key: KeyCode) -> KeyEffect;

    /// Answers the mouse.
    fn mouse(&mut self, mouse: Mouse) -> KeyEffect {
        _ = mouse;
        KeyEffect::Nothing
    }

    /// Ends the screen whatever is open on it, or asks first: the effect of `q` while the terminal is too small.
    fn quit(&mut self) -> KeyEffect {
        KeyEffect::End(Ended::Quit)
    }

    /// Answers an event of a terminal with these columns and rows. While it is too small to show the screen, only `q`, Esc and the
    /// keys of [`control`] have an effect, so that no move is made blindly.
    fn event(&mut self, event: &Event, (width, height): (u16, u16)) -> KeyEffect {
        let is_shown = width >= SCREEN_MIN.0 && height >= SCREEN_MIN.1;
        match event {
            Event::Key(event) if is_shown => self.key_event(event),
            Event::Key(event) => control(event).unwrap_or_else(|| match plain_key(event) {
                Some(KeyCode::Char('q')) => self.quit(),
                Some(KeyCode::Esc) => self.key(KeyCode::Esc),
                _ => KeyEffect::Nothing,
            }),
            Event::Mouse(event) if is_shown => {
                Mouse::of(event).map_or(KeyEffect::Nothing, |mouse| self.mouse(mouse))
            }
            Event::Resize(_, _) => KeyEffect::Changed,
            _ => KeyEffect::Nothing,
        }
    }

    /// Answers an event of the keyboard.
    fn key_event(&mut self, event: &KeyEvent) -> KeyEffect {
        match (control(event), plain_key(event)) {
            (Some(effect), _) => effect,
            (None, Some(key)) => self.key(key),
            (None, None) => KeyEffect::Nothing,
        }
    }

    /// Takes messages and lets time pass. Returns true if the screen has to be drawn again.
    fn tick(&mut self, elapsed: Duration) -> bool;

    /// The time after which [`Screen::tick`] may have something to do; `None` while nothing happens by itself.
    fn wait(&self) -> Option<Duration>;

    /// The end of the screen, if it has ended by itself.
    fn ended(&self) -> Option<Ended> {
        None
    }

    /// Takes the game that the user wanted to see, or the reason why it cannot be shown.
    fn opened(&mut self, _number: u64, game: Result<Transcript<Self::Game>, String>) {
        _ = game;
    }

    /// The screen of the one game on this screen, if there is one, which what follows is about.
    fn game_screen(&mut self) -> Option<&mut dyn Screen<Game = Self::Game>> {
        None
    }

    /// Takes what the host offers: saving games once they are over, and animating shots.
    fn offer(&mut self, can_save: bool, animates: bool) {
        if let Some(game) = self.game_screen() {
            game.offer(can_save, animates);
        }
    }

    /// The game, if it is over.
    fn to_save(&mut self) -> Option<Transcript<Self::Game>> {
        self.game_screen()?.to_save()
    }

    /// Takes the place in which the game was saved, or the reason why it was not.
    fn saved(&mut self, place: Result<String, String>) {
        if let Some(game) = self.game_screen() {
            game.saved(place);
        }
    }
}

/// The key that is pressed, unless it is a character with Ctrl or Alt.
fn plain_key(event: &KeyEvent) -> Option<KeyCode> {
    let is_command = event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    let is_plain = !(is_command && matches!(event.code, KeyCode::Char(_)));
    (is_plain && event.kind != KeyEventKind::Release).then_some(event.code)
}

/// The effect of a key that is a command to the terminal, and the same on any screen: Ctrl-C ends it, Ctrl-Z suspends the
/// program, and Ctrl-L draws the screen again. While a screen is on, they are keys and not signals.
pub fn control(event: &KeyEvent) -> Option<KeyEffect> {
    if event.kind == KeyEventKind::Release || !event.modifiers.contains(KeyModifiers::CONTROL) {
        return None;
    }
    match event.code {
        KeyCode::Char('c') => Some(KeyEffect::End(Ended::Interrupted)),
        KeyCode::Char('z') => Some(KeyEffect::Suspend),
        KeyCode::Char('l') => Some(KeyEffect::Redraw),
        _ => None,
    }
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// None: the screen is as it was.
    Nothing,
    /// The screen has changed and has to be drawn.
    Changed,
    /// The user asks to redraw the screen.
    Redraw,
    /// The user wants to suspend the program, and to come back to it.
    Suspend,
    /// The user wants other colours.
    Theme,
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
