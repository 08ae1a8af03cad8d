//! The host's part of a bot's store: its caps, its log, its clock, and its WASI state.

use crate::engine::{CORE_INSTANCES_MAX, MEMORIES_MAX, TABLE_ELEMENTS_MAX, TABLES_MAX};
use crate::fault;
use crate::fuel;
use crate::log::Log;
use crate::wasi::{HOST_CALL_BYTES_MAX, World};
use std::time::Duration;
use wasmtime::{Error, ResourceLimiter, Result};

/// The reasons why a bot is stopped, other than a trap of WebAssembly's own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// It asked for more memory or table space than the cap.
    #[error("asked for {asked}; the cap is {cap}")]
    Space { asked: String, cap: usize },
    /// It called a function of WASI that the sandbox does not provide.
    #[error("called `{0}`, which the arena does not provide")]
    NotGiven(String),
    /// It used a function that is provided in a way that is not allowed.
    #[error("{0}")]
    Misuse(String),
    /// The machine has no memory left, although the bot is within its cap.
    #[error("{0}")]
    Host(String),
}

/// The host's part of a bot's store.
pub(crate) struct State {
    pub(crate) caps: Caps,
    pub(crate) log: Log,
    pub(crate) clock: Clock,
    /// The seed of its random numbers.
    pub(crate) seed: u64,
    pub(crate) world: Option<Box<World>>,
    /// Fuel that host functions have used for the bot and that is still to be charged.
    pub(crate) fuel_owed: u64,
    /// The number of open calls of host functions, including instructions inside them that the host helps with.
    pub(crate) host_calls_open: u32,
    /// True if each new memory gets its first content in the next call, which does nothing else and is free.
    pub(crate) copies_image: bool,
    /// The fuel before that call.
    pub(crate) fuel_before_copy: Option<u64>,
    /// The number of bytes that a result of the bot may take.
    pub(crate) result_bytes_max: usize,
}

impl State {
    pub(crate) fn new(memory_bytes_max: usize, seed: u64, log: Log) -> Self {
        Self {
            caps: Caps { memory_bytes_max, memory_bytes: 0, has_new_memory: false },
            log,
            clock: Clock::default(),
            seed,
            world: None,
            fuel_owed: 0,
            host_calls_open: 0,
            copies_image: false,
            fuel_before_copy: None,
            result_bytes_max: HOST_CALL_BYTES_MAX,
        }
    }
}

/// The limits on what a bot may allocate. A bot that asks for more is stopped, because a language's allocator would turn a
/// refusal into a plain trap and the author would not learn why. A lower limit that the bot has set itself is answered as
/// WebAssembly specifies, by -1.
pub(crate) struct Caps {
    memory_bytes_max: usize,
    /// The current size of the bot's memories, which never shrink.
    pub(crate) memory_bytes: usize,
    /// True if a memory has been made with room since this was last set to false.
    pub(crate) has_new_memory: bool,
}

const MEMORY: &str = "bytes of memory";
const TABLE: &str = "table elements";

/// Returns true if the bot's own maximum lets it grow to a size, and stops a bot that asks for more than the cap.
fn may_grow(asked: usize, what: &str, cap: usize, maximum: Option<usize>) -> Result<bool> {
    if asked > cap {
        return Err(Stop::Space { asked: format!("{asked} {what}"), cap }.into());
    }
    Ok(maximum.is_none_or(|maximum| asked <= maximum))
}

/// The stop for a failed growth.
fn grow_failed(error: &Error, what: &str, cap: usize) -> Error {
    if fault::is_of_the_machine(error) {
        return Stop::Host(format!("cannot give a bot more {what}: {}", error.root_cause())).into();
    }
    // A size that cannot exist does not even reach `may_grow`.
    Stop::Space { asked: format!("more {what} than there can be"), cap }.into()
}

impl ResourceLimiter for Caps {
    fn memory_growing(&mut self, current: usize, asked: usize, maximum: Option<usize>) -> Result<bool> {
        // The cap is on all memories together: a bot may have an empty one besides its own.
        let others = self.memory_bytes.saturating_sub(current);
        let total = others.saturating_add(asked);
        let maximum = maximum.map(|maximum| others.saturating_add(maximum));
        let may_grow = may_grow(total, MEMORY, self.memory_bytes_max, maximum)?;
        if may_grow {
            self.memory_bytes = total;
            self.has_new_memory |= current == 0 && asked > 0;
        }
        Ok(may_grow)
    }

    fn memory_grow_failed(&mut self, error: Error) -> Result<()> {
        Err(grow_failed(&error, MEMORY, self.memory_bytes_max))
    }

    fn table_growing(&mut self, _: usize, asked: usize, maximum: Option<usize>) -> Result<bool> {
        may_grow(asked, TABLE, TABLE_ELEMENTS_MAX, maximum)
    }

    fn table_grow_failed(&mut self, error: Error) -> Result<()> {
        Err(grow_failed(&error, TABLE, TABLE_ELEMENTS_MAX))
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

/// The clock that a bot sees. It runs on the bot's own fuel, at the rate of budgets, so a bot that looks at the clock plays
/// the same on every machine and still learns how much of its budget is left. A sleep takes no real time: the clock is put
/// forward.
#[derive(Default)]
pub(crate) struct Clock {
    fuel_before_call: u64,
    fuel_at_call: u64,
    fuel_left: u64,
    slept: Duration,
}

impl Clock {
    /// Begins a call with this fuel.
    pub(crate) fn begin_call(&mut self, fuel: u64) {
        self.fuel_before_call = self.fuel_before_call.saturating_add(self.fuel_at_call - self.fuel_left);
        self.fuel_at_call = fuel;
        self.fuel_left = fuel;
    }

    /// Sets the rest of the call's fuel.
    pub(crate) fn set_fuel_left(&mut self, fuel: u64) {
        self.fuel_left = fuel.min(self.fuel_left);
    }

    /// Notes a cost before it is charged.
    pub(crate) fn spend(&mut self, fuel: u64) {
        self.fuel_left = self.fuel_left.saturating_sub(fuel);
    }

    /// The time since the bot's instance was made.
    pub(crate) fn now(&self) -> Duration {
        let fuel = self.fuel_before_call.saturating_add(self.fuel_at_call - self.fuel_left);
        fuel::time_of_fuel(fuel).saturating_add(self.slept)
    }

    /// Puts the clock forward to a time. It never goes back.
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
