//! The one place that prints: results on standard output, everything else on standard error.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Standard output and standard error, and a progress bar between them where there is a terminal.
pub struct Console {
    out: Box<dyn Write>,
    progress: Option<ProgressBar>,
    ticker: Option<Ticker>,
    progress_allowed: bool,
}

impl Console {
    /// The process's own.
    pub fn of_process() -> Self {
        Self {
            out: Box::new(io::stdout()),
            progress: None,
            ticker: None,
            progress_allowed: io::stderr().is_terminal(),
        }
    }

    /// A line of results, on standard output.
    ///
    /// # Errors
    /// When it cannot be written: the disk behind it is full, or its reader is gone.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        let out = &mut self.out;
        let mut write = || writeln!(out, "{text}");
        match &self.progress {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Something the user should know, on standard error.
    pub fn note(&self, text: &str) {
        let write = || {
            // If standard error is gone too, there is nobody to tell.
            let _ = writeln!(io::stderr(), "{text}");
        };
        match &self.progress {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Why the program ends badly, on standard error, unless it has been told already.
    pub fn failure(&mut self, failure: &Failure) {
        self.end_progress();
        let text = failure.to_string();
        if !text.is_empty() {
            self.note(&format!("arena: {text}"));
        }
    }

    /// Shows progress through so many games, or whatever they are: as a bar where standard error is a terminal, else as a
    /// line now and then.
    pub fn begin_progress(&mut self, count: usize, what: &'static str) {
        if count < 2 {
            return;
        }
        if !self.progress_allowed {
            self.ticker = Some(Ticker::begin(count, what));
            return;
        }
        let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A number that cannot be written is not shown; it is only progress.
            let _ = write!(text, "{:.0}", state.per_sec());
        };
        let style = ProgressStyle::with_template(&format!(
            "{{wide_bar}} {{pos}}/{{len}} {what}  {{rate}}/s  {{eta}} left"
        ))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", rate);
        let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
        self.progress = Some(bar.with_style(style));
    }

    /// One more is done.
    pub fn advance(&mut self) {
        if let Some(bar) = &self.progress {
            bar.inc(1);
        }
        let line = self.ticker.as_mut().and_then(|ticker| ticker.advance_to(ticker.done + 1, ticker.count));
        line.iter().for_each(|line| self.note(line));
    }

    /// So many are done, of so many by now.
    pub fn advance_to(&mut self, done: usize, count: usize) {
        if let Some(bar) = &self.progress {
            bar.set_length(count as u64);
            bar.set_position(done as u64);
        }
        let line = self.ticker.as_mut().and_then(|ticker| ticker.advance_to(done, count));
        line.iter().for_each(|line| self.note(line));
    }

    /// Takes the progress off the screen.
    pub fn end_progress(&mut self) {
        self.ticker = None;
        if let Some(bar) = self.progress.take() {
            bar.finish_and_clear();
        }
    }
}

/// Time between two lines of progress where there is no terminal. Chosen: a log of a night has a thousand of them.
const TICK: Duration = Duration::from_secs(30);

/// Progress for a log: a line now and then. It is only progress: results know no clock.
struct Ticker {
    count: usize,
    done: usize,
    what: &'static str,
    begun: Instant,
    told: Instant,
}

impl Ticker {
    fn begin(count: usize, what: &'static str) -> Self {
        let now = Instant::now();
        Self { count, done: 0, what, begun: now, told: now }
    }

    /// The line to print, when it is time for one.
    fn advance_to(&mut self, done: usize, count: usize) -> Option<String> {
        (self.done, self.count) = (done, count);
        if self.told.elapsed() < TICK {
            return None;
        }
        self.told = Instant::now();
        let rate = done as f64 / self.begun.elapsed().as_secs_f64();
        let left = count.saturating_sub(done) as f64 / rate;
        Some(format!("{done} of {count} {}, {rate:.0} a second, {left:.0} s left", self.what))
    }
}

/// Tells whoever pressed Ctrl-C that it was heard. It may be called from any thread.
pub fn note_interrupt() {
    if arena_tui::is_on() {
        // The screen ends by itself, and says so.
        return;
    }
    // If standard error is gone too, there is nobody to tell.
    let _ = writeln!(io::stderr(), "\narena: finishing the games in flight; once more to stop at once");
}

impl Drop for Console {
    fn drop(&mut self) {
        self.end_progress();
    }
}
