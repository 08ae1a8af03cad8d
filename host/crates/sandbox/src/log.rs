//! The log: what a bot writes to standard output and error, kept up to a limit and shown only as plain text.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last bytes of standard error that are kept separately, to find a panic's message after a flood. Chosen: a panic's
/// message is a few lines.
const TAIL_BYTES: usize = 4 << 10;

/// The longest panic message in a fault, in characters. Chosen: it goes into one line of a table.
const MESSAGE_CHARS_MAX: usize = 160;

/// A bot's bounded log. Its clones are the same log: the player has one, and so has each of the bot's output streams.
#[derive(Clone, Debug)]
pub(crate) struct Log(Arc<Mutex<Kept>>);

/// The part of the output that is kept.
#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    bytes_max: usize,
    bytes_cut: u64,
    /// The end of what the current call has written to standard error.
    tail: Vec<u8>,
}

impl Log {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self(Arc::new(Mutex::new(Kept { bytes_max, ..Kept::default() })))
    }

    /// Locks the log, without ever waiting: a bot's player and its streams are on one thread at a time.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a call. A fault's cause is looked for only in what the call itself writes.
    pub(crate) fn begin_call(&self) {
        self.kept().tail.clear();
    }

    pub(crate) fn write(&self, bytes: &[u8], is_error: bool) {
        let mut kept = self.kept();
        let fits = kept.fit(bytes.len() as u64);
        kept.bytes.extend_from_slice(&bytes[..fits]);
        if is_error {
            kept.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL_BYTES)..]);
            let over = kept.tail.len().saturating_sub(TAIL_BYTES);
            kept.tail.drain(..over);
        }
    }

    /// Writes a number of zero bytes without allocating those that are cut.
    pub(crate) fn write_zeroes(&self, count: u64) {
        let mut kept = self.kept();
        let end = kept.bytes.len() + kept.fit(count);
        kept.bytes.resize(end, 0);
    }

    /// The log as text that is safe to print. If anything was cut, the last line says how much.
    pub(crate) fn text(&self) -> String {
        let kept = self.kept();
        let mut text = arena_text::lines(&String::from_utf8_lossy(&kept.bytes));
        if kept.bytes_cut > 0 {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("[the log is full: {} bytes more were cut]\n", kept.bytes_cut));
        }
        text
    }

    /// The message of a Rust panic that the current call has written to standard error, as one line.
    pub(crate) fn panic_message(&self) -> Option<String> {
        let kept = self.kept();
        let tail = String::from_utf8_lossy(&kept.tail);
        let (_, after) = tail.rsplit_once("panicked at ")?;
        // The rest of that line is the place, which may have a path of the author's machine. The message follows.
        let message = arena_text::line(after.lines().nth(1)?, MESSAGE_CHARS_MAX);
        (!message.is_empty()).then_some(message)
    }
}

impl Kept {
    /// The number of further bytes that fit, out of `count`. The others are counted as cut.
    fn fit(&mut self, count: u64) -> usize {
        let room = self.bytes_max.saturating_sub(self.bytes.len());
        let fits = usize::try_from(count).unwrap_or(usize::MAX).min(room);
        self.bytes_cut = self.bytes_cut.saturating_add(count - fits as u64);
        fits
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
    fn a_panics_message_is_found_even_after_a_flood() {
        let log = Log::new(8);
        log.write(&[b'x'; 100_000], true);
        log.write(
            b"\nthread 'main' (1) panicked at /home/me/bot.rs:1:2:\nno \x1b[1mspot left\nnote: run",
            true,
        );
        assert_eq!(log.panic_message().as_deref(), Some("no spot left"));
        log.begin_call();
        assert_eq!(log.panic_message(), None);
    }
}
