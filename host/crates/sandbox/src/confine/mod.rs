//! The confinement of child processes: of one that compiles, before it reads the first byte of a component, and of one that
//! plays, before the first instruction of a bot.
//!
//! Resource limits and the like are part of every Linux; a child does not start without them. All other measures are taken
//! where the kernel has them, and the child [reports](Confinement) those that are missing. Measured: all of the latter take
//! 0.4 ms.

mod landlocked;
mod measures;
mod privileges;
mod syscalls;

pub use measures::{Confinement, Gap, Measure};

use measures::Taken;
use rustix::process::{self, DumpableBehavior, Pid, Resource, Rlimit, Signal};
use rustix::{io, thread};
use std::ops::RangeInclusive;

/// Open files of the child, once it is confined. Chosen: it needs those that it has by then, and opens no more.
const FILES_MAX: u64 = 3;

/// The limits that a child gets as its arguments. `u64::MAX` means no limit.
pub(crate) struct ChildLimits {
    /// The process that waits for it.
    pub(crate) parent: i32,
    pub(crate) cpu_seconds: u64,
    pub(crate) address_space_bytes: u64,
    /// Memory that it may write to.
    pub(crate) data_bytes: u64,
    /// The stack of the thread on which it works.
    pub(crate) stack_bytes: usize,
}

/// The purpose of a child, which decides the system calls that are left to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It makes machine code.
    Compiling,
    /// It runs machine code made before, and cannot make any.
    Playing,
}

impl ChildLimits {
    /// The number of arguments.
    pub(crate) const ARGS: usize = 5;

    /// The orders as arguments.
    pub(crate) fn to_args(&self) -> [String; Self::ARGS] {
        [
            self.parent.to_string(),
            self.cpu_seconds.to_string(),
            self.address_space_bytes.to_string(),
            self.data_bytes.to_string(),
            self.stack_bytes.to_string(),
        ]
    }

    /// Reads orders from arguments, as [`words`](Self::words) returns them.
    pub(crate) fn read(child_args: &[String]) -> Option<Self> {
        let [parent, cpu, address_space, data, stack] = child_args else { return None };
        Some(Self {
            parent: parent.parse().ok()?,
            cpu_seconds: cpu.parse().ok()?,
            address_space_bytes: address_space.parse().ok()?,
            data_bytes: data.parse().ok()?,
            stack_bytes: stack.parse().ok()?,
        })
    }

    /// Confines this process, which must have one thread and no descriptors of its own, or returns what failed and what to
    /// do about it. `prepare` does what needs files: it runs after all inherited descriptors are closed, and before all
    /// other measures.
    pub(crate) fn obey<T>(
        &self,
        prepare: impl FnOnce() -> Result<T, String>,
    ) -> Result<(Confining, T), String> {
        die_with(self.parent)?;
        let descriptors = privileges::close_descriptors();
        let prepared = prepare()?;
        let (cpu, bytes) = (self.cpu_seconds, self.address_space_bytes);
        // The hard limit is a second more than the soft one, whose signal this process may have been started to ignore.
        limit(
            "processor time",
            "; run `ulimit -t unlimited` first",
            Resource::Cpu,
            cpu..=cpu.saturating_add(1),
        )?;
        limit("virtual memory", "; run `ulimit -v unlimited` first", Resource::As, bytes..=bytes)?;
        let data = self.data_bytes;
        limit("memory", "; run `ulimit -d unlimited` first", Resource::Data, data..=data)?;
        limit("the size of core files", "", Resource::Core, 0..=0)?;
        process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
            .map_err(|error| cannot("keep its memory private", error))?;
        thread::set_no_new_privs(true).map_err(|error| cannot("give up new privileges", error))?;
        let mut taken = vec![
            (Measure::ResourceLimits, Ok(())),
            (Measure::ParentDeath, Ok(())),
            (Measure::PrivateMemory, Ok(())),
            (Measure::NoNewPrivileges, Ok(())),
            (Measure::Descriptors, descriptors),
            (Measure::Capabilities, privileges::drop_capabilities()),
        ];
        taken.extend(landlocked::enter());
        Ok((Confining { taken }, prepared))
    }
}

/// A process that is confined except for its threads: it may still start them, with the same confinement.
pub(crate) struct Confining {
    taken: Vec<Taken>,
}

impl Confining {
    /// Forbids further threads and all system calls that are not needed from now on, and returns the report.
    ///
    /// The threads must have begun their work, since a thread makes other system calls as it starts.
    ///
    /// # Errors
    /// The limit that cannot be set.
    pub(crate) fn finish(self, purpose: Purpose) -> Result<Confinement, String> {
        // Everything that it writes from now on goes into pipes.
        for (what, resource, most) in
            [("the size of files", Resource::Fsize, 0), ("open files", Resource::Nofile, FILES_MAX)]
        {
            let most = process::getrlimit(resource).maximum.map_or(most, |allowed| allowed.min(most));
            limit(what, "", resource, most..=most)?;
        }
        let processes = forbid_processes();
        let system_calls = syscalls::limit(purpose);
        // Root is not bound by the limit, but the list of system calls is binding for every user.
        let processes = if system_calls.is_ok() { Ok(()) } else { processes };
        let mut taken = self.taken;
        taken.push((Measure::Processes, processes));
        taken.push((Measure::SystemCalls, system_calls));
        Ok(Confinement::try_from(taken).expect("each measure was taken or is missing"))
    }
}

/// Sets the number of processes and threads that this user may have to 0, as far as this process is concerned.
fn forbid_processes() -> Result<(), Gap> {
    let next = "run the arena as an ordinary user, or on a kernel with seccomp";
    limit("processes", "", Resource::Nproc, 0..=0).map_err(|why| Gap::new(why, next))?;
    if process::getuid().is_root() {
        return Err(Gap::new("the limit on processes does not bind root", next));
    }
    Ok(())
}

/// Ensures that this process does not outlive its parent.
fn die_with(parent: i32) -> Result<(), String> {
    process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| cannot("ask to be ended with its parent", error))?;
    // The parent may have ended before that, and another process may be the parent now.
    let is_there = process::getppid().map(Pid::as_raw_pid) == Some(parent);
    if is_there { Ok(()) } else { Err("its parent is gone".into()) }
}

/// Sets a soft and a hard limit. One of `u64::MAX` stays as it is.
fn limit(what: &str, next_step: &str, resource: Resource, bounds: RangeInclusive<u64>) -> Result<(), String> {
    if *bounds.start() == u64::MAX {
        return Ok(());
    }
    process::setrlimit(resource, Rlimit { current: Some(*bounds.start()), maximum: Some(*bounds.end()) })
        .map_err(|error| cannot(&format!("limit {what}"), error) + next_step)
}

fn cannot(what: &str, error: io::Errno) -> String {
    format!("it cannot {what}: {error}")
}
