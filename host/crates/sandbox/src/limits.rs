//! The limits of a sandbox.

use crate::fuel::FUEL_PER_SECOND;
use std::thread;
use std::time::Duration;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// The limits on each bot of a sandbox and on the number of bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// The number of games that are played at the same time. The sandbox has room for about twice as many live bots.
    pub workers: usize,
    /// The memory of one bot. Chosen: a Rust bot starts with 1 MiB and a Python one with 12.
    pub memory_bytes_max: usize,
    /// The watchdog's limit on admission: wall-clock time for making the first instance and asking for its name. Chosen:
    /// thirty times the time of its fuel. The limit on a turn is given with each player.
    pub admission_wall_clock: Duration,
    /// The bytes of a bot's standard output and error that are kept. Chosen: a screenful for each turn of a long game.
    pub log_bytes_max: usize,
    /// The size of a component's file. Chosen: three times the largest honest one seen, 18 MB for a Python bot.
    pub component_bytes_max: usize,
    /// The fuel for making the first instance and asking for its name. Chosen: one second's worth; returning a name takes
    /// a thousandth of it.
    pub admission_fuel: u64,
    /// The limits on judging a component in a child process.
    pub compile: CompileLimits,
}

/// The limits on judging one component in a child process ([`Compiler::Child`](crate::Compiler::Child)): they grow with the
/// size of its file.
///
/// Measured for honest components on one core of a small virtual machine:
///
/// | component | processor time | address space | artifact | stack |
/// | --- | --- | --- | --- | --- |
/// | a Rust bot of 131 kB | 0.2 s | under 96 MiB | 0.6 MB | under 256 KiB |
/// | a JavaScript bot of 12.5 MB | 12 to 17 s | under 500 MiB | 43 MB | under 256 KiB |
/// | a Python bot of 18.3 MB | 10 to 14 s | under 500 MiB | 40 MB | under 256 KiB |
///
/// The longer times were measured while the machine was busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// Processor time, in seconds. It is the only limit on admission that depends on the machine; the scan before it is the
    /// same everywhere. Chosen: at least two and a half times what honest components take, for slower machines.
    pub cpu_seconds: Allowance,
    /// Address space of the whole process, in MiB. Chosen: at least one and a half times the most measured.
    pub address_space_mib: Allowance,
    /// The machine code with everything that belongs to it, in MiB. It is held in memory twice while it is loaded. Chosen:
    /// at least twice the most measured.
    pub artifact_mib: Allowance,
    /// The compiler's stack, in bytes. Chosen: 64 times the most measured, and little compared with the address space.
    pub stack_bytes: usize,
    /// The wall-clock time for each second of processor time. It is for a machine that hangs, so it is never the bot's
    /// fault. Chosen: a machine this slow is too busy for games as well.
    pub wall_clock_per_cpu_second: Duration,
}

/// An amount that grows with the size of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The amount for any file.
    pub base: u64,
    /// The further amount for each megabyte of the file, or part of one.
    pub per_megabyte: u64,
}

impl Allowance {
    /// The amount for a file of this size.
    ///
    /// ```
    /// use arena_sandbox::Allowance;
    ///
    /// let allowance = Allowance { base: 3, per_megabyte: 2 };
    /// assert_eq!(allowance.of(75_000), 5);
    /// assert_eq!(allowance.of(12_000_000), 27);
    /// ```
    pub const fn of(&self, size_bytes: usize) -> u64 {
        let megabytes = size_bytes.div_ceil(1_000_000) as u64;
        self.base.saturating_add(self.per_megabyte.saturating_mul(megabytes))
    }
}

/// The allowance of one component while it is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompileBudget {
    pub(crate) cpu_seconds: u64,
    pub(crate) address_space_bytes: u64,
    pub(crate) artifact_bytes: usize,
    pub(crate) stack_bytes: usize,
    pub(crate) wall_clock: Duration,
}

impl CompileLimits {
    /// The budget for a file of this size.
    pub(crate) fn budget(&self, size_bytes: usize) -> CompileBudget {
        let cpu_seconds = self.cpu_seconds.of(size_bytes);
        let bytes = |allowance: &Allowance| allowance.of(size_bytes).saturating_mul(MIB as u64);
        CompileBudget {
            cpu_seconds,
            address_space_bytes: bytes(&self.address_space_mib),
            artifact_bytes: usize::try_from(bytes(&self.artifact_mib)).unwrap_or(usize::MAX),
            stack_bytes: self.stack_bytes,
            wall_clock: self
                .wall_clock_per_cpu_second
                .saturating_mul(u32::try_from(cpu_seconds).unwrap_or(u32::MAX)),
        }
    }
}

impl CompileBudget {
    /// The same budget with another amount of processor time, and wall-clock time in proportion.
    pub(crate) fn with_cpu_seconds(mut self, cpu_seconds: u64) -> Self {
        let parts = u32::try_from(self.cpu_seconds.max(1)).unwrap_or(u32::MAX);
        let each = self.wall_clock / parts;
        self.wall_clock = each.saturating_mul(u32::try_from(cpu_seconds).unwrap_or(u32::MAX));
        self.cpu_seconds = cpu_seconds;
        self
    }
}

impl Default for CompileLimits {
    fn default() -> Self {
        Self {
            cpu_seconds: Allowance { base: 3, per_megabyte: 3 },
            address_space_mib: Allowance { base: 256, per_megabyte: 48 },
            artifact_mib: Allowance { base: 16, per_megabyte: 8 },
            stack_bytes: 16 * MIB,
            wall_clock_per_cpu_second: Duration::from_secs(20),
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

/// The room for live bots beyond two for each worker. Chosen: for admissions and a trial game during a tournament.
const SPARE_BOTS: usize = 4;

impl SandboxLimits {
    /// The number of bots that may be live at the same time.
    pub fn bots_max(&self) -> usize {
        self.workers.max(1).saturating_mul(2).saturating_add(SPARE_BOTS)
    }
}
