//! Children on Linux.

use super::{End, How};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;
use std::{fs, io};

pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    // A terminal's Ctrl-C is for the arena, which then ends its children itself.
    command.process_group(0).spawn()
}

pub(super) fn end_if_ended(child: &mut Child) -> io::Result<Option<End>> {
    if has_ended(child, WaitIdOptions::NOHANG)? { wait(child).map(Some) } else { Ok(None) }
}

pub(super) fn wait(child: &mut Child) -> io::Result<End> {
    has_ended(child, WaitIdOptions::empty())?;
    // The system knows it until the child has been waited for.
    let used = used(child);
    Ok((child.wait()?, used))
}

/// True if a child that has not been waited for has ended. Unless it is to return at once, it waits for that.
fn has_ended(child: &Child, at_once: WaitIdOptions) -> io::Result<bool> {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | at_once;
    loop {
        match waitid(WaitId::Pid(Pid::from_child(child)), look) {
            Err(Errno::INTR) => {}
            looked => return Ok(looked?.is_some()),
        }
    }
}

pub(super) fn used(child: &Child) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The user's and the system's time, counted from the field after the name, which may have spaces in it.
    let times = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks: u64 = times.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_secs(ticks) / u32::try_from(rustix::param::clock_ticks_per_second()).ok()?)
}

pub(super) fn stop(child: &Child) -> io::Result<()> {
    Ok(kill_process(Pid::from_child(child), Signal::STOP)?)
}

pub(super) fn resume(child: &Child) -> io::Result<()> {
    Ok(kill_process(Pid::from_child(child), Signal::CONT)?)
}

pub(super) fn how(status: ExitStatus) -> How {
    match status.signal().and_then(Signal::from_named_raw) {
        Some(Signal::XCPU) => How::TimeUsedUp,
        Some(Signal::KILL) => How::Killed,
        Some(Signal::ABORT) => How::Aborted,
        Some(Signal::SEGV) => How::MemoryFault,
        Some(Signal::SYS) => How::ForbiddenCall,
        Some(Signal::ILL | Signal::FPE | Signal::TRAP) => How::OtherFault,
        _ => How::Otherwise,
    }
}
