//! What a sandbox allows.

use crate::fuel::FUEL_PER_SECOND;
use std::thread;
use std::time::Duration;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const GIB: u64 = 1 << 30;

/// What a sandbox allows each bot, and how many bots it has room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// How many games are played at the same time: the sandbox has room for about twice as many live bots.
    pub workers: usize,
    /// The memory of one bot. Chosen: a Rust bot begins with 1 MiB and a Python one with 12.
    pub memory_bytes_max: usize,
    /// The watchdog of admission: wall-clock time for making the first instance and asking for its name. Chosen: thirty
    /// times what its fuel stands for. The watchdog of a turn is given with each player.
    pub admission_wall_clock: Duration,
    /// How much of a bot's standard output and error is kept. Chosen: a screenful for each turn of a long game.
    pub log_bytes_max: usize,
    /// The size of a component's file. Chosen: three times the largest honest one seen, 18 MB for a Python bot.
    pub component_bytes_max: usize,
    /// The fuel for making the first instance and asking for its name. Chosen: one second's worth; naming oneself takes
    /// a thousandth of it.
    pub admission_fuel: u64,
    /// What compiling a component may use, where it is compiled in a process of its own.
    pub compile: CompileLimits,
}

/// What compiling one component may use, where it is compiled in a process of its own
/// ([`Compiler::Child`](crate::Compiler::Child)).
///
/// Measured, on one core of a small virtual machine, of honest components:
///
/// | component | processor time | address space | artifact | stack |
/// | --- | --- | --- | --- | --- |
/// | a Rust bot of 75 kB | 0.2 s | under 96 MiB | 0.6 MB | under 256 KiB |
/// | a Python bot of 18 MB | 9 to 11 s | under 448 MiB | 40 MB | under 256 KiB |
/// | a JavaScript bot of 12 MB | 11 to 13 s | under 448 MiB | 43 MB | under 256 KiB |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// Processor time, in whole seconds. It is the one verdict of admission that depends on the machine; the scan before it
    /// is the same everywhere. Chosen: four to five times the longest that was measured, for slower machines.
    pub cpu_seconds_max: u64,
    /// Address space, all of the process's. Chosen: four times the most that was measured, since the largest file that is
    /// taken is as much larger than the Python bot's.
    pub address_space_bytes_max: u64,
    /// The stack that the compiler runs on. Chosen: 64 times what was measured, and little beside the address space.
    pub stack_bytes_max: usize,
    /// The machine code that comes of it, with all that belongs to it: it is held in memory twice while it is loaded.
    /// Chosen: six times the most that was measured, and what the largest file that is taken comes to at the same rate.
    pub artifact_bytes_max: usize,
    /// Wall-clock time. It is there for a machine that hangs, and so it is no bot's fault when it passes. Chosen: four
    /// times the processor time.
    pub wall_clock_max: Duration,
}

impl Default for CompileLimits {
    fn default() -> Self {
        Self {
            cpu_seconds_max: 60,
            address_space_bytes_max: 2 * GIB,
            stack_bytes_max: 16 * MIB,
            artifact_bytes_max: 256 * MIB,
            wall_clock_max: Duration::from_secs(240),
        }
    }
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self {
            workers: thread::available_parallelism().map_or(1, usize::from),
            memory_bytes_max: 64 * MIB,
            admission_wall_clock: Duration::from_secs(30),
            log_bytes_max: 64 * KIB,
            component_bytes_max: 64 * MIB,
            admission_fuel: FUEL_PER_SECOND,
            compile: CompileLimits::default(),
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
