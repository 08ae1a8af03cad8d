//! `wasi:clocks`: time as the bot's own fuel tells it.
//!
//! The clocks are the library's, with a face of ours. Its waits are not: under any clock they sleep on tokio's.

use super::io::Over;
use crate::state::State;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use wasmtime::Result;
use wasmtime::component::Resource;
use wasmtime_wasi::clocks::{HostMonotonicClock, HostWallClock, WasiClocksView};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock::Host;
use wasmtime_wasi::p2::{DynPollable, subscribe};

/// When every bot's life begins, by its wall clock: 1 January 2026, midnight UTC. Chosen: any fixed date would do.
const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// What the library's clocks show: the nanoseconds since the bot's instance began. It is shared with them, and set
/// before each look; no two threads look at one.
#[derive(Clone, Default)]
pub(super) struct Face(Arc<AtomicU64>);

impl Face {
    pub(super) fn show(&self, now: Duration) {
        self.0.store(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

impl HostMonotonicClock for Face {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl HostWallClock for Face {
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

    /// A bot that asks to be told when a time has come is told at once, with its clock put forward: nobody sleeps here.
    fn subscribe_instant(&mut self, when: u64) -> Result<Resource<DynPollable>> {
        self.clock.sleep_until(Duration::from_nanos(when));
        let over = self.table().push(Over)?;
        subscribe(self.table(), over)
    }

    fn subscribe_duration(&mut self, duration: u64) -> Result<Resource<DynPollable>> {
        let when = self.clock.now().saturating_add(Duration::from_nanos(duration));
        self.clock.sleep_until(when);
        let over = self.table().push(Over)?;
        subscribe(self.table(), over)
    }
}
