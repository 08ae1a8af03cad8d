//! `wasi:clocks`: time by the bot's own fuel.
//!
//! The clocks are the library's, with the arena's time source. Its waits are not used: they sleep on tokio's clock.

use super::io::ReadyPollable;
use crate::state::State;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use wasmtime::Result;
use wasmtime::component::Resource;
use wasmtime_wasi::clocks::{HostMonotonicClock, HostWallClock, WasiClocksView};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock::Host;
use wasmtime_wasi::p2::{DynPollable, subscribe};

/// The start of every bot's wall clock: 1 January 2026, midnight UTC. Chosen: any fixed date would do.
const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// The time source of the library's clocks: the nanoseconds since the bot's instance was made. It is shared with them
/// and set before each reading. Only one thread uses it.
#[derive(Clone, Default)]
pub(super) struct GuestClock(Arc<AtomicU64>);

impl GuestClock {
    pub(super) fn show(&self, now: Duration) {
        self.0.store(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

impl HostMonotonicClock for GuestClock {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl HostWallClock for GuestClock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        EPOCH.saturating_add(Duration::from_nanos(self.0.load(Ordering::Relaxed)))
    }
}

impl Host for State {
    fn now(&mut self) -> Result<u64> {
        Host::now(&mut self.clocks())
    }

    fn resolution(&mut self) -> Result<u64> {
        Host::resolution(&mut self.clocks())
    }

    /// Advances the bot's clock and returns a wait that is over: no thread sleeps here.
    fn subscribe_instant(&mut self, when: u64) -> Result<Resource<DynPollable>> {
        self.clock.sleep_until(Duration::from_nanos(when));
        let over = self.table().push(ReadyPollable)?;
        subscribe(self.table(), over)
    }

    fn subscribe_duration(&mut self, duration: u64) -> Result<Resource<DynPollable>> {
        let now = Host::now(self)?;
        self.subscribe_instant(now.saturating_add(duration))
    }
}
