//! Single keys from the terminal, while other text is printed on it.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use rustix::time::Timespec;
use std::io::{self, IsTerminal, Read};
use std::sync::{Mutex, PoisonError};

/// The settings of the terminal before [`Keys`] changed them.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// The keys of a terminal, read one by one and without echo. Ctrl-C is still a signal, and output is unchanged. Dropping it restores
/// the terminal.
pub(super) struct Keys(());

impl Keys {
    /// The keys of standard input; `None` when it is not a terminal.
    pub(super) fn listen() -> Option<Self> {
        let input = io::stdin();
        if !input.is_terminal() {
            return None;
        }
        let before = tcgetattr(&input).ok()?;
        let mut single = before.clone();
        single.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        tcsetattr(&input, OptionalActions::Now, &single).ok()?;
        Some(Self(()))
    }

    /// The keys that were pressed since the last call.
    pub(super) fn pressed(&self) -> Vec<u8> {
        let input = io::stdin();
        let mut fds = [PollFd::new(&input, PollFlags::IN)];
        let is_ready = poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0);
        if !is_ready || !fds[0].revents().contains(PollFlags::IN) {
            return Vec::new();
        }
        let mut bytes = [0; 64];
        let count = input.lock().read(&mut bytes).unwrap_or(0);
        bytes[..count].to_vec()
    }
}

/// Restores the terminal if [`Keys`] has changed it. Code that ends the process elsewhere must call it first.
pub fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(before) = before {
        // If the terminal is gone, there is nothing to restore.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        restore();
    }
}
