//! What a sandbox allows.

use crate::fuel::FUEL_PER_SECOND;
use std::thread;
use std::time::Duration;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// What a sandbox allows each bot, and how many bots it has room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// How many games are played at the same time: the sandbox has room for about twice as many live bots.
    pub workers: usize,
    /// The memory of one bot. Chosen: a Rust bot begins with 1 MiB and a Python one with 12.
    pub memory_bytes_max: usize,
    /// The watchdog: wall-clock time for a turn with all its retries, and for a deployment. Chosen: ten times the
    /// longest budget of the built-in rules, since fuel is what should decide.
    pub turn_wall_clock: Duration,
    /// How much of a bot's standard output and error is kept. Chosen: a screenful for each turn of a long game.
    pub log_bytes_max: usize,
    /// The size of a component's file. Chosen: three times the largest honest one seen, 18 MB for a Python bot.
    pub component_bytes_max: usize,
    /// The fuel for making the first instance and asking for its name. Chosen: one second's worth; naming oneself takes
    /// a thousandth of it.
    pub admission_fuel: u64,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self {
            workers: thread::available_parallelism().map_or(1, usize::from),
            memory_bytes_max: 64 * MIB,
            turn_wall_clock: Duration::from_secs(30),
            log_bytes_max: 64 * KIB,
            component_bytes_max: 64 * MIB,
            admission_fuel: FUEL_PER_SECOND,
        }
    }
}

/// Live bots for which there is room beyond two for each worker. Chosen: admissions and a trial game beside a running
/// tournament.
const SPARE_BOTS: usize = 4;

impl SandboxLimits {
    /// How many bots may be live at the same time.
    pub fn bots_max(&self) -> usize {
        self.workers.max(1).saturating_mul(2).saturating_add(SPARE_BOTS)
    }
}
