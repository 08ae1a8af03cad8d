//! The log of a bot: its standard output and standard error, kept up to a limit and shown only as plain text.

use crate::crash_message::{self, CrashMessage};
use arena_referee::{Frame, LogMoment};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of last bytes of standard error that are kept separately. They show the cause of a fault even when the log is full.
/// Chosen: four times the longest traceback of a bot in Python that was seen.
const TAIL_BYTES: usize = 16 << 10;

/// The largest number of bytes of a line that are kept, so that one line cannot fill the log. Chosen: fifty lines of a terminal.
const LINE_BYTES_MAX: usize = 4 << 10;

/// A request to a bot to print something about its own code. It is a line on standard input. The templates for Python read it, and those
/// for JavaScript read `trace`. In an ordinary game the input is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prompt {
    /// To print where it is, so that a fault without a stack of its own has a place.
    Trace,
    /// To print the fuel of its functions after each call.
    Profile,
}

impl Prompt {
    /// The line on standard input.
    pub(crate) const fn line(self) -> &'static str {
        match self {
            Self::Trace => "trace\n",
            Self::Profile => "profile\n",
        }
    }
}

/// A bot's bounded log. Clones share the same log: the player and each of the bot's output streams have one.
#[derive(Clone, Debug)]
pub(crate) struct Log(Arc<Mutex<Kept>>);

/// The part of the output that is kept.
#[derive(Debug, Default)]
struct Kept {
    /// The lines, each with its turn before it. A bot cannot forge the turn, because it is put before every line.
    bytes: Vec<u8>,
    bytes_max: usize,
    /// The number of bytes that were cut because the log is full.
    bytes_cut: u64,
    moment: Option<LogMoment>,
    line: OpenLine,
    /// The prompt for the bot, if there is one.
    prompt: Option<Prompt>,
    /// The last bytes that the current call has written to standard error.
    tail: Vec<u8>,
}

/// The line that is being written, if it has not ended.
#[derive(Debug, Default)]
struct OpenLine {
    is_open: bool,
    bytes: usize,
    bytes_cut: u64,
}

impl Log {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self(Arc::new(Mutex::new(Kept { bytes_max, ..Kept::default() })))
    }

    /// Asks the bot to print something.
    pub(crate) fn prompt(&self, prompt: Prompt) {
        self.kept().prompt = Some(prompt);
    }

    /// The prompt for the bot, if there is one.
    pub(crate) fn prompted(&self) -> Option<Prompt> {
        self.kept().prompt
    }

    /// Locks the log. It never waits: a bot's player and its streams are on one thread at a time.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a call. The cause of a fault is searched for only in the output of that call. If the call begins a deployment or a turn,
    /// the lines from now on belong to it.
    pub(crate) fn begin_call(&self, begins: Option<LogMoment>) {
        let mut kept = self.kept();
        kept.tail.clear();
        if begins.is_some() {
            kept.end_line();
            kept.moment = begins;
        }
    }

    pub(crate) fn write(&self, bytes: &[u8], is_error: bool) {
        let mut kept = self.kept();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if kept.is_full() {
                kept.bytes_cut = kept.bytes_cut.saturating_add(line.len() as u64);
                continue;
            }
            match line.strip_suffix(b"\n") {
                Some(line) => {
                    kept.write(line);
                    kept.end_line();
                }
                None => kept.write(line),
            }
        }
        if is_error {
            kept.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL_BYTES)..]);
            let over = kept.tail.len().saturating_sub(TAIL_BYTES);
            kept.tail.drain(..over);
        }
    }

    /// Writes a number of zero bytes, without allocating the ones that are cut.
    pub(crate) fn write_zeroes(&self, count: u64) {
        let mut kept = self.kept();
        let some = [0; LINE_BYTES_MAX];
        let fits = usize::try_from(count).unwrap_or(usize::MAX).min(some.len());
        kept.write(&some[..fits]);
        kept.cut(count - fits as u64);
    }

    /// The log as text that is safe to print, each line with its turn before it. A line that was cut, and the last line of a full log,
    /// say how much was cut.
    pub(crate) fn text(&self) -> String {
        let kept = self.kept();
        let mut text = arena_text::lines(&String::from_utf8_lossy(&kept.bytes));
        if kept.line.bytes_cut > 0 {
            text.push_str(&cut_mark(kept.line.bytes_cut));
        }
        if kept.bytes_cut > 0 {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("[the log is full: {} bytes more were cut]\n", kept.bytes_cut));
        }
        text
    }

    /// The part of the current call's standard error that explains why it failed.
    pub(crate) fn crash_message(&self) -> Option<CrashMessage> {
        crash_message::find(&String::from_utf8_lossy(&self.kept().tail))
    }

    /// The stack that the bot has printed last, if it was asked where it is.
    pub(crate) fn traced(&self) -> Option<Vec<Frame>> {
        let kept = self.kept();
        (kept.prompt == Some(Prompt::Trace))
            .then(|| crash_message::traced(&String::from_utf8_lossy(&kept.tail)))?
    }
}

/// The mark at the end of a line that was cut.
fn cut_mark(bytes: u64) -> String {
    format!(" [{bytes} bytes more of this line were cut]")
}

impl Kept {
    fn is_full(&self) -> bool {
        self.bytes_cut > 0 || self.bytes.len() >= self.bytes_max
    }

    /// Writes a part of a line.
    fn write(&mut self, part: &[u8]) {
        if self.is_full() {
            self.bytes_cut = self.bytes_cut.saturating_add(part.len() as u64);
            return;
        }
        if !self.line.is_open {
            self.line = OpenLine { is_open: true, ..OpenLine::default() };
            if let Some(moment) = self.moment {
                self.bytes.extend_from_slice(format!("{moment}: ").as_bytes());
            }
        }
        let of_line = part.len().min(LINE_BYTES_MAX - self.line.bytes);
        let fits = of_line.min(self.bytes_max.saturating_sub(self.bytes.len()));
        self.bytes.extend_from_slice(&part[..fits]);
        self.line.bytes += fits;
        self.bytes_cut = self.bytes_cut.saturating_add((of_line - fits) as u64);
        self.cut((part.len() - of_line) as u64);
    }

    /// Counts bytes that are cut: from the line, or from the log if it is full.
    fn cut(&mut self, bytes: u64) {
        let cut = if self.bytes_cut > 0 { &mut self.bytes_cut } else { &mut self.line.bytes_cut };
        *cut = cut.saturating_add(bytes);
    }

    /// Ends the current line. An empty line counts as a line.
    fn end_line(&mut self) {
        if self.is_full() {
            return;
        }
        if self.line.bytes_cut > 0 {
            self.bytes.extend_from_slice(cut_mark(self.line.bytes_cut).as_bytes());
        }
        if self.line.is_open {
            self.bytes.push(b'\n');
        }
        self.line = OpenLine::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_over_the_limit_is_cut_and_the_log_says_so() {
        let log = Log::new(8);
        log.write(b"12345", false);
        log.write(b"67890", true);
        log.write_zeroes(u64::MAX - 2);
        assert_eq!(log.text(), format!("12345678\n[the log is full: {} bytes more were cut]\n", u64::MAX));
    }

    #[test]
    fn each_line_has_its_turn_even_if_a_turn_ends_within_a_line() {
        let log = Log::new(1_000);
        log.begin_call(Some(LogMoment::Deploy));
        log.write(b"one\n\ntwo", false);
        log.begin_call(Some(LogMoment::Turn(1)));
        log.write(b"three\r\nturn 9: ", false);
        log.write(b"four\n", true);
        log.begin_call(Some(LogMoment::Turn(2)));
        log.begin_call(Some(LogMoment::Turn(3)));
        log.write(b"\x1b]0;five\nsix \x1b[\nseven", false);
        assert_eq!(
            log.text(),
            "deploy: one\ndeploy: \ndeploy: two\nturn 1: three\nturn 1: turn 9: four\nturn 3: \nturn 3: six \nturn 3: seven"
        );
    }

    #[test]
    fn a_long_line_ends_with_the_number_of_bytes_that_were_cut() {
        let kept = "x".repeat(LINE_BYTES_MAX);
        let log = Log::new(64 << 10);
        log.begin_call(Some(LogMoment::Turn(1)));
        log.write(&vec![b'x'; LINE_BYTES_MAX + 7], false);
        log.write(b"yyy", false);
        let cut = format!("turn 1: {kept} [10 bytes more of this line were cut]");
        assert_eq!(log.text(), cut);
        log.write(b"\nshort\n", false);
        assert_eq!(log.text(), format!("{cut}\nturn 1: short\n"));
    }

    #[test]
    fn a_flood_of_empty_lines_stays_within_the_limit() {
        let log = Log::new(1_000);
        log.begin_call(Some(LogMoment::Turn(123)));
        log.write(&[b'\n'; 100_000], false);
        let text = log.text();
        assert!(text.len() < 1_100 && text.ends_with("bytes more were cut]\n"), "{text}");
    }
}
