//! What a bot's store holds of the host's: its caps, its log, and the little world that it sees.

use crate::engine::{CORE_INSTANCES_MAX, MEMORIES_MAX, TABLE_ELEMENTS_MAX, TABLES_MAX};
use crate::fault;
use crate::fuel;
use crate::log::Log;
use std::time::Duration;
use wasmtime::ResourceLimiter;

/// Why a bot was stopped, other than by a trap of WebAssembly's own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// It asked for more memory or table space than the cap.
    #[error("asked for {asked}; the cap is {cap}")]
    Space { asked: String, cap: String },
    /// It asked to end the program.
    #[error("called exit({0})")]
    Exit(u8),
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
    pub(crate) random: Random,
    /// Fuel that a host function has spent for the bot and that is still to be charged.
    pub(crate) fuel_owed: u64,
}

impl State {
    pub(crate) fn new(memory_bytes_max: usize, seed: u64, log: Log) -> Self {
        Self {
            caps: Caps { memory_bytes_max, memory_bytes: 0 },
            log,
            clock: Clock::default(),
            random: Random::new(seed),
            fuel_owed: 0,
        }
    }
}

/// The bounds on what a bot may allocate. A bot that goes over is stopped, since a language's allocator would turn a
/// refusal into a plain trap, and the author would not learn why.
pub(crate) struct Caps {
    memory_bytes_max: usize,
    /// What the bot's memory is now; it never shrinks.
    pub(crate) memory_bytes: usize,
}

impl ResourceLimiter for Caps {
    fn memory_growing(&mut self, _: usize, asked: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let cap_bytes = maximum.unwrap_or(usize::MAX).min(self.memory_bytes_max);
        if asked > cap_bytes {
            return Err(Stop::memory(asked, cap_bytes).into());
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
        let cap = maximum.unwrap_or(usize::MAX).min(TABLE_ELEMENTS_MAX);
        if asked > cap {
            return Err(Stop::table(asked, cap).into());
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

/// The random numbers that a bot sees: SplitMix64, from the side's seed. They need to be the same on every run and to
/// look random; secrets there are none.
pub(crate) struct Random {
    seed: u64,
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, state: seed }
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// So many random bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count.next_multiple_of(8));
        while bytes.len() < count {
            bytes.extend_from_slice(&self.next().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }

    /// A pair that stays the same for the whole game, for hash maps: it does not move the other numbers on.
    pub(crate) fn hash_seed(&self) -> (u64, u64) {
        (mix(self.seed ^ 0x6861_7368), mix(self.seed ^ 0x7365_6564))
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
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

    #[test]
    fn random_numbers_are_splitmix64() {
        // The first outputs for the seed 1234567, as published with the algorithm.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(random.bytes(11).len(), 11);
    }
}
