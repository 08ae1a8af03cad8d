//! The build of a bot. It is the author's command, in its own process group. The group is killed when the round ends.

use super::Project;
use arena_engine::Error;
use arena_system::NewThread;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most that is kept of a build's output, in bytes. Chosen: a thousand compiler errors; the first ones matter.
const PRINTED_BYTES_MAX: usize = 256 << 10;

/// The interval at which a build is polled. Chosen: short, because it is added to each round.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// The time that a build has to end after SIGTERM. Chosen: compilers can remove their temporary files in it.
const END_WAIT: Duration = Duration::from_secs(1);

/// The end of a build.
#[derive(Debug)]
pub enum BuildEnd {
    /// It succeeded.
    Built,
    /// It failed.
    Failed {
        /// The exit status of its command.
        status: ExitStatus,
        /// Its output.
        printed: String,
    },
    /// It was stopped.
    Stopped,
}

impl Project {
    /// Builds the bot. The build is stopped when `stop` returns true.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn run_build(&self, stop: impl Fn() -> bool) -> Result<BuildEnd, Error> {
        let cannot = |error: io::Error| {
            Error::machine(
                "cannot start the build",
                error,
                "check that `sh` is installed, and that you may run it",
            )
        };
        let (reader, writer) = io::pipe().map_err(cannot)?;
        let mut command = Command::new("sh");
        command.args(["-c", &self.build]).current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(writer.try_clone().map_err(cannot)?).stderr(writer);
        let child = command.process_group(0).spawn().map_err(cannot)?;
        // The command holds the writing ends of the pipe, and the reader waits until they are closed.
        drop(command);
        let mut group = Group(Some(child));
        let printed = Arc::new(Mutex::new(Vec::new()));
        let collecting = NewThread::named("build output").start({
            let printed = Arc::clone(&printed);
            move || collect(reader, &printed)
        })?;
        loop {
            if stop() {
                return Ok(BuildEnd::Stopped);
            }
            if let Some(status) = group.try_wait().map_err(cannot)? {
                // A background process that the build has left running may keep the pipe open, so the wait is limited.
                let end = Instant::now() + END_WAIT;
                while !collecting.is_finished() && Instant::now() < end && !status.success() {
                    thread::sleep(LOOK_INTERVAL);
                }
                let printed =
                    String::from_utf8_lossy(&printed.lock().unwrap_or_else(PoisonError::into_inner))
                        .into_owned();
                return Ok(match status.success() {
                    true => BuildEnd::Built,
                    false => BuildEnd::Failed { status, printed },
                });
            }
            thread::sleep(LOOK_INTERVAL);
        }
    }
}

/// Reads all output of a build, and keeps the first part.
fn collect(mut reader: impl Read, printed: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = reader.read(&mut bytes) {
        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        let room = PRINTED_BYTES_MAX - printed.len();
        printed.extend_from_slice(&bytes[..count.min(room)]);
    }
}

/// The processes of a build. They are ended when it is dropped.
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
        // The child has not been reaped, so its identifier still names this group.
        let id = Pid::from_child(child);
        let _ = kill_process_group(id, Signal::TERM);
        let end = Instant::now() + END_WAIT;
        // It must not be reaped before the whole group is killed: its identifier names the group until then.
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
