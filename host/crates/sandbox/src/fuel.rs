//! Fuel as time: the unit of budgets that is the same on every machine.

use std::time::Duration;

/// The fuel that stands for one second of a budget: a unit is 10 ns, and no unit takes longer.
///
/// Chosen after measuring, on a 2-core x86-64 server: bots in Rust use 6 to 10 units a nanosecond, an empty loop 2, and the
/// slowest work that was found, chains of loads that all miss the caches and calls that all miss them, 0.1 to 0.16. So a
/// budget of "3 seconds" is 30 to 50 milliseconds of honest computing, and 3 seconds at worst: fuel runs out long before the
/// watchdog stops a turn, on a slow and busy machine too, and a bot with an endless loop in each of its turns holds up a game
/// for seconds and not for minutes. House bots use at most two million units in a turn, except for the one that tracks
/// submarines, which uses up to 190 million. `benches/fuel.rs` repeats the measurement, for every operator.
pub const FUEL_PER_SECOND: u64 = 100_000_000;

/// The fuel of a budget in milliseconds, or the greatest fuel if it would not fit.
///
/// ```
/// use arena_sandbox::{FUEL_PER_SECOND, fuel_of_milliseconds};
///
/// assert_eq!(fuel_of_milliseconds(3_000), 3 * FUEL_PER_SECOND);
/// ```
pub const fn fuel_of_milliseconds(milliseconds: u64) -> u64 {
    milliseconds.saturating_mul(FUEL_PER_SECOND / 1_000)
}

/// The time that fuel stands for, as a bot's clock shows it.
pub const fn time_of_fuel(fuel: u64) -> Duration {
    let seconds = fuel / FUEL_PER_SECOND;
    // The rest is below FUEL_PER_SECOND, so this fits.
    let nanoseconds = (fuel % FUEL_PER_SECOND) * 1_000_000_000 / FUEL_PER_SECOND;
    Duration::new(seconds, nanoseconds as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_and_time_are_each_others_inverse() {
        assert_eq!(time_of_fuel(fuel_of_milliseconds(1_234)), Duration::from_millis(1_234));
        assert_eq!(fuel_of_milliseconds(u64::MAX), u64::MAX);
        assert_eq!(time_of_fuel(u64::MAX).as_secs(), u64::MAX / FUEL_PER_SECOND);
    }
}
