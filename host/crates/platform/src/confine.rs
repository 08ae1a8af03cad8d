//! What a process gives up before it runs untrusted code, and what of that the system has: of a process that compiles, before it
//! reads the first byte of a component, and of one that plays, before the first instruction of a bot.
//!
//! On Linux, resource limits and the like are part of every kernel; a child does not start without them. All other measures are
//! taken where the kernel has them, and the child [reports](Confinement) those that are missing. Measured: all of the latter take
//! 0.4 ms. Other systems confine no process: a child only watches its own memory and time, and ends with its parent.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
mod measures;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;
pub use measures::{Confinement, Gap, Measure};

use measures::Taken;

/// True if this system has measures that confine a process. Without them, run only bots that you trust.
pub const IS_CONFINED: bool = cfg!(target_os = "linux");

/// The limits that a child gets as its arguments. `u64::MAX` means no limit.
#[derive(Clone, Copy, Debug)]
pub struct ChildLimits {
    /// The process that waits for it.
    pub parent: u32,
    /// Its processor time.
    pub cpu_seconds: u64,
    /// Its address space.
    pub address_space_bytes: u64,
    /// Memory that it may write to.
    pub data_bytes: u64,
    /// The stack of the thread on which it works.
    pub stack_bytes: usize,
}

/// The purpose of a child, which decides the system calls that are left to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It makes machine code.
    Compiling,
    /// It runs machine code made before, and cannot make any.
    Playing,
}

impl ChildLimits {
    /// The number of arguments.
    pub const ARGS: usize = 5;

    /// The limits as arguments.
    pub fn to_args(&self) -> [String; Self::ARGS] {
        [
            self.parent.to_string(),
            self.cpu_seconds.to_string(),
            self.address_space_bytes.to_string(),
            self.data_bytes.to_string(),
            self.stack_bytes.to_string(),
        ]
    }

    /// Reads limits from arguments, as [`to_args`](Self::to_args) returns them.
    pub fn read(child_args: &[String]) -> Option<Self> {
        let [parent, cpu, address_space, data, stack] = child_args else { return None };
        Some(Self {
            parent: parent.parse().ok()?,
            cpu_seconds: cpu.parse().ok()?,
            address_space_bytes: address_space.parse().ok()?,
            data_bytes: data.parse().ok()?,
            stack_bytes: stack.parse().ok()?,
        })
    }

    /// Confines this process, which must have one thread and no descriptors of its own. `prepare` does what needs files: it runs
    /// after all inherited descriptors are closed, and before all other measures.
    ///
    /// # Errors
    /// What failed, and what to do about it.
    pub fn obey<T>(&self, prepare: impl FnOnce() -> Result<T, String>) -> Result<(Confining, T), String> {
        let (taken, prepared) = system::begin(self, prepare)?;
        Ok((Confining { taken }, prepared))
    }
}

/// A process that is confined except for its threads: it may still start them, with the same confinement.
#[derive(Debug)]
pub struct Confining {
    taken: Vec<Taken>,
}

impl Confining {
    /// Forbids further threads and all system calls that are not needed from now on, and returns the report.
    ///
    /// The threads must have begun their work, since a thread makes other system calls as it starts.
    ///
    /// # Errors
    /// The limit that cannot be set.
    pub fn finish(self, purpose: Purpose) -> Result<Confinement, String> {
        let mut taken = self.taken;
        taken.extend(system::finish(purpose)?);
        Ok(Confinement::try_from(taken).expect("each measure was taken or is missing"))
    }
}
