//! Waiting in tests for what happens sooner or later.

use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits. Chosen: a server begins in some 50 ms and a contest ends in some seconds, but on a machine with ten times as much
/// to do as it can, contests have taken more than three minutes; and a run of all tests has to end, and to say what did not happen.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The time between two looks. Chosen: short beside a game, and no load.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until there is something; `None` when there is nothing for a long time.
pub fn wait_for<T>(look: impl FnMut() -> Option<T>) -> Option<T> {
    wait_with_pauses(PAUSE, look)
}

/// The same with this time between two looks, for looks that take the time of others.
pub fn wait_with_pauses<T>(pause: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        match look() {
            None if begun.elapsed() < PATIENCE => thread::sleep(pause),
            found => return found,
        }
    }
}
