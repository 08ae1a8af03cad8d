//! How screens are shown, and why they are not.

use crate::theme::Theme;
use crate::timeline::TimelineError;
use arena_record::Transcript;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Saves a game: says where it is now, or why it is not.
pub type Save<'a> = dyn FnMut(&Transcript) -> Result<String, String> + 'a;

/// How a screen is shown.
#[derive(Default)]
pub struct Options<'a> {
    /// Its looks.
    pub theme: Theme,
    /// The screen ends soon after the host sets this, from a signal's handler, say. Signals are the host's.
    pub stop: Arc<AtomicBool>,
    /// Saves the game when the user wishes it; without it, the screen does not offer to.
    pub save: Option<Box<Save<'a>>>,
}

impl Options<'_> {
    /// As the environment says: `NO_COLOR`, if it is set and not empty, takes the colours away.
    pub fn of_environment() -> Self {
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { theme: Theme { colours }, ..Self::default() }
    }

    pub(crate) fn should_stop(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("theme", &self.theme)
            .field("stop", &self.stop)
            .field("save", &self.save.is_some())
            .finish()
    }
}

/// Why there is no screen.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// Standard output is a file, a pipe, or a terminal that cannot place text.
    #[error("standard output is no terminal that can show a screen")]
    NotATerminal,
    /// A screen of this process is on already.
    #[error("a screen is on already")]
    InUse,
    /// The game is none.
    #[error("the game cannot be shown: {0}")]
    Timeline(#[from] TimelineError),
    /// The terminal failed.
    #[error("the terminal failed: {0}")]
    Io(#[from] io::Error),
}
