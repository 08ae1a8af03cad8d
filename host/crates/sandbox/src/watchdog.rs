//! The wall clock's part: a thread that advances the engine's epoch, and deadlines in its ticks.

use arena_referee::HostError;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use wasmtime::Engine;

/// How often the epoch advances. Chosen: coarse, since the watchdog guards against minutes and not milliseconds, and
/// each tick wakes a thread.
const TICK: Duration = Duration::from_millis(20);

/// Advances an engine's epoch until it is dropped.
pub(crate) struct Watchdog {
    // Dropping the sender is what stops the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub(crate) fn start(engine: &Engine) -> Result<Self, HostError> {
        let (stop, stopped) = mpsc::channel::<()>();
        let engine = engine.clone();
        let thread = thread::Builder::new()
            .name("arena-watchdog".into())
            .spawn(move || {
                while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    engine.increment_epoch();
                }
            })
            .map_err(|error| HostError(format!("cannot start the watchdog: {error}")))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the ticker, which there is no cause for, must not become one of whoever drops the sandbox.
            let _ = thread.join();
        }
    }
}

/// The moment so far from now. A limit beyond what the clock can say is one that is never reached.
pub(crate) fn deadline_in(limit: Duration) -> Instant {
    const NEVER: Duration = Duration::from_secs(1 << 30);
    let now = Instant::now();
    now.checked_add(limit).unwrap_or_else(|| now + NEVER)
}

/// The ticks until a deadline: at least the time that is left, or `None` when none is.
pub(crate) fn ticks_until(deadline: Instant) -> Option<u64> {
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
    Some(ticks_of(left))
}

/// The ticks of a time: one more than fits, because the current one has already begun.
pub(crate) fn ticks_of(time: Duration) -> u64 {
    // Half of the range is left for the epoch itself, which the deadline is added to.
    let ticks = u64::try_from(time.as_nanos().div_ceil(TICK.as_nanos())).unwrap_or(u64::MAX);
    ticks.min(u64::MAX / 2) + 1
}
