//! The terminal: taken for a screen, and given back whatever happens.

use crate::options::TuiError;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{self, Event};
use crossterm::execute;
use crossterm::terminal::{
    self, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write, stderr, stdout};
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// Bytes of a picture that are sent at once. Chosen: a picture of 200 columns by 60 rows has some tens of kilobytes.
const PICTURE_BYTES: usize = 64 << 10;

/// The time to wait for a further key once there was one. The source of events does not look at all when it is given no
/// time.
const AT_ONCE: Duration = Duration::from_millis(1);

/// The process's terminal, while a screen is on it.
#[derive(Debug, Default)]
struct Taken {
    /// The thread that draws; none when no screen is on.
    by: Option<ThreadId>,
    /// What panics of other threads had to say meanwhile.
    said: Vec<String>,
}

static TAKEN: Mutex<Taken> = Mutex::new(Taken { by: None, said: Vec::new() });

fn taken() -> MutexGuard<'static, Taken> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the terminal back, if a screen is on it: the cursor is shown, keys are lines again, and the main screen is as it
/// was. It is called when a screen ends or its thread panics; whoever ends the process from elsewhere calls it first.
pub fn restore() {
    let said = {
        let mut taken = taken();
        if taken.by.take().is_none() {
            return;
        }
        // If the terminal is gone, there is nothing to give back.
        let _ = disable_raw_mode();
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
        std::mem::take(&mut taken.said)
    };
    for text in said {
        let _ = writeln!(stderr(), "{text}");
    }
}

/// Whether a screen is on the terminal. Nothing else may print then.
pub fn is_on() -> bool {
    taken().by.is_some()
}

/// A panic's message is for a terminal that can show it. The drawing thread's panic ends the screen; what another thread
/// says is kept until the screen has ended.
fn mind_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let by = taken().by;
            match by {
                Some(by) if by != thread::current().id() => {
                    let name = thread::current().name().unwrap_or("?").to_owned();
                    taken().said.push(format!("thread '{name}' {info}"));
                }
                Some(_) => {
                    restore();
                    before(info);
                }
                None => before(info),
            }
        }));
    });
}

/// The terminal, taken for a screen.
///
/// `ratatui::Terminal` would do the drawing, but it complains on standard error when it ends on a terminal that is gone,
/// and fails with a panic where standard error is gone too.
pub(crate) struct Tty {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    /// The picture that is on it.
    shown: Buffer,
}

impl Tty {
    /// Takes the terminal.
    pub(crate) fn enter() -> Result<Self, TuiError> {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if is_dumb || !stdout().is_terminal() {
            return Err(TuiError::NotATerminal);
        }
        mind_panics();
        {
            let mut taken = taken();
            if taken.by.is_some() {
                return Err(TuiError::InUse);
            }
            enable_raw_mode()?;
            taken.by = Some(thread::current().id());
        }
        let enter = || execute!(stdout(), EnterAlternateScreen, Hide);
        if let Err(error) = enter() {
            restore();
            return Err(error.into());
        }
        let out = BufWriter::with_capacity(PICTURE_BYTES, stdout());
        // No picture yet: the first one is drawn as after a change of size.
        Ok(Self { backend: CrosstermBackend::new(out), shown: Buffer::default() })
    }

    /// Draws a picture.
    pub(crate) fn draw(&mut self, picture: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        let (width, height) = terminal::size()?;
        let area = Rect { x: 0, y: 0, width, height };
        if area != self.shown.area {
            self.backend.clear()?;
            self.shown = Buffer::empty(area);
        }
        let mut next = Buffer::empty(area);
        picture(&mut next);
        self.backend.draw(self.shown.diff(&next).into_iter())?;
        self.shown = next;
        Backend::flush(&mut self.backend)
    }

    /// What the terminal has to say: keys and new sizes, all that are there, after at most so long.
    pub(crate) fn events(&self, wait: Duration) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        let mut wait = wait.max(AT_ONCE);
        while event::poll(wait)? {
            events.push(event::read()?);
            wait = AT_ONCE;
        }
        Ok(events)
    }

    /// Whether the terminal is gone: its window was closed, its connection was lost.
    pub(crate) fn has_hung_up(&self) -> bool {
        let out = stdout();
        let mut fds = [PollFd::new(&out, PollFlags::empty())];
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        poll(&mut fds, Some(&Timespec::default())).is_ok() && fds[0].revents().intersects(gone)
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        restore();
    }
}
