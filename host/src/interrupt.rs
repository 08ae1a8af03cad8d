//! Ctrl-C and an orderly end: compiling stops, games in progress are finished, the results so far are reported.

use crate::failure::{EXIT_INTERRUPTED, Failure};
use arena_referee::HostError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The user's request to stop, and the reaction to it.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Request>);

#[derive(Default)]
struct Request {
    made: Arc<AtomicBool>,
    answer: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Interrupt {
    /// Listens for Ctrl-C and for the signals that end a process. The first one stops the run in an orderly way; the
    /// second one ends the program immediately.
    ///
    /// # Errors
    /// The system gives no signals to this program.
    pub fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let request = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            if request.made.swap(true, Ordering::SeqCst) {
                // A screen may be on.
                arena_tui::restore();
                crate::dev::restore();
                std::process::exit(EXIT_INTERRUPTED.into());
            }
            let answer = request.answer.lock().unwrap_or_else(PoisonError::into_inner).take();
            answer.into_iter().for_each(|answer| answer());
        })
        .map_err(|error| {
            let what = "cannot listen for Ctrl-C";
            match error {
                ctrlc::Error::System(error) => arena_resources::refused(what, error),
                error => HostError::machine(what, error),
            }
        })?;
        Ok(interrupt)
    }

    /// Asks to stop, as Ctrl-C does.
    pub fn request(&self) {
        self.0.made.store(true, Ordering::SeqCst);
    }

    /// The flag that is set by a request to stop.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.made)
    }

    /// Sets the reaction to a request to stop, instead of the one before. It is not called for a request that was made
    /// already: the caller checks [`Interrupt::requested`].
    pub fn answer(&self, answer: impl FnOnce() + Send + 'static) {
        *self.0.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(answer));
    }

    /// True if the user has asked to stop.
    pub fn requested(&self) -> bool {
        self.0.made.load(Ordering::SeqCst)
    }
}
