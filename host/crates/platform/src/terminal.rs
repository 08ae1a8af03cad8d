//! Single keys of a terminal, and suspending the program.

use std::env;

/// A variable of the environment that says what the terminal can show. The terminals of Windows show all signs, and the newer ones all
/// colours; they do not say so by the variables of others.
pub fn variable(name: &str) -> Option<String> {
    let of_windows = || match name {
        "LANG" => Some("UTF-8".to_owned()),
        "COLORTERM" => env::var("WT_SESSION").ok().map(|_| "truecolor".to_owned()),
        _ => None,
    };
    env::var(name).ok().or_else(|| if cfg!(windows) { of_windows() } else { None })
}

pub use system::{Keys, is_gone, restore, suspend};

#[cfg(unix)]
mod system {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Signal, kill_current_process_group};
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::io::{self, IsTerminal, Read};
    use std::sync::{Mutex, PoisonError};

    /// The settings of the terminal before [`Keys`] changed them.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    /// The keys of a terminal, read one by one and without echo. Ctrl-C is still a signal, and output is unchanged. Dropping it restores
    /// the terminal.
    pub struct Keys(());

    impl Keys {
        /// The keys of standard input; `None` when it is not a terminal.
        pub fn listen() -> Option<Self> {
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
        pub fn pressed(&self) -> Vec<u8> {
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

    /// Stops this program and those that were started with it, as Ctrl-Z does. It may return before they stand still, and returns at once
    /// if no process could continue them.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn suspend() -> io::Result<()> {
        Ok(kill_current_process_group(Signal::TSTP)?)
    }

    /// True if the terminal of standard output is gone: its window was closed, or its connection was lost.
    #[cfg(target_os = "linux")]
    #[expect(clippy::disallowed_methods, reason = "it is asked and not written to")]
    pub fn is_gone() -> bool {
        let out = io::stdout();
        let mut fds = [PollFd::new(&out, PollFlags::empty())];
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        poll(&mut fds, Some(&Timespec::default())).is_ok() && fds[0].revents().intersects(gone)
    }

    /// True if the terminal of standard output is gone: its window was closed, or its connection was lost. Other systems than Linux
    /// cannot poll every terminal.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::disallowed_methods, reason = "it is asked and not written to")]
    pub fn is_gone() -> bool {
        !io::stdout().is_terminal()
    }
}

#[cfg(windows)]
mod system {
    use crossterm::event::{Event, KeyCode, KeyEventKind, poll, read};
    use std::io::{self, IsTerminal};
    use std::time::Duration;

    /// The keys of a terminal, read one by one and without echo. Ctrl-C still ends the program, and output is unchanged.
    pub struct Keys(());

    impl Keys {
        /// The keys of standard input; `None` when it is not a terminal.
        pub fn listen() -> Option<Self> {
            io::stdin().is_terminal().then_some(Self(()))
        }

        /// The keys that were pressed since the last call.
        pub fn pressed(&self) -> Vec<u8> {
            let mut keys = Vec::new();
            // A console has single keys in any mode.
            while poll(Duration::ZERO).is_ok_and(|is_ready| is_ready) {
                let Ok(event) = read() else { break };
                if let Event::Key(key) = event
                    && key.kind != KeyEventKind::Release
                {
                    match key.code {
                        KeyCode::Char(key) => keys.extend(u8::try_from(key)),
                        KeyCode::Enter => keys.push(b'\n'),
                        _ => {}
                    }
                }
            }
            keys
        }
    }

    /// Does nothing: [`Keys`] changes nothing.
    pub fn restore() {}

    /// Does nothing: Windows stops no programs.
    ///
    /// # Errors
    /// Never.
    pub fn suspend() -> io::Result<()> {
        Ok(())
    }

    /// False: a program on Windows ends with its terminal.
    pub fn is_gone() -> bool {
        false
    }
}
