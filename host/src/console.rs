//! The one place that prints: results on standard output, everything else on standard error.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write};

/// Standard output and standard error, and a progress bar between them where there is a terminal.
pub struct Console {
    out: Box<dyn Write>,
    progress: Option<ProgressBar>,
    progress_allowed: bool,
}

impl Console {
    /// The process's own.
    pub fn of_process() -> Self {
        Self { out: Box::new(io::stdout()), progress: None, progress_allowed: io::stderr().is_terminal() }
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

    /// Shows progress through so many games, where standard error is a terminal.
    pub fn begin_progress(&mut self, games: usize) {
        if !self.progress_allowed || games < 2 {
            return;
        }
        let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A number that cannot be written is not shown; it is only progress.
            let _ = write!(text, "{:.0}", state.per_sec());
        };
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games  {rate}/s  {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("rate", rate);
        let bar = ProgressBar::with_draw_target(Some(games as u64), ProgressDrawTarget::stderr());
        self.progress = Some(bar.with_style(style));
    }

    /// A game is done.
    pub fn advance(&self) {
        if let Some(bar) = &self.progress {
            bar.inc(1);
        }
    }

    /// Takes the progress off the screen.
    pub fn end_progress(&mut self) {
        if let Some(bar) = self.progress.take() {
            bar.finish_and_clear();
        }
    }
}

/// Tells whoever pressed Ctrl-C that it was heard. It may be called from any thread.
pub fn note_interrupt() {
    // If standard error is gone too, there is nobody to tell.
    let _ = writeln!(io::stderr(), "\narena: finishing the games in flight; once more to stop at once");
}

impl Drop for Console {
    fn drop(&mut self) {
        self.end_progress();
    }
}
