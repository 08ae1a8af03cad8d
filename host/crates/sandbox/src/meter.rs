//! The processor time of child processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A sum of processor time, in microseconds. Its clones are the same sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<AtomicU64>);

impl Meter {
    pub(crate) fn add(&self, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.0.fetch_add(microseconds, Ordering::SeqCst);
    }

    pub(crate) fn sum(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::SeqCst))
    }
}
