//! Programs in a pseudo-terminal, as their users see them.

use crate::wait_for;
pub use portable_pty::CommandBuilder;
use portable_pty::{Child, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use vt100::{Parser, Screen};

/// The columns and rows of a terminal that are seen; of a smaller one, all.
const SEEN: (u16, u16) = (80, 24);

/// A program in a terminal.
pub struct Terminal {
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    picture: Arc<Mutex<Parser>>,
    reader: Option<JoinHandle<()>>,
    /// True if the reader is to end with its next read.
    hangs_up: Arc<AtomicBool>,
    /// The handling of lines and echo by the terminal before.
    modes: Option<String>,
}

impl Terminal {
    /// Starts a program in a terminal that says that it has these columns and rows.
    ///
    /// # Panics
    /// The system has no pseudo-terminals, or the program cannot be started.
    pub fn start((cols, rows): (u16, u16), command: CommandBuilder) -> Self {
        let size = PtySize { rows, cols, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).expect("there are pseudo-terminals");
        let modes = modes(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut output = pair.master.try_clone_reader().expect("a terminal can be read");
        let seen = |cells: u16, seen: u16| side(if cells == 0 { seen } else { cells.min(seen) });
        let picture = Arc::new(Mutex::new(Parser::new(seen(rows, SEEN.1), seen(cols, SEEN.0), 0)));
        let hangs_up = Arc::new(AtomicBool::new(false));
        let reader = thread::spawn({
            let (picture, hangs_up) = (Arc::clone(&picture), Arc::clone(&hangs_up));
            move || {
                let mut bytes = [0; 4096];
                // It ends when the program does: with the end of the file, or with an error.
                while let Ok(count @ 1..) = output.read(&mut bytes) {
                    picture.lock().expect("no thread panics").process(&bytes[..count]);
                    if hangs_up.load(Ordering::SeqCst) {
                        break;
                    }
                }
            }
        });
        let keys = pair.master.take_writer().expect("a terminal can be written to");
        let (master, keys, reader) = (Some(pair.master), Some(keys), Some(reader));
        Self { master, keys, child, picture, reader, hangs_up, modes }
    }

    /// A program with words as arguments, for a terminal of sixteen colours and UTF-8.
    pub fn command(program: impl AsRef<OsStr>, args: &str) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.args(args.split_whitespace());
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env_remove("NO_COLOR");
        command.env_remove("COLORTERM");
        command
    }

    /// The identifier of the program's process.
    pub fn id(&self) -> u32 {
        self.child.process_id().expect("it runs")
    }

    /// Calls a function with the screen.
    pub fn see<T>(&self, look: impl FnOnce(&Screen) -> T) -> T {
        look(self.picture.lock().expect("no thread panics").screen())
    }

    /// The screen as text, without the spaces at the ends of lines.
    pub fn text(&self) -> String {
        let contents = self.see(Screen::contents);
        contents.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// Waits until the screen shows this text.
    ///
    /// # Panics
    /// It does not for a long time, or the program ends before.
    #[track_caller]
    pub fn shows(&mut self, phrase: &str) {
        let is_shown = wait_for(|| match self.text().contains(phrase) {
            false if matches!(self.child.try_wait(), Ok(None)) => None,
            is_shown => Some(is_shown || self.text().contains(phrase)),
        });
        assert_eq!(is_shown, Some(true), "`{phrase}` is not shown:\n{}", self.text());
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        let writer = self.keys.as_mut().expect("the terminal is there");
        writer.write_all(keys.as_bytes()).expect("it takes keys");
        writer.flush().expect("it takes keys");
    }

    /// Writes on the screen, as another program may.
    pub fn scribble(&self, bytes: &[u8]) {
        self.picture.lock().expect("no thread panics").process(bytes);
    }

    /// Gives the terminal other columns and rows.
    pub fn resize(&self, (cols, rows): (u16, u16)) {
        self.picture.lock().expect("no thread panics").screen_mut().set_size(side(rows), side(cols));
        let size = PtySize { rows, cols, ..PtySize::default() };
        self.master.as_ref().expect("the terminal is there").resize(size).expect("it has a size");
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.id()).ok().and_then(Pid::from_raw).expect("it is a process");
        kill_process(id, signal).expect("it runs");
    }

    /// Closes the terminal, as a window is closed, and waits for the end of the program.
    pub fn hang_up(mut self) {
        self.hangs_up.store(true, Ordering::SeqCst);
        self.press("?");
        self.reader.take().map(JoinHandle::join);
        (self.keys, self.master) = (None, None);
        self.wait();
    }

    fn wait(&mut self) -> u32 {
        let ended = wait_for(|| self.child.try_wait().expect("it was started"));
        ended.unwrap_or_else(|| panic!("it goes on:\n{}", self.text())).exit_code()
    }

    /// True if keys are taken one by one.
    pub fn is_taken(&self) -> bool {
        self.master.as_deref().is_some_and(|master| modes(master) != self.modes)
    }

    /// Waits for the end of the program. Returns its exit code and the text that is then on the terminal, which is as it was before.
    pub fn end(mut self) -> (u32, String) {
        let code = self.wait();
        assert!(!self.is_taken(), "lines and echo are as they were");
        (self.keys, self.master) = (None, None);
        self.reader.take().map(JoinHandle::join);
        self.see(|screen| {
            assert!(!screen.alternate_screen(), "the main screen is back");
            assert!(!screen.hide_cursor(), "the cursor is shown");
            assert_eq!(
                screen.mouse_protocol_mode(),
                vt100::MouseProtocolMode::None,
                "the mouse is given back"
            );
            (code, screen.contents())
        })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A process that a failed test has left running.
        let _ = self.child.kill();
    }
}

fn side(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).expect("a terminal has cells")
}

/// The settings of a terminal for lines and echo.
fn modes(terminal: &(dyn MasterPty + Send)) -> Option<String> {
    Some(format!("{:?}", terminal.get_termios()?.local_flags))
}
