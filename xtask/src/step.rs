//! Steps: what the person at the terminal sees while the chores run.
//!
//! Every step prints one line when it starts, one when it is done with the time it took, and, where nothing else
//! would print for minutes, a sign of life. All of it goes to stderr: stdout belongs to the programs that are run.

use std::ffi::OsStr;
use std::io::{IsTerminal, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How long a step may be silent before it says that it is still at work. Chosen: short enough to reassure, long
/// enough not to fill a log.
const HEARTBEAT_PERIOD: Duration = Duration::from_secs(60);

/// How many of the last lines of a hidden output are shown when its command fails. Chosen: an apt or cargo error
/// with its context fits in it.
const SHOWN_LINES_MAX: usize = 30;

/// What becomes of a command's output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// It is passed on as it comes: the progress of long builds.
    Shown,
    /// It is kept, and its end shown only if the command fails.
    Hidden,
}

/// Runs a command as a named step, with its output passed on.
pub fn run(name: &str, command: &mut Command) -> Result<()> {
    step(name, command, Output::Shown)
}

/// Runs a command as a named step, and shows its output only if it fails.
pub fn run_hidden(name: &str, command: &mut Command) -> Result<()> {
    step(name, command, Output::Hidden)
}

/// Prints a line of its own, outside any step.
pub fn say(line: &str) {
    eprintln!("xtask: {line}");
}

fn step(name: &str, command: &mut Command, output: Output) -> Result<()> {
    say(&format!("{name} …"));
    let started = Instant::now();
    // On a terminal cargo draws a progress bar, which is sign of life enough and which a line would tear.
    let silent = output == Output::Hidden || !std::io::stderr().is_terminal();
    let heartbeat = silent.then(|| Heartbeat::start(name, started));
    let (status, tail) = spawn(command, output)
        .with_context(|| format!("{name}: could not be started\n  {}", show(command)))?;
    drop(heartbeat);
    if status.success() {
        say(&format!("{name}: done in {}", time_taken(started.elapsed())));
        return Ok(());
    }
    let tail = tail.lines().map(|line| format!("\n  | {line}")).collect::<String>();
    bail!("{name}: failed after {} ({status})\n  {}{tail}", time_taken(started.elapsed()), show(command))
}

/// Runs a command to its end. The second value is the end of its output where that was hidden.
fn spawn(command: &mut Command, output: Output) -> Result<(ExitStatus, String)> {
    // No step asks a question, and a child that waits for an answer would hang a machine that nobody watches.
    command.stdin(Stdio::null());
    if output == Output::Shown {
        return Ok((command.status()?, String::new()));
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    // Both pipes are read at the same time: a child that fills the one nobody reads would stand still.
    let reader = thread::spawn(move || read_lossy(out));
    let err = read_lossy(err);
    let out = reader.join().unwrap_or_default();
    Ok((child.wait()?, last_lines(&format!("{out}{err}"), SHOWN_LINES_MAX)))
}

fn read_lossy(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What was read before an error is still the best there is to show.
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn last_lines(text: &str, lines_max: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(lines_max)..].join("\n")
}

/// A duration as a person would say it: `4.2 s`, `1 min 05 s`.
pub fn time_taken(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// A command as one would type it, so that a failed step can be tried by hand.
pub fn show(command: &Command) -> String {
    let mut words: Vec<String> =
        command.get_envs().filter_map(|(name, value)| show_variable(name, value?)).collect();
    words.push(quoted(command.get_program()));
    words.extend(command.get_args().map(quoted));
    let place = command.get_current_dir().map(|dir| format!("  (in {})", dir.display())).unwrap_or_default();
    format!("{}{place}", words.join(" "))
}

fn show_variable(name: &OsStr, value: &OsStr) -> Option<String> {
    match name.to_str()? {
        // Long, and the same as the reader's but for a folder at an end.
        "PATH" => None,
        // Nobody can type the character that separates its flags.
        "CARGO_ENCODED_RUSTFLAGS" => {
            let flags = value.to_string_lossy().replace('\u{1f}', " ");
            Some(format!("RUSTFLAGS={}", quoted(OsStr::new(&flags))))
        }
        name => Some(format!("{name}={}", quoted(value))),
    }
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.is_empty() || word.contains([' ', '*', '\'', '"', '$']) {
        format!("'{word}'")
    } else {
        word.into_owned()
    }
}

/// A thread that says every now and then that a step is still at work, until it is dropped.
struct Heartbeat {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    fn start(name: &str, started: Instant) -> Self {
        let (stop, stopped) = mpsc::channel::<()>();
        let name = name.to_owned();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(HEARTBEAT_PERIOD) == Err(RecvTimeoutError::Timeout) {
                say(&format!("{name}: still at work after {}", time_taken(started.elapsed())));
            }
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        // Dropping the sender wakes the thread at once.
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // A heartbeat that panicked has nothing to add to the step's own result.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_time_is_told_in_tenths_and_a_long_one_in_minutes() {
        assert_eq!(time_taken(Duration::from_millis(4_249)), "4.2 s");
        assert_eq!(time_taken(Duration::from_secs(65)), "1 min 05 s");
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a", 2), "a");
    }

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let mut command = Command::new("cargo");
        command.args(["bench", "--bench", "*"]).env("A", "b c").env_remove("GONE");
        assert_eq!(show(&command), "A='b c' cargo bench --bench '*'");
    }

    #[test]
    fn encoded_flags_are_shown_as_the_flags_one_can_type() {
        let mut command = Command::new("cargo");
        command.env("CARGO_ENCODED_RUSTFLAGS", "-L\u{1f}native=/lib").env("PATH", "/bin");
        assert_eq!(show(&command), "RUSTFLAGS='-L native=/lib' cargo");
    }

    #[test]
    fn a_failing_step_is_named_in_its_error() {
        let error = run_hidden("the step", Command::new("rustc").arg("--no-such-flag")).unwrap_err();
        assert!(error.to_string().starts_with("the step: failed after"), "{error}");
    }
}
