//! The options of a screen, and the reasons why there is none.

use crate::theme::Theme;
use arena_pictures::TimelineError;
use arena_record::Transcript;
use arena_referee::HostError;
use arena_rules::Game;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Saves a game. Returns its place, or the reason why it is not saved.
pub type Save<'a, G> = dyn FnMut(&Transcript<G>) -> Result<String, String> + 'a;

/// Finds a game that was played, by its number, or returns the reason why it cannot be shown.
pub type Find<'a, G> = dyn FnMut(u64) -> Result<Transcript<G>, String> + 'a;

/// The options of a screen.
pub struct Options<'a, G: Game> {
    /// The looks.
    pub theme: Theme,
    /// True if shots and sinkings are animated, in a few frames each.
    pub animates: bool,
    /// The screen ends soon after the host sets this, for example from a signal's handler. Signals are the host's.
    pub stop: Arc<AtomicBool>,
    /// Saves the game when the user asks for it; without it, the screen does not offer to.
    pub save: Option<Box<Save<'a, G>>>,
    /// Finds a game of the tournament; without it, the dashboard shows none.
    pub find: Option<Box<Find<'a, G>>>,
}

impl<G: Game> Options<'_, G> {
    /// The options of the environment: see [`Theme::of_environment`].
    pub fn of_environment() -> Self {
        let theme = Theme::of_environment();
        Self { theme, animates: true, stop: Arc::default(), save: None, find: None }
    }
}

/// The reason why there is no screen.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// Standard output is a file, a pipe, or a terminal that cannot place text.
    #[error("standard output is not a terminal that can show a screen")]
    NotATerminal,
    /// Another screen of this process is on.
    #[error("another screen is on")]
    InUse,
    /// The game is not one that the rules allow.
    #[error("the game cannot be shown: {0}")]
    Timeline(#[from] TimelineError),
    /// The terminal failed.
    #[error("the terminal failed: {0}")]
    Io(#[from] io::Error),
    /// The system gives no thread for the game.
    #[error(transparent)]
    NoThread(#[from] HostError),
}
