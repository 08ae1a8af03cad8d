//! The watchdog: a thread that advances the engine's epoch by the wall clock, and deadlines in its ticks.

use arena_referee::HostError;
use arena_resources::NewThread;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use wasmtime::Engine;

/// Chosen=>Chosen
const TICK: Duration = Duration::from_millis(20);

/// The same in nanoseconds.
const TICK_NANOS: u64 = TICK.as_nanos() as u64;

/// A thread that advances an engine's epoch until it is dropped.
pub(crate) struct Watchdog {
    // Dropping the sender stops the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Starts the thread, and waits until it runs: in a process that confines itself, a starting thread would make system calls
    /// that are forbidden later.
    pub(crate) fn start(engine: &Engine) -> Result<Self, HostError> {
        let (stop, stopped) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        let engine = engine.clone();
        let thread = NewThread::named("arena-watchdog").start(move || {
            // If the receiver is gone, the value is not needed.
            let _ = begin.send(());
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                engine.increment_epoch();
            }
        })?;
        begun.recv().map_err(|_| HostError::Machine("the watchdog did not begin".into()))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread, which has no reason to panic, must not spread to the owner of the sandbox.
            let _ = thread.join();
        }
    }
}

/// The moment at which a limit passes, from now. A limit beyond the range of the clock never passes.
pub(crate) fn deadline_in(limit: Duration) -> Instant {
    const NEVER: Duration = Duration::from_secs(1 << 30);
    let now = Instant::now();
    now.checked_add(limit).unwrap_or_else(|| now + NEVER)
}

/// The ticks of a duration, which take at least as long: one more than fits, because the current one has already begun.
pub(crate) fn ticks_of(time: Duration) -> u64 {
    // The other half of the range is for the epoch itself, to which the deadline is added.
    let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    nanos.div_ceil(TICK_NANOS).min(u64::MAX / 2) + 1
}
