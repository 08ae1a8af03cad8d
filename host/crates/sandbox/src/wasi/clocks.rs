//! `wasi:clocks`: time by the bot's own fuel.
//!
//! The clocks are the library's, with the arena's time source. Its waits are not used: they sleep on tokio's clock.

use super::io::ReadyPollable;
use crate::state::State;
use std::time::Duration;
use wasmtime::Result;
use wasmtime::component::Resource;
use wasmtime_wasi::clocks::WasiClocksView;
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock::Host;
use wasmtime_wasi::p2::{DynPollable, subscribe};

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
