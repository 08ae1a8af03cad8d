//! Cancelling and pausing a run, from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time between two looks at a cancellation while a run is paused. Chosen: too short to notice. A signal's handler may set the
/// flag, and cannot wake a thread.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The control of a run. Its copies control the same run.
///
/// A run that is cancelled finishes the games in progress, keeps and counts them, and ends. One that is paused begins no game.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<State>);

#[derive(Debug, Default)]
struct State {
    cancelled: Arc<AtomicBool>,
    paused: Mutex<bool>,
    resumed: Condvar,
}

impl Control {
    /// A control whose run is cancelled by this flag, too.
    pub fn of_flag(cancelled: Arc<AtomicBool>) -> Self {
        Self(Arc::new(State { cancelled, ..State::default() }))
    }

    /// Asks the run to end.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
    }

    /// True if the run is to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Begins no further game until [`Control::resume`].
    pub fn pause(&self) {
        *self.paused() = true;
    }

    /// Goes on after [`Control::pause`].
    pub fn resume(&self) {
        *self.paused() = false;
        self.0.resumed.notify_all();
    }

    /// True if the run is paused and not cancelled.
    pub fn is_paused(&self) -> bool {
        *self.paused() && !self.is_cancelled()
    }

    /// Waits while the run is paused.
    pub(crate) fn wait_while_paused(&self) {
        let mut paused = self.paused();
        while *paused && !self.is_cancelled() {
            (paused, _) =
                self.0.resumed.wait_timeout(paused, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn paused(&self) -> MutexGuard<'_, bool> {
        self.0.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_paused_until_it_goes_on_or_is_cancelled_by_any_copy() {
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control::of_flag(Arc::clone(&flag));
        let copy = control.clone();
        assert_eq!((control.is_paused(), control.is_cancelled()), (false, false));
        copy.pause();
        assert!(control.is_paused());
        copy.resume();
        assert!(!control.is_paused());
        control.wait_while_paused();
        copy.pause();
        flag.store(true, Ordering::SeqCst);
        assert_eq!((control.is_paused(), control.is_cancelled()), (false, true));
        control.wait_while_paused();
        let other = Control::default();
        assert!(!other.is_cancelled());
        other.cancel();
        assert!(other.clone().is_cancelled());
    }
}
