//! A command of the user's shell, with all that it starts.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// The processes of a command. They are ended when it is dropped.
pub struct Group(Option<Child>);

impl Group {
    /// Starts a command in a group of its own.
    ///
    /// # Errors
    /// The system refuses the process.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(command, system::NEW_PROCESS_GROUP);
        command.spawn().map(|child| Self(Some(child)))
    }

    /// The exit status of the command, if it has ended. The others are left alone then.
    ///
    /// # Errors
    /// The system cannot say it.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
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
        system::end(child);
        let _ = child.wait();
    }
}

#[cfg(unix)]
mod system {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::process::{Child, Command};
    use std::thread;
    use std::time::{Duration, Instant};

    /// The name of the user's shell.
    pub const SHELL: &str = "sh";

    /// The interval at which a group that ends is polled. Chosen: too short to notice.
    const LOOK_INTERVAL: Duration = Duration::from_millis(10);

    /// The time that a group has to end after SIGTERM. Chosen: compilers can remove their temporary files in it.
    const END_WAIT: Duration = Duration::from_secs(1);

    /// The process of a line for the user's shell.
    pub fn shell(line: &str) -> Command {
        let mut command = Command::new(SHELL);
        command.args(["-c", line]);
        command
    }

    pub(super) fn end(child: &Child) {
        // The child has not been reaped, so its identifier still names this group.
        let id = Pid::from_child(child);
        let _ = kill_process_group(id, Signal::TERM);
        let end = Instant::now() + END_WAIT;
        // It must not be reaped before the whole group is killed: its identifier names the group until then.
        while Instant::now() < end && !has_ended(id) {
            thread::sleep(LOOK_INTERVAL);
        }
        let _ = kill_process_group(id, Signal::KILL);
    }

    /// True if a child has ended. It is not reaped.
    fn has_ended(id: Pid) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(id), options).is_ok_and(|status| status.is_some())
    }
}

#[cfg(windows)]
mod system {
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    /// The name of the user's shell.
    pub const SHELL: &str = "cmd";

    /// Ctrl-C does not reach the process.
    pub(super) const NEW_PROCESS_GROUP: u32 = 0x200;

    /// The process of a line for the user's shell.
    pub fn shell(line: &str) -> Command {
        let mut command = Command::new(SHELL);
        // It takes all between the first quotation mark and the last one as it is.
        command.raw_arg(format!("/S /C \"{line}\""));
        command
    }

    pub(super) fn end(child: &mut Child) {
        // Windows knows no groups, but which process has started which.
        let mut all = Command::new("taskkill");
        all.args(["/T", "/F", "/PID", &child.id().to_string()]);
        let _ = all.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let _ = child.kill();
    }
}

pub use system::{SHELL, shell};
