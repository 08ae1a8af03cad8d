//! Ctrl-C and a polite end: games in flight are finished, the results so far are told.

use crate::failure::EXIT_INTERRUPTED;
use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user has asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and for the signals that end a process. The first one is answered by `heard`, the second one
    /// ends the program at once.
    ///
    /// # Errors
    /// When the signals cannot be listened to.
    pub fn listen(heard: impl Fn() + Send + 'static) -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let requested = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            if requested.swap(true, Ordering::SeqCst) {
                // A screen may be on.
                arena_tui::restore();
                std::process::exit(EXIT_INTERRUPTED.into());
            }
            heard();
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(interrupt)
    }

    /// Asks to stop, as Ctrl-C does.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// What is set when somebody asks to stop.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether to stop.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
