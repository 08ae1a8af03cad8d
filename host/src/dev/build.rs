//! The build of a bot: a command of its author's, in a group of processes of its own, which ends with the round.

use super::Project;
use crate::failure::Failure;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most that is kept of what a build prints, in bytes. Chosen: a thousand errors of a compiler; the first ones matter.
const PRINTED_BYTES_MAX: usize = 256 << 10;

/// The time between two looks at a build. Chosen: it is added to each round.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// The time that a build has to end when it is told to. Chosen: compilers remove their temporary files in it.
const END_WAIT: Duration = Duration::from_secs(1);

/// The end of a build.
#[derive(Debug)]
pub enum BuildEnd {
    /// It succeeded.
    Built,
    /// It failed.
    Failed {
        /// The exit of its command.
        status: ExitStatus,
        /// What it printed.
        printed: String,
    },
    /// It was stopped.
    Stopped,
}

/// Builds the bot of a project, unless `stop` says otherwise.
///
/// # Errors
/// The command cannot be started.
pub fn build(project: &Project, stop: impl Fn() -> bool) -> Result<BuildEnd, Failure> {
    let cannot = |error: io::Error| {
        Failure::machine("cannot start the build", error, "see if there is a shell, `sh`, and room for it")
    };
    let (reader, writer) = io::pipe().map_err(cannot)?;
    let mut command = Command::new("sh");
    command.args(["-c", &project.build]).current_dir(&project.folder).stdin(Stdio::null());
    command.stdout(writer.try_clone().map_err(cannot)?).stderr(writer);
    let child = command.process_group(0).spawn().map_err(cannot)?;
    // The command has the ends of the pipe, and the reader waits for them to close.
    drop(command);
    let mut group = Group(Some(child));
    let printed = Arc::new(Mutex::new(Vec::new()));
    let collecting = thread::spawn({
        let printed = Arc::clone(&printed);
        move || collect(reader, &printed)
    });
    loop {
        if stop() {
            return Ok(BuildEnd::Stopped);
        }
        if let Some(status) = group.try_wait().map_err(cannot)? {
            // A server that it has left running may keep the pipe open.
            let end = Instant::now() + END_WAIT;
            while !collecting.is_finished() && Instant::now() < end && !status.success() {
                thread::sleep(LOOK_INTERVAL);
            }
            let printed =
                String::from_utf8_lossy(&printed.lock().unwrap_or_else(PoisonError::into_inner)).into_owned();
            return Ok(match status.success() {
                true => BuildEnd::Built,
                false => BuildEnd::Failed { status, printed },
            });
        }
        thread::sleep(LOOK_INTERVAL);
    }
}

/// Reads all that a build prints, and keeps the first part.
fn collect(mut reader: impl Read, printed: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = reader.read(&mut bytes) {
        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        let room = PRINTED_BYTES_MAX - printed.len();
        printed.extend_from_slice(&bytes[..count.min(room)]);
    }
}

/// The processes of a build, which end with it.
struct Group(Option<Child>);

impl Group {
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let Some(child) = &mut self.0 else { return Ok(None) };
        let status = child.try_wait()?;
        if status.is_some() {
            self.0 = None;
        }
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(child) = &mut self.0 else { return };
        // It has not been waited for, so the group is still that of this child.
        let id = Pid::from_child(child);
        let _ = kill_process_group(id, Signal::TERM);
        let end = Instant::now() + END_WAIT;
        // It is not reaped here, as its identifier names the group until all of it is killed.
        while Instant::now() < end && !has_ended(id) {
            thread::sleep(LOOK_INTERVAL);
        }
        let _ = kill_process_group(id, Signal::KILL);
        let _ = child.wait();
    }
}

/// True if a child has ended. It is not reaped.
fn has_ended(id: Pid) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(id), options).is_ok_and(|status| status.is_some())
}
