//! Children on systems that say how much time a child has used only when it has ended.

use super::{End, How, LOOK_EVERY};
use std::process::{Child, ExitStatus};
use std::time::Duration;
use std::{io, thread};
use wait4::Wait4;

/// The exit code of a child that has used up its processor time. Chosen: no program of the arena ends with it otherwise.
pub(crate) const TIME_USED_UP: i32 = 90;

/// The exit code of a child that has used up its memory.
pub(crate) const MEMORY_USED_UP: i32 = 91;

pub(super) use of_system::{how_ended, start};

pub(super) fn end_if_ended(child: &mut Child) -> io::Result<Option<End>> {
    Ok(child.try_wait4()?.map(|end| (end.status, Some(end.rusage.utime + end.rusage.stime))))
}

pub(super) fn wait(child: &mut Child) -> io::Result<End> {
    loop {
        match end_if_ended(child)? {
            Some(end) => return Ok(end),
            None => thread::sleep(LOOK_EVERY),
        }
    }
}

pub(super) fn used(_: &Child) -> Option<Duration> {
    None
}

pub(super) fn stop(_: &Child) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn resume(_: &Child) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn how(status: ExitStatus) -> How {
    match status.code() {
        Some(TIME_USED_UP) => How::TimeUsedUp,
        Some(MEMORY_USED_UP) => How::MemoryUsedUp,
        _ => how_ended(status),
    }
}

#[cfg(unix)]
mod of_system {
    use super::How;
    use rustix::process::Signal;
    use std::io;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, ExitStatus};

    pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
        command.process_group(0).spawn()
    }

    pub(crate) fn how_ended(status: ExitStatus) -> How {
        match status.signal().and_then(Signal::from_named_raw) {
            Some(Signal::KILL) => How::Killed,
            Some(Signal::ABORT) => How::Aborted,
            Some(Signal::SEGV | Signal::BUS) => How::MemoryFault,
            Some(Signal::ILL | Signal::FPE | Signal::TRAP) => How::OtherFault,
            _ => How::Otherwise,
        }
    }
}

#[cfg(windows)]
mod of_system {
    use super::How;
    use std::os::windows::io::AsRawHandle;
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command, ExitStatus};
    use std::sync::OnceLock;
    use std::{env, io};
    use win32job::{ExtendedLimitInfo, Job};

    /// A console's Ctrl-C is for the arena, which then ends its children itself.
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

    /// Starts it in a job, which ends all children when the arena ends.
    pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
        static JOB: OnceLock<Option<Job>> = OnceLock::new();
        // The system's own libraries are found by it.
        command.envs(env::var_os("SystemRoot").map(|folder| ("SystemRoot", folder)));
        let child = command.creation_flags(CREATE_NEW_PROCESS_GROUP).spawn()?;
        let job = JOB.get_or_init(|| {
            let mut limits = ExtendedLimitInfo::new();
            limits.limit_kill_on_job_close();
            Job::create_with_limit_info(&limits).ok()
        });
        if let Some(job) = job {
            // Without it, a child ends when its pipes do.
            let _ = job.assign_process(child.as_raw_handle() as isize);
        }
        Ok(child)
    }

    /// How a process has ended, by the codes of the system (`NTSTATUS`).
    pub(crate) fn how_ended(status: ExitStatus) -> How {
        match status.code().map(i32::cast_unsigned) {
            Some(0xC000_0005) => How::MemoryFault,
            Some(0xC000_00FD) => How::StackOverflow,
            // What an abort is on this system.
            Some(0xC000_0409) => How::Aborted,
            // Wrong instructions, and arithmetic.
            Some(0x8000_0003 | 0xC000_001D | 0xC000_0096 | 0xC000_0094 | 0xC000_0095) => How::OtherFault,
            _ => How::Otherwise,
        }
    }
}
