//! The only module that prints: results on standard output, everything else on standard error.
//!
//! It prints only [`Text`] and [`Json`], which are safe by construction. A lint, `host/clippy.toml`, keeps other code from
//! printing.

use crate::args::Form;
use crate::failure::Failure;
use crate::output::Output;
use arena_platform::refusals::is_reader_gone;
use arena_resources::Fewer;
use arena_text::{Json, Text};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};
use std::{fmt, panic, thread};

/// The time between two lines of progress without a terminal. Chosen: a log of a night has a thousand of them.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// Standard output and standard error, with progress between them.
pub struct Console {
    out: Box<dyn Write>,
    /// True if standard output is a terminal.
    is_terminal: bool,
    /// Lines of results that are printed together with later ones.
    held: String,
    progress: Option<Progress>,
    /// True if it prints results and errors only.
    is_quiet: bool,
    reader: Reader,
}

/// The reader of standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    /// It exists as far as the program knows; without it, the command ends.
    Needed,
    /// It exists as far as the program knows; without it, the command continues.
    Welcome,
    /// It went away, and the command goes on.
    Gone,
}

/// Progress through a number of things: a bar if standard error is a terminal, otherwise a line at intervals.
struct Progress {
    /// It draws nothing without a terminal, but counts all the same. Its message is the text next to the numbers.
    bar: ProgressBar,
    /// True if it is drawn. The bar itself would ask the system each time.
    is_drawn: bool,
    what: &'static str,
    /// True if it may end long before its count is reached, so that the time left is unknown.
    is_open: bool,
    logged: Instant,
}

impl Console {
    /// The console of this process.
    #[expect(clippy::disallowed_methods, reason = "this is where results are printed")]
    pub fn of_process() -> Self {
        let out = io::stdout();
        let is_terminal = out.is_terminal();
        Self {
            out: Box::new(out),
            is_terminal,
            held: String::new(),
            progress: None,
            is_quiet: false,
            reader: Reader::Needed,
        }
    }

    /// Leaves out notes, progress and the lines of games, or prints them.
    pub fn set_quiet(&mut self, is_quiet: bool) {
        self.is_quiet = is_quiet;
    }

    /// Lets the command continue when its output is closed, because its results are kept elsewhere too.
    pub fn outlive_reader(&mut self) {
        self.reader = Reader::Welcome;
    }

    /// True if results were lost because the output was closed.
    pub fn has_lost_results(&self) -> bool {
        self.reader == Reader::Gone
    }

    /// Prints lines of results on standard output.
    ///
    /// # Errors
    /// They cannot be written: the disk is full, or the output was closed.
    pub fn line(&mut self, text: impl Into<Text>) -> io::Result<()> {
        self.print(&text.into())
    }

    /// Prints a document for programs on standard output.
    ///
    /// # Errors
    /// As of [`Console::line`].
    pub fn document(&mut self, document: &Json) -> io::Result<()> {
        self.print(document)
    }

    /// Prints a result in a form that its command offers.
    ///
    /// # Errors
    /// As of [`Console::line`].
    pub fn show(&mut self, output: &impl Output, form: Form) -> io::Result<()> {
        match form {
            Form::Table => self.line(output.text()),
            Form::Json => self.document(&Json::pretty(&output.json())),
            // On a terminal, it is for a reader.
            Form::Csv if self.is_terminal => output.csv().into_iter().try_for_each(|part| self.line(part)),
            Form::Csv => output.csv().iter().try_for_each(|part| self.print(&part.without_isolates())),
            Form::Jsonl => output.jsonl().try_for_each(|row| self.document(&row)),
            Form::Folded => self.line(output.folded()),
        }
    }

    /// Holds lines of results back until [`Console::flush`], so that many are printed at once. They are lines of games, which
    /// a quiet console leaves out.
    pub fn hold(&mut self, text: impl Into<Text>) {
        if self.is_quiet || self.reader == Reader::Gone {
            return;
        }
        self.held += text.into().as_str();
        self.held.push('\n');
    }

    /// Prints the lines that are held back.
    ///
    /// # Errors
    /// As of [`Console::line`].
    pub fn flush(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        self.write(|out| out.write_all(held.as_bytes()))
    }

    fn print(&mut self, text: &dyn fmt::Display) -> io::Result<()> {
        self.flush()?;
        self.write(|out| writeln!(out, "{text}"))
    }

    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.reader == Reader::Gone {
            return Ok(());
        }
        let out = &mut self.out;
        match hiding_progress(&self.progress, || write(out)) {
            Err(error) if self.reader == Reader::Welcome && is_reader_gone(&error) => {
                self.reader = Reader::Gone;
                Ok(())
            }
            written => written,
        }
    }

    /// Prints a note for the user on standard error, unless the console is quiet.
    pub fn note(&self, text: impl Into<Text>) {
        if !self.is_quiet {
            self.tell(text);
        }
    }

    /// Notes that work goes on with fewer threads or processes than asked for, if that has happened since the last note.
    pub fn note_fewer(&self) {
        if let Some(Fewer { what, asked, got, why }) = arena_resources::take_fewer() {
            let next = why.trouble().next().unwrap_or("use fewer --jobs");
            let rest = if got == 0 { "without them" } else { "with them" };
            self.note(format!(
                "note: only {got} of {asked} {what} could be started, and the work goes on {rest}: {}\n  next: {next}",
                why.problem()
            ));
        }
    }

    /// Prints on standard error even if the console is quiet: an error, or a part of the result that has no place in a
    /// table.
    pub fn tell(&self, text: impl Into<Text>) {
        let text = text.into();
        hiding_progress(&self.progress, || tell(&text));
    }

    /// Prints the reason why the program ends badly on standard error, unless it has been reported already.
    pub fn failure(&mut self, failure: &Failure) {
        self.end_progress();
        let text = failure.to_string();
        if !text.is_empty() {
            self.tell(format!("arena: {text}"));
        }
    }

    /// Shows progress through this number of things, if there are several.
    pub fn begin_progress(&mut self, count: usize, what: &'static str) {
        self.begin(count, what, false);
    }

    /// Shows progress through at most this number of things: without the time to the last one, because it may end long before.
    pub fn begin_open_progress(&mut self, most: usize, what: &'static str) {
        self.begin(most, what, true);
    }

    fn begin(&mut self, count: usize, what: &'static str, is_open: bool) {
        if count < 2 || self.is_quiet {
            return;
        }
        let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A number that cannot be written is not shown; it is only progress.
            let _ = write!(text, "{:.0}", state.per_sec());
        };
        let shape = if is_open {
            format!("{{spinner}} {{pos}} of {{len}} {what}  {{rate}}/s{{msg}}")
        } else {
            format!("{{wide_bar}} {{pos}}/{{len}} {what}  {{rate}}/s  {{eta}} left{{msg}}")
        };
        let style = ProgressStyle::with_template(&shape).unwrap_or_else(|_| ProgressStyle::default_bar());
        // The same rule as for screens: of the locale's characters, the terminal may know those of ASCII only.
        let style = match arena_tui::Theme::of_environment().is_ascii {
            true => style.progress_chars("#>-").tick_chars(r"-\|/ "),
            false => style,
        };
        let style = style.with_key("rate", rate);
        let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
        let is_drawn = !bar.is_hidden();
        let bar = bar.with_style(style);
        self.progress = Some(Progress { bar, is_drawn, what, is_open, logged: Instant::now() });
    }

    /// Counts one more.
    pub fn advance(&mut self) {
        self.progress(|bar| bar.inc(1));
    }

    /// Counts one more, with a text next to the progress.
    pub fn advance_with(&mut self, text: &Text) {
        self.progress(|bar| {
            bar.set_message(format!("  {}", text.as_str()));
            bar.inc(1);
        });
    }

    /// Sets the number of things that are done, and the number of all that are known by now.
    pub fn advance_to(&mut self, done: usize, count: usize) {
        self.progress(|bar| {
            bar.set_length(count as u64);
            bar.set_position(done as u64);
        });
    }

    fn progress(&mut self, advance: impl FnOnce(&ProgressBar)) {
        let Some(Progress { bar, is_drawn, what, is_open, logged }) = &mut self.progress else { return };
        advance(bar);
        if !*is_drawn && logged.elapsed() >= LOG_INTERVAL {
            *logged = Instant::now();
            let (done, count) = (bar.position(), bar.length().unwrap_or_default());
            let (rate, left) = (bar.per_sec(), bar.eta().as_secs());
            let beside = bar.message();
            let digits = usize::from(rate < 10.0);
            let left = if *is_open { String::new() } else { format!(", {left} s left") };
            let line = format!("{done} of {count} {what}, {rate:.digits$} a second{left}{beside}");
            self.note(line);
        }
    }

    /// A handle for other threads while there is progress.
    pub fn shared(&self) -> SharedConsole {
        let bar = self.progress.as_ref().map(|progress| progress.bar.clone());
        SharedConsole { bar, is_quiet: self.is_quiet }
    }

    /// Takes the progress off the screen.
    pub fn end_progress(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.bar.finish_and_clear();
        }
    }
}

/// A handle of the console for other threads, while there is progress.
pub struct SharedConsole {
    bar: Option<ProgressBar>,
    is_quiet: bool,
}

impl SharedConsole {
    /// Prints a note for the user on standard error, unless the console is quiet or a screen is on.
    pub fn note(&self, text: impl Into<Text>) {
        if self.is_quiet || arena_tui::is_on() {
            return;
        }
        let text = text.into();
        match &self.bar {
            Some(bar) => bar.suspend(|| tell(&text)),
            None => tell(&text),
        }
    }

    /// Sets the text next to the progress.
    pub fn say(&self, text: &Text) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("  {}", text.as_str()));
        }
    }
}

/// Prints while the progress is off the screen, if it is on it.
fn hiding_progress<T>(progress: &Option<Progress>, print: impl FnOnce() -> T) -> T {
    match progress {
        Some(progress) if progress.is_drawn => progress.bar.suspend(print),
        _ => print(),
    }
}

/// True if results are printed on a terminal.
#[expect(clippy::disallowed_methods, reason = "it is asked and not written to")]
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// The number of rows of the terminal that results are printed on; `None` when they are not.
pub fn rows() -> Option<usize> {
    if is_terminal() { arena_tui::rows() } else { None }
}

/// Confirms Ctrl-C to the user. It may be called from any thread.
pub fn note_interrupt() {
    if arena_tui::is_on() {
        // The screen ends by itself, and says so.
        return;
    }
    tell(&"\narena: finishing the games in progress; press Ctrl-C again to stop at once".into());
}

/// Makes panics print their messages, which may quote text from outside, like any other text. It may be called once.
pub fn hook_panics() {
    panic::set_hook(Box::new(|info| {
        let name = thread::current().name().unwrap_or("?").to_owned();
        let mut text = format!("thread '{name}' {info}");
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            text += &format!("\n{backtrace}");
        }
        tell(&text.into());
    }));
}

/// Prints on standard error.
#[expect(clippy::disallowed_methods, reason = "this is where notes are printed")]
fn tell(text: &Text) {
    // If standard error is closed too, the message is lost.
    let _ = writeln!(io::stderr(), "{text}");
}

impl Drop for Console {
    fn drop(&mut self) {
        self.end_progress();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of things that are done, that of all, and the text next to them.
    fn progress(console: &Console) -> Option<(u64, Option<u64>, String)> {
        console.progress.as_ref().map(|it| (it.bar.position(), it.bar.length(), it.bar.message()))
    }

    #[test]
    fn progress_counts_what_is_done_of_several_things_unless_the_console_is_quiet() {
        let mut console = Console::of_process();
        console.begin_progress(1, "games");
        assert_eq!(progress(&console), None);
        console.begin_progress(3, "games");
        console.advance();
        assert_eq!(progress(&console), Some((1, Some(3), String::new())));
        console.advance_with(&"ann".into());
        assert_eq!(progress(&console), Some((2, Some(3), "  ann".into())));
        console.advance_to(4, 5);
        assert_eq!(progress(&console), Some((4, Some(5), "  ann".into())));
        console.end_progress();
        assert_eq!(progress(&console), None);
        console.set_quiet(true);
        console.begin_open_progress(3, "games");
        assert_eq!(progress(&console), None);
    }
}
