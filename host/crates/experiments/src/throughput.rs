//! The time that a bot's fuel takes on this machine.

use arena_sandbox::FUEL_PER_SECOND;
use std::iter::Sum;
use std::time::Duration;

/// The least fuel of a call that counts. Measured: a call without work takes 0.5 µs, so it adds 0.05 ns to a unit of such a call. A bot
/// with less fuel in each turn has no figure.
const CALL_FUEL_MIN: u64 = 10_000;

/// The least fuel for a figure. Chosen: a tenth of a millisecond of an honest bot, a hundred times what a clock is wrong by.
const FUEL_MIN: u64 = 1_000_000;

/// The least fuel for the statement that a bot is slow. Chosen: the first touch of each of 1,000 pages, which costs no fuel, adds 0.2 ns.
const JUDGED_FUEL_MIN: u64 = 10_000_000;

/// The nanoseconds of a unit from which a bot is slow. Chosen: `hunter` was measured to take 0.14, `sub-tracker` 0.03, and an empty loop
/// 0.5; a budget assumes 10.
const SLOW_NANOSECONDS: f64 = 3.0;

/// The nanoseconds of a unit that budgets assume, the most that a unit may take.
pub const NANOSECONDS_ASSUMED: f64 = 1e9 / FUEL_PER_SECOND as f64;

/// Fuel and the processor time that it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throughput {
    /// The fuel.
    pub fuel: u64,
    /// The time.
    pub time: Duration,
}

impl Throughput {
    /// Adds a call, unless it used too little fuel to say anything.
    pub(crate) fn add(&mut self, fuel: u64, time: Duration) {
        if fuel >= CALL_FUEL_MIN {
            self.fuel = self.fuel.saturating_add(fuel);
            self.time = self.time.saturating_add(time);
        }
    }

    /// The nanoseconds of a unit; `None` when too little fuel was used to measure them.
    pub fn nanoseconds(self) -> Option<f64> {
        (self.fuel >= FUEL_MIN).then(|| self.time.as_nanos() as f64 / self.fuel as f64)
    }

    /// The milliseconds that an amount of fuel takes at this rate; `None` when too little fuel was used to measure them.
    pub fn milliseconds_of(self, fuel: u64) -> Option<f64> {
        Some(self.nanoseconds()? * fuel as f64 / 1e6)
    }

    /// The nanoseconds of a unit if they are unusually many, three or more, and enough fuel was used to be sure.
    pub fn slow_nanoseconds(self) -> Option<f64> {
        self.nanoseconds().filter(|&found| self.fuel >= JUDGED_FUEL_MIN && found >= SLOW_NANOSECONDS)
    }
}

impl Sum for Throughput {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            fuel: sum.fuel.saturating_add(one.fuel),
            time: sum.time.saturating_add(one.time),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The throughput of this number of equal calls.
    fn of(calls: u32, fuel: u64, nanoseconds: u64) -> Throughput {
        let mut throughput = Throughput::default();
        (0..calls).for_each(|_| throughput.add(fuel, Duration::from_nanos(nanoseconds)));
        throughput
    }

    #[test]
    fn a_bot_that_uses_little_fuel_in_a_turn_has_no_figure_however_many_turns_it_has() {
        assert_eq!(of(100_000, 83, 1_300).nanoseconds(), None);
        assert_eq!(of(100_000, 9_999, 1_300).milliseconds_of(300_000_000), None);
        assert_eq!(of(100, 10_000, 1_300).nanoseconds(), Some(0.13));
        assert_eq!(of(99, 10_000, 1_300).nanoseconds(), None, "a million units are needed");
        assert_eq!(Throughput::default().nanoseconds(), None);
    }

    #[test]
    fn a_budget_takes_as_long_as_the_calls_did() {
        // 40 s for a billion units, as for the slowest bot that was found.
        let slow = of(1_000, 1_000_000, 40_000_000);
        assert_eq!(slow.milliseconds_of(300_000_000), Some(12_000.0));
        assert_eq!(NANOSECONDS_ASSUMED, 10.0);
    }

    #[test]
    fn a_bot_is_slow_from_three_nanoseconds_a_unit_on() {
        assert_eq!(of(10, 1_000_000, 2_990_000).slow_nanoseconds(), None);
        assert_eq!(of(10, 1_000_000, 3_000_000).slow_nanoseconds(), Some(3.0));
        // The first touches of its memory may be what took long.
        assert_eq!(of(9, 1_000_000, 30_000_000).slow_nanoseconds(), None);
        assert_eq!(of(9, 1_000_000, 30_000_000).nanoseconds(), Some(30.0));
    }

    #[test]
    fn games_add_up() {
        let both: Throughput = [of(1, 1_000_000, 1_000_000), of(3, 1_000_000, 1_000_000)].into_iter().sum();
        assert_eq!(both, of(4, 1_000_000, 1_000_000));
    }
}
