//! The build of a bot whose output is kept. Each command has its own process group, which is killed when the round ends.

use super::{BuildFailure, Project, Steps};
use arena_engine::Error;
use arena_platform::groups::Group;
use arena_resources::NewThread;
use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
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
        /// The reason.
        why: BuildFailure,
        /// The output of its commands.
        printed: String,
    },
    /// It was stopped.
    Stopped,
}

impl Project {
    /// Builds the bot, and keeps what the commands print. The build is stopped when `stop` returns true.
    ///
    /// # Errors
    /// The machine refuses a command or a file.
    pub fn run_build(&self, stop: impl Fn() -> bool) -> Result<BuildEnd, Error> {
        let mut steps = Collected { stop: &stop, printed: Arc::default() };
        match self.build(&mut steps) {
            Ok(()) => Ok(BuildEnd::Built),
            Err(BuildFailure::Stopped) => Ok(BuildEnd::Stopped),
            Err(BuildFailure::Engine(error)) => Err(error),
            Err(why) => {
                let printed = steps.printed.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(BuildEnd::Failed { why, printed: String::from_utf8_lossy(&printed).into_owned() })
            }
        }
    }
}

/// Commands whose output is kept, each in its own process group.
struct Collected<'a> {
    stop: &'a dyn Fn() -> bool,
    printed: Arc<Mutex<Vec<u8>>>,
}

impl Steps for Collected<'_> {
    fn note(&mut self, text: &str) {
        collect(format!("{text}\n").as_bytes(), &self.printed);
    }

    fn run(&mut self, command: &mut Command) -> Result<ExitStatus, BuildFailure> {
        let (reader, writer) = io::pipe().map_err(|error| BuildFailure::not_started(command, error))?;
        let copied = writer.try_clone().map_err(|error| BuildFailure::not_started(command, error))?;
        command.stdin(Stdio::null()).stdout(copied).stderr(writer);
        let mut group = Group::start(command).map_err(|error| BuildFailure::not_started(command, error))?;
        // The command holds the writing ends of the pipe, and the reader waits until they are closed.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let collecting = NewThread::named("build output").start({
            let printed = Arc::clone(&self.printed);
            move || collect(reader, &printed)
        });
        let collecting = collecting.map_err(Error::from)?;
        loop {
            if (self.stop)() {
                return Err(BuildFailure::Stopped);
            }
            if let Some(status) =
                group.try_wait().map_err(|error| BuildFailure::not_started(command, error))?
            {
                // A background process that the build has left running may keep the pipe open, so the wait is limited.
                let end = Instant::now() + END_WAIT;
                while !collecting.is_finished() && Instant::now() < end && !status.success() {
                    thread::sleep(LOOK_INTERVAL);
                }
                return Ok(status);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_failed_build_has_its_status_and_what_it_printed() {
        let folder = tempfile::tempdir().expect("there is room");
        let manifest = "bot = \"bot.wasm\"\nbuild = \"echo one; echo two >&2; exit 3\"\n";
        fs::write(folder.path().join("arena.toml"), manifest).expect("there is room");
        let project = Project::read(folder.path()).expect("it is a folder of a bot");
        match project.run_build(|| false).expect("it can be started") {
            BuildEnd::Failed { why: BuildFailure::Failed { status, .. }, printed } => {
                assert_eq!((status.code(), printed.as_str()), (Some(3), "one\ntwo\n"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_first_part_of_a_builds_output_is_kept_up_to_its_limit() {
        for (printed, expected) in
            [(256 << 10, 256 << 10), ((256 << 10) + 1, 256 << 10), (1 << 20, 256 << 10)]
        {
            let kept = Mutex::default();
            collect(&vec![7; printed][..], &kept);
            assert_eq!(kept.into_inner().expect("it is held by nothing").len(), expected);
        }
    }
}
