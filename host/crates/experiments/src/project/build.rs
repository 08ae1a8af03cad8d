//! The build of a bot. It is the author's command, in its own process group. The group is killed when the round ends.

use super::Project;
use arena_engine::Error;
use arena_platform::groups::{Group, SHELL, shell};
use arena_system::NewThread;
use std::io::{self, Read};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most that is kept of a build's output, in bytes. Chosen: a thousand compiler errors; the first ones matter.
const PRINTED_BYTES_MAX: usize = 256 << 10;

/// The interval at which a build is polled. Chosen: short, because it is added to each round.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// The time that the output of a failed build has to end after it. Chosen: as long as its processes have.
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
                format!("check that `{SHELL}` is installed, and that you may run it"),
            )
        };
        let (reader, writer) = io::pipe().map_err(cannot)?;
        let mut command = shell(&self.build);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(writer.try_clone().map_err(cannot)?).stderr(writer);
        let mut group = Group::start(&mut command).map_err(cannot)?;
        // The command holds the writing ends of the pipe, and the reader waits until they are closed.
        drop(command);
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
