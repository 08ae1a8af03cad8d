//! The sandbox's side of compiling in a child: it starts the child, sends the component, reads the answer and waits for
//! the end.

use super::ending::{Ending, Exit};
use super::output::{self, Output};
use super::queue::{MadeDo, Slot};
use super::seal::{CHUNK_BYTES, Key, SealError};
use crate::limits::CompileBudget;
use crate::meter::Meter;
use crate::watchdog;
use arena_platform::child;
use arena_platform::confine::Confinement;
use arena_platform::pipes::{self, Awaited, Pipes, Receiver, Sender};
use arena_platform::refusals::{self, Reason};
use arena_referee::{HostError, Trouble};
use arena_resources::{is_limit, refused, step_or};
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The most that is kept of a child's standard error. Chosen: a crash message takes a tenth of it.
pub(crate) const SAID_BYTES_MAX: usize = 4 << 10;

/// The time between two looks at a child that has closed its standard output and is ending. Chosen: ending takes some
/// milliseconds.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The processor time after which a child yields to those that have used less, and again each time that it has used twice
/// as much. Chosen: about what a small bot takes; one that waits at that point has lost nothing.
const SHARE: Duration = Duration::from_millis(250);

/// The time between two looks at how much a child has used. Chosen: short compared with the share.
const LOOK_AT_USE_EVERY: Duration = Duration::from_millis(100);

/// Work for a child, with the compiler and the budget.
pub(super) struct Task<'a> {
    pub(super) program: &'a Path,
    pub(super) args: &'a [OsString],
    /// The arguments for the child.
    pub(super) child_args: Vec<String>,
    pub(super) budget: &'a CompileBudget,
    /// The judges that the child must claim to be.
    pub(super) judges_hash: &'a str,
    /// The component and the judges, which the answer must be sealed for.
    pub(super) key: &'a Key,
    /// The input, in parts.
    pub(super) input: Vec<&'a [u8]>,
    /// The place for the first child's report on its confinement.
    pub(super) confinement: &'a OnceLock<Confinement>,
}

/// A child that is killed and waited for when it is dropped, also if its parent's thread panics.
pub(crate) struct Running {
    pub(crate) child: child::Running,
    /// The meter in which its processor time counts once it has ended; `None` when it was counted.
    meter: Option<Meter>,
}

impl Running {
    /// Starts a child process with these arguments, three pipes and nothing else. Its processor time counts in the meter.
    pub(crate) fn start(
        program: &Path,
        args: &[OsString],
        child_args: &[String],
        meter: &Meter,
    ) -> io::Result<(Self, Pipes)> {
        let all = args.iter().map(OsString::as_os_str).chain(child_args.iter().map(OsStr::new));
        let (child, pipes) = child::Running::start(program, all)?;
        Ok((Self { child, meter: Some(meter.clone()) }, pipes))
    }

    /// The end of the child, if it has ended.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.child.has_ended()? { self.wait().map(|(status, _)| Some(status)) } else { Ok(None) }
    }

    /// Waits for its end, and returns it with the processor time that it has used, if the system says.
    fn wait(&mut self) -> io::Result<(ExitStatus, Option<Duration>)> {
        let end = self.child.wait()?;
        if let Some(meter) = self.meter.take() {
            end.1.iter().for_each(|used| meter.add(*used));
        }
        Ok(end)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill();
        let _ = self.wait();
    }
}

/// The failure of a child that cannot be started.
pub(crate) fn not_started(what: &str, program: &Path, error: io::Error) -> HostError {
    let what = format!("cannot start {what}, {}", program.display());
    // It is not about the file's permissions, which have another number.
    if refusals::number(&error).and_then(Reason::of) == Some(Reason::CallForbidden) {
        return refused(what, error);
    }
    let next = step_or(&error, "if the file has been replaced, restart the arena");
    HostError::Machine(Trouble::from(what).because(error).with_next(next))
}

impl Task<'_> {
    /// Has the work done.
    pub(super) fn run(&self, slot: &mut Slot<'_>) -> Ending {
        self.run_timed(slot).0
    }

    /// Has the work done, and returns the processor time that it took as well, if it was done.
    pub(super) fn run_timed(&self, slot: &mut Slot<'_>) -> (Ending, Option<Duration>) {
        loop {
            let mut used = None;
            let ending = self.attend(slot, &mut used).unwrap_or_else(|early| early);
            let limit = match &ending {
                Ending::Failure(why) if why.trouble().cause().is_some_and(|cause| is_limit(cause)) => why,
                _ => return (ending, used),
            };
            // If there are other children, it comes after one of them.
            match slot.make_do(limit) {
                MadeDo::Again => {}
                MadeDo::Alone => return (ending, used),
                MadeDo::Closed => return (Ending::Abandoned, None),
            }
        }
    }

    /// Serves a child until it has answered or ended. An error is an ending before that.
    fn attend(&self, slot: &mut Slot<'_>, used: &mut Option<Duration>) -> Result<Ending, Ending> {
        let mut deadline = watchdog::deadline_in(self.budget.wall_clock);
        let (mut running, pipes) = Running::start(self.program, self.args, &self.child_args, slot.meter())
            .map_err(|error| Ending::Failure(not_started("the compiler", self.program, error)))?;
        let mut pipes = ChildPipes::begin(pipes, self);
        let mut looked = Instant::now();
        while pipes.stdout.is_some() {
            self.wait(slot, &pipes.awaited(), deadline, LOOK_AT_USE_EVERY)?;
            pipes.go_on().map_err(|error| self.cut(error))?;
            if looked.elapsed() < LOOK_AT_USE_EVERY {
                continue;
            }
            looked = Instant::now();
            let level = level(running.child.used().unwrap_or_default());
            if slot.is_wanted(level) {
                self.step_aside(&running.child, slot, level)?;
                // The time in which it does not run does not count.
                deadline = deadline.checked_add(looked.elapsed()).unwrap_or(deadline);
            }
        }
        let (ready_message, answer) = pipes.heard.finish().map_err(|error| self.cut(error))?;
        let has_room = ready_message.map(|ready_message| {
            // All children of a process are confined alike.
            let _ = self.confinement.set(ready_message.confinement);
            ready_message.has_room
        });
        if let Some(answer) = answer {
            *used = running.child.used_at_end();
            return Ok(Ending::of_answer(answer, has_room == Some(true), self.budget));
        }
        let (status, cpu_time) = self.end_of(slot, &mut running, deadline)?;
        // It has ended, so all its output is in the pipe.
        while listen(&mut pipes.stderr, |some| keep(&mut pipes.said, some))
            .map_err(|error| self.cut(error))?
        {}
        let said = String::from_utf8_lossy(&pipes.said).into_owned();
        Ok(Ending::of_exit(&Exit { status, cpu_time, said, has_room }, self.budget))
    }

    /// Stops the child while others have its place.
    fn step_aside(&self, child: &child::Running, slot: &mut Slot<'_>, level: u32) -> Result<(), Ending> {
        child.stop().map_err(|error| self.cut(error))?;
        if !slot.step_aside(level) {
            return Err(Ending::Abandoned);
        }
        child.resume().map_err(|error| self.cut(error))
    }

    /// The ending that an error means.
    fn cut(&self, error: impl Into<SealError>) -> Ending {
        output::cut(self.program, error.into())
    }

    /// Waits until one of the pipes is ready, or for this long.
    fn wait(
        &self,
        slot: &Slot<'_>,
        pipes: &[Awaited<'_>],
        deadline: Instant,
        at_most: Duration,
    ) -> Result<(), Ending> {
        let left = deadline.checked_duration_since(Instant::now()).ok_or_else(|| {
            let what = format!(
                "compiling a component was stopped after {} seconds, in which it did not get {} seconds of processor \
                 time",
                self.budget.wall_clock.as_secs(),
                self.budget.cpu_seconds
            );
            let next = "try again when the machine is less busy, or with fewer `--jobs`";
            Ending::failure(Trouble::from(what).with_next(next))
        })?;
        let awaited = [&[Awaited::Bell(slot.bell())], pipes].concat();
        // After a signal for the arena the caller looks again.
        let ready = pipes::wait(&awaited, left.min(at_most)).map_err(|error| self.cut(error))?;
        if ready[0] { Err(Ending::Abandoned) } else { Ok(()) }
    }

    /// Waits for a child that is ending, and returns its status and the processor time that it has used.
    fn end_of(
        &self,
        slot: &Slot<'_>,
        running: &mut Running,
        deadline: Instant,
    ) -> Result<(ExitStatus, Option<Duration>), Ending> {
        while !running.child.has_ended().map_err(|error| self.cut(error))? {
            self.wait(slot, &[], deadline, LOOK_EVERY)?;
        }
        running.wait().map_err(|error| self.cut(error))
    }
}

/// The pipes to and from a child.
struct ChildPipes<'a> {
    stdin: Option<Sender>,
    /// The rest of the input; the last part first.
    unsent: Vec<&'a [u8]>,
    stdout: Option<Receiver>,
    heard: Output,
    stderr: Option<Receiver>,
    said: Vec<u8>,
}

impl<'a> ChildPipes<'a> {
    fn begin(pipes: Pipes, task: &Task<'a>) -> Self {
        Self {
            stdin: Some(pipes.input),
            unsent: task.input.iter().rev().copied().collect(),
            stdout: Some(pipes.output),
            heard: Output::new(task.judges_hash, task.key, task.budget),
            stderr: Some(pipes.errors),
            said: Vec::new(),
        }
    }

    /// The open pipes.
    fn awaited(&self) -> Vec<Awaited<'_>> {
        let stdin = self.stdin.as_ref().map(Awaited::Sender);
        let [stdout, stderr] = [&self.stdout, &self.stderr].map(|it| it.as_ref().map(Awaited::Receiver));
        [stdin, stdout, stderr].into_iter().flatten().collect()
    }

    /// Sends and reads what can be sent and read without waiting.
    fn go_on(&mut self) -> Result<(), SealError> {
        self.send()?;
        listen(&mut self.stderr, |some| keep(&mut self.said, some))?;
        listen(&mut self.stdout, |some| self.heard.take(some))?;
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        let Some(stdin) = &mut self.stdin else { return Ok(()) };
        if let Some(part) = self.unsent.last_mut() {
            match stdin.write(part) {
                Ok(sent) => *part = &part[sent..],
                Err(error) if is_for_later(&error) => {}
                // It has ended; the reason is found out later.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => self.unsent.clear(),
                Err(error) => return Err(error),
            }
        }
        while self.unsent.pop_if(|part| part.is_empty()).is_some() {}
        if self.unsent.is_empty() {
            self.stdin = None;
        }
        Ok(())
    }
}

/// Reads once from a pipe, closes it at its end, and returns true if there was anything.
fn listen<R: Read>(
    pipe: &mut Option<R>,
    hear: impl FnOnce(&[u8]) -> Result<(), SealError>,
) -> Result<bool, SealError> {
    let Some(open) = pipe else { return Ok(false) };
    let mut chunk = [0; CHUNK_BYTES];
    match open.read(&mut chunk) {
        Ok(0) => *pipe = None,
        Ok(count) => return hear(&chunk[..count]).map(|()| true),
        Err(error) if is_for_later(&error) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(false)
}

pub(crate) fn keep(said: &mut Vec<u8>, more: &[u8]) -> Result<(), SealError> {
    let room = SAID_BYTES_MAX - said.len();
    said.extend_from_slice(&more[..more.len().min(room)]);
    Ok(())
}

pub(crate) fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// The level of a child that has used this much processor time: 0 within its share, and one more each time that it has used
/// twice as much.
fn level(used: Duration) -> u32 {
    let shares = used.as_millis() / SHARE.as_millis();
    shares.checked_ilog2().map_or(0, |log2| log2 + 1)
}
