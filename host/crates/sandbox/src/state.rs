//! What a bot's store holds of the host's: its caps, its log, its clock, and the little world that it sees.

use crate::engine::{CORE_INSTANCES_MAX, MEMORIES_MAX, TABLE_ELEMENTS_MAX, TABLES_MAX};
use crate::fault;
use crate::fuel;
use crate::log::Log;
use crate::wasi::World;
use std::time::Duration;
use wasmtime::ResourceLimiter;

/// Why a bot was stopped, other than by a trap of WebAssembly's own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// It asked for more memory or table space than the cap.
    #[error("asked for {asked}; the cap is {cap}")]
    Space { asked: String, cap: String },
    /// It called something of WASI that the sandbox does not give.
    #[error("called `{0}`, which the arena does not give")]
    NotGiven(String),
    /// It used a function that is given in a way that is not.
    #[error("{0}")]
    Misuse(String),
    /// The machine has no memory left, although the bot is within its cap.
    #[error("{0}")]
    Host(String),
}

impl Stop {
    fn memory(asked_bytes: usize, cap_bytes: usize) -> Self {
        Self::Space { asked: amount(asked_bytes, "bytes of memory"), cap: cap_bytes.to_string() }
    }

    fn table(asked: usize, cap: usize) -> Self {
        Self::Space { asked: amount(asked, "table elements"), cap: cap.to_string() }
    }
}

/// A number of things; the greatest number stands for one that cannot be said.
fn amount(count: usize, what: &str) -> String {
    if count == usize::MAX { format!("more {what} than there can be") } else { format!("{count} {what}") }
}

/// The host's part of a bot's store.
pub(crate) struct State {
    pub(crate) caps: Caps,
    pub(crate) log: Log,
    pub(crate) clock: Clock,
    /// What its random numbers come from.
    pub(crate) seed: u64,
    pub(crate) world: Option<Box<World>>,
    /// Fuel that a host function has spent for the bot and that is still to be charged.
    pub(crate) fuel_owed: u64,
    /// Host functions that the bot is in the middle of, and instructions that the host helps with inside of them.
    pub(crate) host_calls_open: u32,
}

impl State {
    pub(crate) fn new(memory_bytes_max: usize, seed: u64, log: Log) -> Self {
        Self {
            caps: Caps { memory_bytes_max, memory_bytes: 0 },
            log,
            clock: Clock::default(),
            seed,
            world: None,
            fuel_owed: 0,
            host_calls_open: 0,
        }
    }
}

/// The bounds on what a bot may allocate. A bot that goes over is stopped, since a language's allocator would turn a
/// refusal into a plain trap, and the author would not learn why. A lower bound that the bot has set itself is its own
/// affair: it is answered as WebAssembly says, by -1.
pub(crate) struct Caps {
    memory_bytes_max: usize,
    /// What the bot's memory is now; it never shrinks.
    pub(crate) memory_bytes: usize,
}

impl ResourceLimiter for Caps {
    fn memory_growing(&mut self, _: usize, asked: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if asked > self.memory_bytes_max {
            return Err(Stop::memory(asked, self.memory_bytes_max).into());
        }
        if maximum.is_some_and(|maximum| asked > maximum) {
            return Ok(false);
        }
        self.memory_bytes = asked;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        if fault::is_of_the_machine(&error) {
            return Err(Stop::Host(format!("no memory is left for a bot: {}", error.root_cause())).into());
        }
        // A size that no memory can have does not even reach `memory_growing`.
        Err(Stop::memory(usize::MAX, self.memory_bytes_max).into())
    }

    fn table_growing(&mut self, _: usize, asked: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if asked > TABLE_ELEMENTS_MAX {
            return Err(Stop::table(asked, TABLE_ELEMENTS_MAX).into());
        }
        if maximum.is_some_and(|maximum| asked > maximum) {
            return Ok(false);
        }
        Ok(true)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        if fault::is_of_the_machine(&error) {
            return Err(
                Stop::Host(format!("no table space is left for a bot: {}", error.root_cause())).into()
            );
        }
        Err(Stop::table(usize::MAX, TABLE_ELEMENTS_MAX).into())
    }

    fn instances(&self) -> usize {
        CORE_INSTANCES_MAX
    }

    fn tables(&self) -> usize {
        TABLES_MAX
    }

    fn memories(&self) -> usize {
        MEMORIES_MAX
    }
}

/// The clock that a bot sees. It runs on the bot's own fuel, at the rate that budgets are given in, so that a bot that
/// looks at its watch plays the same on every machine and still learns how much of its budget is left. A sleep takes no
/// time of ours: the clock is put forward.
#[derive(Default)]
pub(crate) struct Clock {
    fuel_before_call: u64,
    fuel_at_call: u64,
    fuel_left: u64,
    slept: Duration,
}

impl Clock {
    /// Begins a call with so much fuel.
    pub(crate) fn begin_call(&mut self, fuel: u64) {
        self.fuel_before_call = self.fuel_before_call.saturating_add(self.fuel_at_call - self.fuel_left);
        self.fuel_at_call = fuel;
        self.fuel_left = fuel;
    }

    /// Notes how much fuel is left of the call's.
    pub(crate) fn set_fuel_left(&mut self, fuel: u64) {
        self.fuel_left = fuel.min(self.fuel_left);
    }

    /// Notes that something costs so much, before it is paid for.
    pub(crate) fn spend(&mut self, fuel: u64) {
        self.fuel_left = self.fuel_left.saturating_sub(fuel);
    }

    /// The time since the bot's instance began.
    pub(crate) fn now(&self) -> Duration {
        let fuel = self.fuel_before_call.saturating_add(self.fuel_at_call - self.fuel_left);
        fuel::time_of_fuel(fuel).saturating_add(self.slept)
    }

    /// Puts the clock forward to a time; back it never goes.
    pub(crate) fn sleep_until(&mut self, when: Duration) {
        self.slept = self.slept.saturating_add(when.saturating_sub(self.now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FUEL_PER_SECOND;

    #[test]
    fn the_clock_runs_on_fuel_and_never_goes_back() {
        let mut clock = Clock::default();
        clock.begin_call(3 * FUEL_PER_SECOND);
        assert_eq!(clock.now(), Duration::ZERO);
        clock.set_fuel_left(2 * FUEL_PER_SECOND);
        assert_eq!(clock.now(), Duration::from_secs(1));
        clock.sleep_until(Duration::from_secs(5));
        clock.sleep_until(Duration::from_secs(4));
        assert_eq!(clock.now(), Duration::from_secs(5));
        clock.begin_call(FUEL_PER_SECOND);
        assert_eq!(clock.now(), Duration::from_secs(5));
        clock.sleep_until(Duration::MAX);
        clock.set_fuel_left(0);
        assert_eq!(clock.now(), Duration::MAX);
    }
}
