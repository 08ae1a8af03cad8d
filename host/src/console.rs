//! The one place that prints: results on standard output, everything else on standard error.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The time between two lines of progress without a terminal. Chosen: a log of a night has a thousand of them.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// Standard output and standard error, with progress between them.
pub struct Console {
    out: Box<dyn Write>,
    progress: Option<Progress>,
}

/// Progress through a number of things: a bar if standard error is a terminal, else a line now and then.
struct Progress {
    /// It draws nothing without a terminal, and counts all the same.
    bar: ProgressBar,
    what: &'static str,
    logged: Instant,
}

impl Console {
    /// The console of this process.
    pub fn of_process() -> Self {
        Self { out: Box::new(io::stdout()), progress: None }
    }

    /// Prints a line of results on standard output.
    ///
    /// # Errors
    /// The line cannot be written: the disk is full, or the reader is gone.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        let out = &mut self.out;
        let mut write = || writeln!(out, "{text}");
        match &self.progress {
            Some(progress) => progress.bar.suspend(write),
            None => write(),
        }
    }

    /// Prints a note for the user on standard error.
    pub fn note(&self, text: &str) {
        let write = || {
            // If standard error is gone too, there is nobody to tell.
            let _ = writeln!(io::stderr(), "{text}");
        };
        match &self.progress {
            Some(progress) => progress.bar.suspend(write),
            None => write(),
        }
    }

    /// Prints the reason why the program ends badly on standard error, unless it has been reported already.
    pub fn failure(&mut self, failure: &Failure) {
        self.end_progress();
        let text = failure.to_string();
        if !text.is_empty() {
            self.note(&format!("arena: {text}"));
        }
    }

    /// Shows progress through this number of things, if there are several.
    pub fn begin_progress(&mut self, count: usize, what: &'static str) {
        if count < 2 {
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
        self.progress = Some(Progress { bar: bar.with_style(style), what, logged: Instant::now() });
    }

    /// Counts one more.
    pub fn advance(&mut self) {
        self.progress(|bar| bar.inc(1));
    }

    /// Sets the number of things that are done, and the number of all that are known by now.
    pub fn advance_to(&mut self, done: usize, count: usize) {
        self.progress(|bar| {
            bar.set_length(count as u64);
            bar.set_position(done as u64);
        });
    }

    fn progress(&mut self, advance: impl FnOnce(&ProgressBar)) {
        let Some(Progress { bar, what, logged }) = &mut self.progress else { return };
        advance(bar);
        if bar.is_hidden() && logged.elapsed() >= LOG_INTERVAL {
            *logged = Instant::now();
            let (done, count) = (bar.position(), bar.length().unwrap_or_default());
            let (rate, left) = (bar.per_sec(), bar.eta().as_secs());
            let line = format!("{done} of {count} {what}, {rate:.0} a second, {left} s left");
            self.note(&line);
        }
    }

    /// Takes the progress off the screen.
    pub fn end_progress(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.bar.finish_and_clear();
        }
    }
}

/// Confirms to the user that Ctrl-C was heard. It may be called from any thread.
pub fn note_interrupt() {
    if arena_tui::is_on() {
        // The screen ends by itself, and says so.
        return;
    }
    // If standard error is gone too, there is nobody to tell.
    let _ = writeln!(
        io::stderr(),
        "\narena: finishing the games in progress; press Ctrl-C again to stop at once"
    );
}

impl Drop for Console {
    fn drop(&mut self) {
        self.end_progress();
    }
}
