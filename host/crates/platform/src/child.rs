//! Child processes: their own group, their end and the processor time that they used, stopping and resuming them.

#[cfg(not(target_os = "linux"))]
pub(crate) mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

use crate::pipes::{Pipes, Receiver, Sender};
#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The time that a child which has sent everything is waited for. Chosen: ending takes some milliseconds.
const ENDING_MAX: Duration = Duration::from_secs(1);

/// The time between two looks at a child that is ending. Chosen: short compared with that.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The end of a child, and the processor time that it has used, if the system says.
type End = (ExitStatus, Option<Duration>);

/// A child process that is killed and waited for when it is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    /// Its end, once it has been waited for.
    end: Option<End>,
}

impl Running {
    /// Starts a child with these arguments, three pipes and nothing else.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn start(
        program: &Path,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> io::Result<(Self, Pipes)> {
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = system::start(&mut command)?;
        let mut running = Self { child, end: None };
        let child = &mut running.child;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("a child has no pipes"));
        };
        let pipes = Pipes {
            input: Sender::new(input)?,
            output: Receiver::of_output(output)?,
            errors: Receiver::of_errors(errors)?,
        };
        Ok((running, pipes))
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// True if it has ended. It does not wait for that.
    ///
    /// # Errors
    /// The system does not say.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        if self.end.is_none() {
            self.end = system::end_if_ended(&mut self.child)?;
        }
        Ok(self.end.is_some())
    }

    /// Waits for its end, and returns it with the processor time that it has used, if the system says.
    ///
    /// # Errors
    /// The system does not say.
    pub fn wait(&mut self) -> io::Result<(ExitStatus, Option<Duration>)> {
        match self.end {
            Some(end) => Ok(end),
            None => Ok(*self.end.insert(system::wait(&mut self.child)?)),
        }
    }

    /// The processor time that it has used so far; `None` when the system does not say. Then it cannot be stopped either.
    pub fn used(&self) -> Option<Duration> {
        match self.end {
            Some((_, used)) => used,
            None => system::used(&self.child),
        }
    }

    /// The processor time of a child that has sent everything and is ending. If the system says only after its end, it waits for a
    /// moment.
    pub fn used_at_end(&mut self) -> Option<Duration> {
        let begun = Instant::now();
        while self.used().is_none() && begun.elapsed() < ENDING_MAX && !self.has_ended().ok()? {
            thread::sleep(LOOK_EVERY);
        }
        self.used()
    }

    /// Kills it, and waits for its end. If it has ended, that does nothing.
    pub fn kill(&mut self) {
        if self.end.is_none() {
            let _ = self.child.kill();
            let _ = self.wait();
        }
    }

    /// Stops it until it is [resumed](Self::resume).
    ///
    /// # Errors
    /// The system cannot.
    pub fn stop(&self) -> io::Result<()> {
        system::stop(&self.child)
    }

    /// Resumes it.
    ///
    /// # Errors
    /// The system cannot.
    pub fn resume(&self) -> io::Result<()> {
        system::resume(&self.child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How a process has ended, as far as a parent has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By the limit on its processor time.
    TimeUsedUp,
    /// By the limit on its memory, on systems where it does not say so itself.
    MemoryUsedUp,
    /// By somebody else.
    Killed,
    /// By itself, with a message.
    Aborted,
    /// By a fault with memory, which may be an overflow of the stack if it says so.
    MemoryFault,
    /// By an overflow of its stack.
    StackOverflow,
    /// By a system call that is forbidden.
    ForbiddenCall,
    /// By another fault of its code.
    OtherFault,
    /// In another way.
    Otherwise,
}

impl How {
    /// How a process with this status has ended.
    pub fn of(status: ExitStatus) -> Self {
        system::how(status)
    }
}
