//! The confinement of processes on Linux.

mod landlocked;
mod privileges;
mod syscalls;

use super::measures::{Gap, Measure, Taken};
use super::{ChildLimits, Purpose};
use rustix::process::{self, DumpableBehavior, Pid, Resource, Rlimit, Signal};
use rustix::{io, thread};
use std::ops::RangeInclusive;

/// Open files of the child, once it is confined. Chosen: it needs those that it has by then, and opens no more.
const FILES_MAX: u64 = 3;

/// Takes all measures that leave it its threads.
pub(super) fn begin<T>(
    limits: &ChildLimits,
    prepare: impl FnOnce() -> Result<T, String>,
) -> Result<(Vec<Taken>, T), String> {
    die_with(limits.parent)?;
    let descriptors = privileges::close_descriptors();
    let prepared = prepare()?;
    let (cpu, bytes) = (limits.cpu_seconds, limits.address_space_bytes);
    // The hard limit is a second more than the soft one, whose signal this process may have been started to ignore.
    limit("processor time", "; run `ulimit -t unlimited` first", Resource::Cpu, cpu..=cpu.saturating_add(1))?;
    limit("virtual memory", "; run `ulimit -v unlimited` first", Resource::As, bytes..=bytes)?;
    let data = limits.data_bytes;
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
    Ok((taken, prepared))
}

/// Takes the last two measures.
pub(super) fn finish(purpose: Purpose) -> Result<[Taken; 2], String> {
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
    Ok([(Measure::Processes, processes), (Measure::SystemCalls, system_calls)])
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
fn die_with(parent: u32) -> Result<(), String> {
    process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| cannot("ask to be ended with its parent", error))?;
    // The parent may have ended before that, and another process may be the parent now.
    let is_there = process::getppid().map(Pid::as_raw_pid) == i32::try_from(parent).ok();
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
