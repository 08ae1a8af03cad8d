//! The limits of a sandbox.

use crate::fuel::FUEL_PER_SECOND;
use std::thread;
use std::time::Duration;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const GIB: u64 = 1 << 30;

/// The limits on each bot of a sandbox and on the number of bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// The number of games that are played at the same time. The sandbox has room for about twice as many live bots.
    pub workers: usize,
    /// The memory of one bot. Chosen: a Rust bot starts with 1 MiB and a Python one with 12.
    pub memory_bytes_max: usize,
    /// The watchdog's limit on admission: wall-clock time for making the first instance and asking for its name. Chosen:
    /// thirty times what its fuel stands for. The limit on a turn is given with each player.
    pub admission_wall_clock: Duration,
    /// The bytes of a bot's standard output and error that are kept. Chosen: a screenful for each turn of a long game.
    pub log_bytes_max: usize,
    /// The size of a component's file. Chosen: three times the largest honest one seen, 18 MB for a Python bot.
    pub component_bytes_max: usize,
    /// The fuel for making the first instance and asking for its name. Chosen: one second's worth; returning a name takes
    /// a thousandth of it.
    pub admission_fuel: u64,
    /// The limits on compiling a component in a process of its own.
    pub compile: CompileLimits,
}

/// The limits on compiling one component in a process of its own ([`Compiler::Child`](crate::Compiler::Child)).
///
/// Measured for honest components on one core of a small virtual machine:
///
/// | component | processor time | address space | artifact | stack |
/// | --- | --- | --- | --- | --- |
/// | a Rust bot of 75 kB | 0.2 s | under 96 MiB | 0.6 MB | under 256 KiB |
/// | a Python bot of 18 MB | 9 to 11 s | under 448 MiB | 40 MB | under 256 KiB |
/// | a JavaScript bot of 12 MB | 11 to 13 s | under 448 MiB | 43 MB | under 256 KiB |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// Processor time, in whole seconds. It is the only limit on admission that depends on the machine; the scan before it
    /// is the same everywhere. Chosen: four to five times the longest measured, for slower machines.
    pub cpu_seconds_max: u64,
    /// Address space of the whole process. Chosen: four times the most measured, because the largest file that is admitted
    /// is four times as large as the Python bot's.
    pub address_space_bytes_max: u64,
    /// The compiler's stack. Chosen: 64 times the most measured, and little compared with the address space.
    pub stack_bytes_max: usize,
    /// The machine code with everything that belongs to it, which is held in memory twice while it is loaded. Chosen: six
    /// times the most measured, which is the code of the largest file that is admitted at the same rate.
    pub artifact_bytes_max: usize,
    /// Wall-clock time. It guards against a machine that hangs, so the bot is not at fault if it passes. Chosen: four times
    /// the processor time.
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

/// The room for live bots beyond two for each worker. Chosen: for admissions and a trial game beside a running tournament.
const SPARE_BOTS: usize = 4;

impl SandboxLimits {
    /// The number of bots that may be live at the same time.
    pub fn bots_max(&self) -> usize {
        self.workers.max(1).saturating_mul(2).saturating_add(SPARE_BOTS)
    }
}
