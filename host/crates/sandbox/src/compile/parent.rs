//! The sandbox's side of compiling in a child: it starts it, feeds it the component, listens, and sees it to its end.

use super::answer::{Enough, Heard};
use super::child::ASK;
use super::confine::Orders;
use super::ending::{Ending, Exit, Limit};
use crate::limits::CompileLimits;
use crate::watchdog;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, process};

/// How much is read at a time. Chosen: what a pipe holds on Linux.
const CHUNK_BYTES: usize = 64 << 10;

/// How much is kept of what a child writes on its standard error. Chosen: what it says of its end takes a tenth of it.
const SAID_BYTES_MAX: usize = 4 << 10;

/// How often a child is looked at that has closed its standard output and is ending. Chosen: it takes some milliseconds.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// What is to be compiled, by whom and within which limits.
pub(super) struct Task<'a> {
    pub(super) program: &'a Path,
    pub(super) args: &'a [OsString],
    pub(super) limits: &'a CompileLimits,
    /// The engine that the code is for.
    pub(super) engine_hash: &'a str,
    pub(super) component: &'a [u8],
    /// Becomes readable when compiling is to be abandoned.
    pub(super) bell: BorrowedFd<'a>,
}

/// Why a child is not waited for any longer.
enum Cut {
    Enough(Enough),
    Abandoned,
    WallClock,
    Io(io::Error),
}

impl From<io::Error> for Cut {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Errno> for Cut {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}

impl From<Enough> for Cut {
    fn from(enough: Enough) -> Self {
        Self::Enough(enough)
    }
}

/// A child that is ended and waited for when it is dropped, whatever becomes of its parent's thread.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended, and been waited for; then neither does anything.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Task<'_> {
    /// Compiles it.
    pub(super) fn run(&self) -> Ending {
        let mut child = match self.command().spawn() {
            Ok(child) => Running(child),
            Err(error) => {
                return Ending::Failure(format!(
                    "cannot start the compiler, {}: {error}; if the file has been replaced, start the arena again",
                    self.program.display()
                ));
            }
        };
        match self.attend(&mut child.0) {
            Ok(ending) => ending,
            Err(Cut::Abandoned) => Ending::Abandoned,
            Err(Cut::Enough(Enough::TooLarge)) => Ending::Limit(Limit::ArtifactBytes),
            Err(Cut::Enough(Enough::Garbled | Enough::OtherEngine)) => Ending::Failure(format!(
                "{} is not the compiler of this arena: it may have been replaced since; start the arena again",
                self.program.display()
            )),
            Err(Cut::WallClock) => Ending::Failure(format!(
                "compiling a component was stopped after {} seconds in which it had not had {} of processor time; try \
                 again when the machine is less busy, or with fewer `--jobs`",
                self.limits.wall_clock_max.as_secs(),
                self.limits.cpu_seconds_max
            )),
            Err(Cut::Io(error)) => Ending::Failure(format!("cannot attend to the compiler: {error}")),
        }
    }

    fn command(&self) -> Command {
        let orders = Orders {
            parent: i32::try_from(process::id()).unwrap_or_default(),
            cpu_seconds_max: self.limits.cpu_seconds_max,
            address_space_bytes_max: self.limits.address_space_bytes_max,
            stack_bytes_max: self.limits.stack_bytes_max,
        };
        let mut command = Command::new(self.program);
        command
            .args(self.args)
            .arg(ASK)
            .args(orders.words())
            .env_clear()
            .current_dir("/")
            // A terminal's Ctrl-C is for the arena, which then ends its children itself.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn attend(&self, child: &mut Child) -> Result<Ending, Cut> {
        let deadline = watchdog::deadline_in(self.limits.wall_clock_max);
        let mut talk = Talk::begin(child, self.component)?;
        while talk.stdout.is_some() {
            talk.go_on(self, deadline)?;
        }
        let greeting = talk.heard.greeting();
        if let Some(answer) = talk.heard.answer() {
            return Ok(Ending::of_answer(answer, greeting == Some(true), self.limits));
        }
        let (status, cpu_time) = self.end_of(child, deadline)?;
        // It has ended, so that all that it has said is there.
        while listen(&mut talk.stderr, |some| keep(&mut talk.said, some))? {}
        let said = String::from_utf8_lossy(&talk.said).into_owned();
        Ok(Ending::of_exit(&Exit { status, cpu_time, said, greeting }, self.limits))
    }

    /// Waits for a child that is ending, and says what processor time it has used.
    fn end_of(&self, child: &mut Child, deadline: Instant) -> Result<(ExitStatus, Option<Duration>), Cut> {
        let id = Pid::from_child(child);
        // What it has used can be read for as long as it has not been waited for.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        loop {
            match waitid(WaitId::Pid(id), look) {
                Ok(Some(_)) => break,
                Ok(None) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let left = deadline.checked_duration_since(Instant::now()).ok_or(Cut::WallClock)?;
            wait_for(&mut [PollFd::new(&self.bell, PollFlags::IN)], left.min(LOOK_EVERY))?;
            self.check_bell()?;
        }
        let cpu_time = cpu_time(id);
        Ok((child.wait()?, cpu_time))
    }

    fn check_bell(&self) -> Result<(), Cut> {
        let mut bell = [PollFd::new(&self.bell, PollFlags::IN)];
        if wait_for(&mut bell, Duration::ZERO)? > 0 { Err(Cut::Abandoned) } else { Ok(()) }
    }
}

/// What goes to a child and comes from it.
struct Talk<'a> {
    stdin: Option<ChildStdin>,
    /// What is left of the component to be sent.
    unsent: &'a [u8],
    stdout: Option<ChildStdout>,
    heard: Heard,
    stderr: Option<ChildStderr>,
    said: Vec<u8>,
}

impl<'a> Talk<'a> {
    fn begin(child: &mut Child, component: &'a [u8]) -> io::Result<Self> {
        let talk = Self {
            stdin: child.stdin.take(),
            unsent: component,
            stdout: child.stdout.take(),
            heard: Heard::default(),
            stderr: child.stderr.take(),
            said: Vec::new(),
        };
        for pipe in talk.pipes().into_iter().flatten() {
            ioctl_fionbio(pipe, true)?;
        }
        Ok(talk)
    }

    fn pipes(&self) -> [Option<BorrowedFd<'_>>; 3] {
        [
            self.stdin.as_ref().map(AsFd::as_fd),
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
        ]
    }

    /// Waits until something can be sent or heard, and does that.
    fn go_on(&mut self, task: &Task<'_>, deadline: Instant) -> Result<(), Cut> {
        let left = deadline.checked_duration_since(Instant::now()).ok_or(Cut::WallClock)?;
        let mut waiting = vec![PollFd::new(&task.bell, PollFlags::IN)];
        for (pipe, what) in self.pipes().into_iter().zip([PollFlags::OUT, PollFlags::IN, PollFlags::IN]) {
            waiting.extend(pipe.map(|pipe| PollFd::from_borrowed_fd(pipe, what)));
        }
        wait_for(&mut waiting, left)?;
        if !waiting[0].revents().is_empty() {
            return Err(Cut::Abandoned);
        }
        // None of these waits: what is not ready is tried again when something is.
        self.send()?;
        listen(&mut self.stderr, |some| keep(&mut self.said, some))?;
        let mut enough = Ok(());
        listen(&mut self.stdout, |some| {
            enough = self.heard.hear(some, task.engine_hash, task.limits.artifact_bytes_max);
        })?;
        Ok(enough?)
    }

    fn send(&mut self) -> io::Result<()> {
        let Some(stdin) = &mut self.stdin else { return Ok(()) };
        match stdin.write(self.unsent) {
            Ok(sent) => self.unsent = &self.unsent[sent..],
            Err(error) if is_for_later(&error) => {}
            // It has ended, and why will be heard.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.unsent = &[],
            Err(error) => return Err(error),
        }
        if self.unsent.is_empty() {
            self.stdin = None;
        }
        Ok(())
    }
}

/// Reads once from a pipe, closes it at its end, and says whether anything was there.
fn listen<R: Read>(pipe: &mut Option<R>, mut hear: impl FnMut(&[u8])) -> io::Result<bool> {
    let Some(open) = pipe else { return Ok(false) };
    let mut chunk = [0; CHUNK_BYTES];
    match open.read(&mut chunk) {
        Ok(0) => *pipe = None,
        Ok(count) => {
            hear(&chunk[..count]);
            return Ok(true);
        }
        Err(error) if is_for_later(&error) => {}
        Err(error) => return Err(error),
    }
    Ok(false)
}

fn keep(said: &mut Vec<u8>, more: &[u8]) {
    let room = SAID_BYTES_MAX - said.len();
    said.extend_from_slice(&more[..more.len().min(room)]);
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Waits for one of these to be ready, at most so long, and says how many are.
fn wait_for(waiting: &mut [PollFd<'_>], at_most: Duration) -> Result<usize, Errno> {
    // A time that is too long to be said is one that is never reached.
    let at_most = Timespec::try_from(at_most).ok();
    match poll(waiting, at_most.as_ref()) {
        // A signal of the arena's: whoever waits looks again.
        Err(Errno::INTR) => Ok(0),
        ready => ready,
    }
}

/// The processor time of a process that has ended and has not been waited for.
fn cpu_time(id: Pid) -> Option<Duration> {
    /// The user's and the system's time, counted from the field after the name, which may have spaces in it.
    const TIME_FIELDS: [usize; 2] = [11, 12];
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_pid())).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let mut ticks = 0_u64;
    for field in TIME_FIELDS {
        ticks = ticks.checked_add(fields.get(field)?.parse().ok()?)?;
    }
    Some(Duration::from_secs(ticks) / u32::try_from(rustix::param::clock_ticks_per_second()).ok()?)
}
