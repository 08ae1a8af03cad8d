//! Ctrl-C and a polite end: compiling stops, games in flight are finished, the results so far are told.

use crate::failure::EXIT_INTERRUPTED;
use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the user has asked to stop, and what is done about it at once.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Heard>);

#[derive(Default)]
struct Heard {
    requested: Arc<AtomicBool>,
    answer: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Interrupt {
    /// Listens for Ctrl-C and for the signals that end a process. The first one is answered, the second one ends the
    /// program at once.
    ///
    /// # Errors
    /// When the signals cannot be listened to.
    pub fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let heard = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            if heard.requested.swap(true, Ordering::SeqCst) {
                // A screen may be on.
                arena_tui::restore();
                std::process::exit(EXIT_INTERRUPTED.into());
            }
            let answer = heard.answer.lock().unwrap_or_else(PoisonError::into_inner).take();
            answer.into_iter().for_each(|answer| answer());
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(interrupt)
    }

    /// Asks to stop, as Ctrl-C does.
    pub fn request(&self) {
        self.0.requested.store(true, Ordering::SeqCst);
    }

    /// What is set when somebody asks to stop.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.requested)
    }

    /// What to do when the user asks to stop, in place of what was to be done before. If that was asked for already, it is
    /// for whoever calls this to see.
    pub fn answer(&self, answer: impl FnOnce() + Send + 'static) {
        *self.0.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(answer));
    }

    /// Whether to stop.
    pub fn requested(&self) -> bool {
        self.0.requested.load(Ordering::SeqCst)
    }
}
