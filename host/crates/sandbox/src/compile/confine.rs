//! The limits that a compiling child sets on itself before anything else.

use rustix::process::{self, DumpableBehavior, Pid, Resource, Rlimit, Signal};
use rustix::{io, thread};
use std::ops::RangeInclusive;

/// Open files of the child. Chosen: it needs the three that it starts with, and threads open one in `/proc`.
const FILES_MAX: u64 = 16;

/// The orders that a child gets as its arguments.
pub(super) struct Orders {
    /// The process that waits for it.
    pub(super) parent: i32,
    pub(super) cpu_seconds: u64,
    pub(super) address_space_bytes: u64,
    pub(super) stack_bytes: usize,
}

impl Orders {
    /// The orders as arguments.
    pub(super) fn words(&self) -> [String; 4] {
        [
            self.parent.to_string(),
            self.cpu_seconds.to_string(),
            self.address_space_bytes.to_string(),
            self.stack_bytes.to_string(),
        ]
    }

    /// Reads orders from arguments, as [`words`](Self::words) returns them.
    pub(super) fn read(words: &[String]) -> Option<Self> {
        let [parent, cpu, address_space, stack] = words else { return None };
        Some(Self {
            parent: parent.parse().ok()?,
            cpu_seconds: cpu.parse().ok()?,
            address_space_bytes: address_space.parse().ok()?,
            stack_bytes: stack.parse().ok()?,
        })
    }

    /// Confines this process, or returns what cannot be done and what to do about it.
    pub(super) fn obey(&self) -> Result<(), String> {
        die_with(self.parent)?;
        let (cpu, bytes) = (self.cpu_seconds, self.address_space_bytes);
        // The hard limit is a second more than the soft one, whose signal this process may have been started to ignore.
        limit(
            "processor time",
            "; run `ulimit -t unlimited` first",
            Resource::Cpu,
            cpu..=cpu.saturating_add(1),
        )?;
        limit("virtual memory", "; run `ulimit -v unlimited` first", Resource::As, bytes..=bytes)?;
        // Everything that it writes goes into pipes.
        for (what, resource, most) in [
            ("the size of core files", Resource::Core, 0),
            ("the size of files", Resource::Fsize, 0),
            ("open files", Resource::Nofile, FILES_MAX),
        ] {
            let most = process::getrlimit(resource).maximum.map_or(most, |allowed| allowed.min(most));
            limit(what, "", resource, most..=most)?;
        }
        process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
            .map_err(|error| cannot("keep its memory private", error))?;
        thread::set_no_new_privs(true).map_err(|error| cannot("give up new privileges", error))
    }
}

/// Ensures that this process does not outlive its parent.
fn die_with(parent: i32) -> Result<(), String> {
    process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| cannot("ask to be ended with its parent", error))?;
    // The parent may have ended before that, and another process may be the parent now.
    let is_there = process::getppid().map(Pid::as_raw_pid) == Some(parent);
    if is_there { Ok(()) } else { Err("its parent is gone".into()) }
}

fn limit(what: &str, next_step: &str, resource: Resource, bounds: RangeInclusive<u64>) -> Result<(), String> {
    process::setrlimit(resource, Rlimit { current: Some(*bounds.start()), maximum: Some(*bounds.end()) })
        .map_err(|error| cannot(&format!("limit {what}"), error) + next_step)
}

fn cannot(what: &str, error: io::Errno) -> String {
    format!("it cannot {what}: {error}")
}
