//! The terminal: taken for a screen, and always given back.
#![expect(
    clippy::disallowed_methods,
    reason = "a screen is drawn here, and nothing else prints while it is on"
)]

use crate::options::TuiError;
use arena_pictures::text;
use arena_text::Text;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use crossterm::execute;
use crossterm::terminal::{
    self, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write, stderr, stdout};
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;
use unicode_segmentation::UnicodeSegmentation;

/// Bytes of a picture that are sent at once. Chosen: a picture of 200 columns by 60 rows has some tens of kilobytes.
const PICTURE_BYTES: usize = 64 << 10;

/// The time to wait for a further key after the first one. With a time of zero, the source of events does not look at all.
const AT_ONCE: Duration = Duration::from_millis(1);

/// The time in which a stop signal reaches all threads. Chosen: a scheduler needs some milliseconds.
const STOP_WAIT: Duration = Duration::from_millis(50);

/// The columns and rows of the largest picture: the rest of a larger terminal stays empty. Chosen: a monitor of 8K in a font of 12 by 18
/// pixels. A terminal may claim to have 65,535 each, and a picture of that size takes hundreds of gigabytes.
const SIZE_MAX: (u16, u16) = (640, 240);

/// The columns and rows of a terminal that does not know its own, as one has none before it is attached to a window. Chosen: those of the
/// terminals that all others copy.
const SIZE_UNKNOWN: (u16, u16) = (80, 24);

/// The process's terminal, while a screen is on it.
#[derive(Debug, Default)]
struct OwnedTerminal {
    /// The thread that draws; `None` when no screen is on.
    by: Option<ThreadId>,
    /// The messages of other threads' panics in the meantime.
    panics: Vec<Text>,
}

static TAKEN: Mutex<OwnedTerminal> = Mutex::new(OwnedTerminal { by: None, panics: Vec::new() });

fn taken() -> MutexGuard<'static, OwnedTerminal> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the terminal back, if a screen is on it: the cursor is shown, keys are lines again, and the main screen is as it
/// was. It is called when a screen ends or its thread panics. To end the process from elsewhere, call it first.
pub fn restore() {
    let panics = {
        let mut taken = taken();
        if taken.by.take().is_none() {
            return;
        }
        give_back();
        std::mem::take(&mut taken.panics)
    };
    for text in panics {
        let _ = writeln!(stderr(), "{text}");
    }
}

/// Makes the terminal as it was before the screen.
fn give_back() {
    // If the terminal is gone, there is nothing to give back.
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
}

/// Makes the terminal one for a screen.
fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Hide, EnableMouseCapture)
}

/// True if a screen is on the terminal. Nothing else may print then.
pub fn is_on() -> bool {
    taken().by.is_some()
}

/// The number of rows of the terminal, if there is one and it is known.
pub fn rows() -> Option<usize> {
    terminal::size().ok().map(|(_, rows)| rows.into()).filter(|&rows| rows > 0)
}

/// The columns and rows of the picture for a terminal that says that it has these.
fn picture_size((width, height): (u16, u16)) -> (u16, u16) {
    let side = |found: u16, unknown: u16, max: u16| if found == 0 { unknown } else { found.min(max) };
    (side(width, SIZE_UNKNOWN.0, SIZE_MAX.0), side(height, SIZE_UNKNOWN.1, SIZE_MAX.1))
}

/// Sends the messages of panics to a terminal that can show them. The drawing thread's panic ends the screen; the message
/// of another thread is kept until the screen has ended.
fn hook_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let by = taken().by;
            match by {
                Some(by) if by != thread::current().id() => {
                    let name = thread::current().name().unwrap_or("?").to_owned();
                    taken().panics.push(format!("thread '{name}' {info}").into());
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
/// and panics if standard error is gone too.
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
        hook_panics();
        {
            let mut taken = taken();
            if taken.by.is_some() {
                return Err(TuiError::InUse);
            }
            taken.by = Some(thread::current().id());
        }
        if let Err(error) = take() {
            restore();
            return Err(error.into());
        }
        let out = BufWriter::with_capacity(PICTURE_BYTES, stdout());
        // No picture yet: the first one is drawn as after a change of size.
        Ok(Self { backend: CrosstermBackend::new(out), shown: Buffer::default() })
    }

    /// Draws a picture.
    pub(crate) fn draw(&mut self, picture: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        let (width, height) = picture_size(terminal::size()?);
        let area = Rect { x: 0, y: 0, width, height };
        if area != self.shown.area {
            self.backend.clear()?;
            self.shown = Buffer::empty(area);
        }
        let mut next = Buffer::empty(area);
        picture(&mut next);
        make_plain(&mut next);
        self.backend.draw(self.shown.diff(&next).into_iter())?;
        self.shown = next;
        Backend::flush(&mut self.backend)
    }

    /// The columns and rows of the last picture.
    pub(crate) fn size(&self) -> (u16, u16) {
        (self.shown.area.width, self.shown.area.height)
    }

    /// Forgets what is on the terminal: the next picture is drawn as a whole.
    pub(crate) fn forget(&mut self) {
        self.shown = Buffer::default();
    }

    /// Gives the terminal back and stops this program and those that were started with it, as Ctrl-Z does without a screen.
    /// It returns when the program is continued, with the terminal taken again; at once if no process could continue it.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        arena_platform::terminal::suspend()?;
        // The signal may stop another thread first. This one would take the terminal again before it stands still.
        thread::sleep(STOP_WAIT);
        self.forget();
        take()
    }

    /// The keys and new sizes of the terminal that are there after at most this wait.
    pub(crate) fn events(&self, wait: Duration) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        let mut wait = wait.max(AT_ONCE);
        while event::poll(wait)? {
            events.push(event::read()?);
            wait = AT_ONCE;
        }
        Ok(events)
    }

    /// True if the terminal is gone: its window was closed, or its connection was lost.
    pub(crate) fn has_hung_up(&self) -> bool {
        arena_platform::terminal::is_gone()
    }
}

/// Makes each cell of a picture plain: the last check before the terminal, for all code that draws.
fn make_plain(picture: &mut Buffer) {
    for cell in &mut picture.content {
        let plain = text::plain(cell.symbol());
        if plain != cell.symbol() {
            let sign = plain.graphemes(true).next().unwrap_or(" ").to_owned();
            cell.set_symbol(&sign);
        }
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        restore();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn a_picture_is_as_large_as_the_terminal_up_to_a_limit_and_of_the_usual_size_without_one() {
        assert_eq!(picture_size((0, 0)), (80, 24));
        assert_eq!(picture_size((120, 0)), (120, 24));
        assert_eq!(picture_size((0, 40)), (80, 40));
        for size in [(1, 1), (59, 19), (640, 240)] {
            assert_eq!(picture_size(size), size);
        }
        assert_eq!(picture_size((641, 241)), (640, 240));
        assert_eq!(picture_size((u16::MAX, 30)), (640, 30));
        assert_eq!(picture_size((u16::MAX, u16::MAX)), (640, 240));
    }

    #[test]
    fn each_cell_of_any_picture_is_plain() {
        let mut picture = Buffer::empty(Rect { x: 0, y: 0, width: 8, height: 1 });
        picture.set_string(0, 0, "ab█½", Style::default());
        for (cell, symbol) in picture.content[1..].iter_mut().zip([
            "\u{1b}[31m",
            "א",
            "\u{202e}",
            "世",
            "",
            "e\u{301}",
            "\u{301}",
        ]) {
            cell.set_symbol(symbol);
        }
        make_plain(&mut picture);
        let symbols: Vec<&str> = picture.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(symbols, ["a", "␛", "▯", " ", "世", "", "e\u{301}", " "]);
    }
}
