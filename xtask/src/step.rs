//! Steps: the commands that a task runs, and the lines that it prints about them.
//!
//! A step prints a line when it starts and, with the time it took, when it ends. If nothing else would be printed for
//! minutes, it also reports that it is still running. All lines go to stderr; stdout belongs to the programs that run.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow, bail};

/// The time between two lines that report a step as still running. Chosen: short enough to reassure, long enough not to
/// fill a log.
const HEARTBEAT_PERIOD: Duration = Duration::from_secs(60);

/// The most time for a program of tests. Chosen: the longest takes 7 minutes and, on a machine that is three times as slow, some 20;
/// one that waits for what never happens has to end with an error, while the rest of the checks still have time.
const TESTS_TIME_MAX: Duration = Duration::from_secs(40 * 60);

/// The number of last lines of hidden output that are shown when a command fails. Chosen: an error of apt or cargo with
/// its context fits.
const SHOWN_LINES_MAX: usize = 30;

/// The number of lines about failed tests that an error repeats: at most this many of the messages at the beginning and of the names at
/// the end. Chosen: the messages of some ten tests.
const FAILURES_LINES_MAX: [usize; 2] = [150, 50];

/// The time to wait for the next line of a program that has ended. Chosen: its last lines are in the pipe already, and a process that
/// outlives its test keeps the pipe open.
const LAST_LINES_WAIT: Duration = Duration::from_secs(2);

/// Runs a command as a named step. Its output is shown as it is written.
pub fn run(name: &str, command: &mut Command) -> Result<()> {
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    // On a terminal, cargo's progress bar shows that a step is running, and a line would tear it.
    step(name, command, !io::stderr().is_terminal(), false, None).map(drop)
}

/// Runs a program of tests as a named step. Its output is shown as it is written, and its error repeats what failed.
pub fn run_tests(name: &str, command: &mut Command) -> Result<()> {
    let (reader, writer) = io::pipe().with_context(|| format!("{name}: no pipe for its output"))?;
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || show_lines(reader, &sender));
    command.stdout(writer).stderr(Stdio::inherit());
    let tested = step(name, command, !io::stderr().is_terminal(), false, Some(TESTS_TIME_MAX));
    // Closes the command's end of the pipe.
    command.stdout(Stdio::inherit());
    let output: Vec<u8> = std::iter::from_fn(|| lines.recv_timeout(LAST_LINES_WAIT).ok()).flatten().collect();
    tested.map(drop).map_err(|error| with_failures(&error, &output))
}

/// Shows the lines of a program as they come, and passes them on.
fn show_lines(reader: impl Read, lines: &Sender<Vec<u8>>) {
    let mut reader = BufReader::new(reader);
    loop {
        let mut line = Vec::new();
        if !reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            return;
        }
        print!("{}", String::from_utf8_lossy(&line));
        let _ = lines.send(line);
    }
}

/// Runs a command as a named step, and returns its standard output. What it writes on standard error is shown.
pub fn run_for_output(name: &str, command: &mut Command) -> Result<String> {
    command.stdout(Stdio::piped()).stderr(Stdio::inherit());
    // Its standard output is for a program, and an error is on standard error.
    let output = step(name, command, !io::stderr().is_terminal(), false, None)?;
    String::from_utf8(output.stdout).with_context(|| format!("{name}: its output is not text"))
}

/// Runs a command as a named step. The end of its output is shown only if it fails.
pub fn run_hidden(name: &str, command: &mut Command) -> Result<()> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    step(name, command, true, true, None).map(drop)
}

/// Runs a program of tests as a named step at the same time as others. Its output goes to a file.
pub fn run_tests_aside(name: &str, command: &mut Command, log: &Path) -> Result<()> {
    let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    command.stdout(file.try_clone()?).stderr(file);
    // The other steps show that something is running.
    let tested = step(name, command, false, false, Some(TESTS_TIME_MAX));
    tested.map(drop).map_err(|error| with_failures(&error, &fs::read(log).unwrap_or_default()))
}

/// The error of a program of tests with what its output says about failed tests.
fn with_failures(error: &Error, output: &[u8]) -> Error {
    let text = String::from_utf8_lossy(output);
    anyhow!("{error}{}", quoted_lines(failures(&text)))
}

/// The lines about failed tests: what they printed, and their names. If the program did not come to that, its last lines.
fn failures(output: &str) -> Vec<&str> {
    let lines: Vec<&str> = output.lines().collect();
    let Some(first) = lines.iter().position(|line| *line == "failures:") else {
        return last_lines(output, SHOWN_LINES_MAX);
    };
    let (lines, [begin, end]) = (&lines[first..], FAILURES_LINES_MAX);
    if lines.len() <= begin + end {
        return lines.to_vec();
    }
    [&lines[..begin], &["… (some lines are left out: see the output above)"], &lines[lines.len() - end..]]
        .concat()
}

/// Runs a short command as a step, and returns its output. The end of the output is shown if it fails.
pub fn output(name: &str, command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } =
        output.with_context(|| format!("{name}: cannot start\n  {}", show(command)))?;
    if !status.success() {
        bail!("{name}: failed ({status})\n  {}{}", show(command), shown_end(&stderr));
    }
    String::from_utf8(stdout).with_context(|| format!("{name}: its output is not text"))
}

/// Prints a line outside any step.
pub fn say(line: &str) {
    eprintln!("xtask: {line}");
}

/// Runs a command. With `heartbeat`, a line a minute says that it is still running; with `shows_end`, an error has the end of the
/// command's hidden output. One that takes more than `time_max` is ended.
fn step(
    name: &str,
    command: &mut Command,
    heartbeat: bool,
    shows_end: bool,
    time_max: Option<Duration>,
) -> Result<Output> {
    say(&format!("{name} …"));
    let started = Instant::now();
    // No step asks a question; a child that waits for an answer would hang an unattended machine.
    let child = command.stdin(Stdio::null()).spawn();
    let child = child.with_context(|| format!("{name}: cannot start\n  {}", show(command)))?;
    let id = child.id();
    let period = time_max.map_or(HEARTBEAT_PERIOD, |max| max.min(HEARTBEAT_PERIOD));
    let output = thread::scope(|scope| {
        let (finished, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            while wait.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                let time = show_time(started.elapsed());
                if time_max.is_some_and(|max| started.elapsed() >= max) {
                    say(&format!(
                        "{name}: does not end in {time}, so it is ended. The test that waits is in its output"
                    ));
                    let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
                } else if heartbeat {
                    say(&format!("{name}: still running after {time}"));
                }
            }
        });
        let output = child.wait_with_output();
        drop(finished); // Ends the thread at once.
        output
    });
    let output = output.with_context(|| format!("{name}: cannot be waited for\n  {}", show(command)))?;
    let time = show_time(started.elapsed());
    if output.status.success() {
        say(&format!("{name}: done in {time}"));
        return Ok(output);
    }
    let end =
        if shows_end { shown_end(&[&output.stdout[..], &output.stderr].concat()) } else { String::new() };
    bail!("{name}: failed after {time} ({})\n  {}{end}", output.status, show(command))
}

/// The last lines of an output, as an error shows them.
fn shown_end(output: &[u8]) -> String {
    quoted_lines(last_lines(&String::from_utf8_lossy(output), SHOWN_LINES_MAX))
}

/// Lines of an output, as an error shows them.
fn quoted_lines(lines: Vec<&str>) -> String {
    lines.iter().map(|line| format!("\n  | {line}")).collect()
}

fn last_lines(text: &str, lines_max: usize) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(lines_max)..].to_vec()
}

/// A duration as a person writes it: `4.2 s`, `1 min 05 s`.
pub fn show_time(time: Duration) -> String {
    match time.as_secs() {
        ..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

/// A command as typed in a shell, so that a failed step can be repeated by hand.
pub fn show(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        let (name, value) = (name.to_string_lossy(), value?.to_string_lossy());
        match &*name {
            // Long, and the same as the reader's except for a folder at one end.
            "PATH" => None,
            // Its flags are separated by a character that cannot be typed.
            "CARGO_ENCODED_RUSTFLAGS" => Some(format!("RUSTFLAGS={}", quoted(&value.replace('\u{1f}', " ")))),
            name => Some(format!("{name}={}", quoted(&value))),
        }
    });
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let line: Vec<String> = variables.chain(words.map(|word| quoted(&word.to_string_lossy()))).collect();
    let folder = command.get_current_dir().map(|dir| format!("  (in {})", dir.display()));
    line.join(" ") + &folder.unwrap_or_default()
}

/// A word as a shell reads it back: in quotes, if it needs them.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_+=./,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment;

    #[test]
    fn a_short_time_is_shown_in_tenths_of_a_second_and_a_long_one_in_minutes() {
        assert_eq!(show_time(Duration::from_millis(4_249)), "4.2 s");
        assert_eq!(show_time(Duration::from_secs(65)), "1 min 05 s");
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        assert_eq!(last_lines("a\nb\nc\n", 2), ["b", "c"]);
        assert_eq!(last_lines("a", 2), ["a"]);
    }

    #[test]
    fn a_command_is_shown_as_typed_in_a_shell() {
        let mut command = Command::new("cargo");
        command.args(["bench", "--bench", "*"]).env("A", "b c").env_remove("GONE");
        assert_eq!(show(&command), "A='b c' cargo bench --bench '*'");
        assert_eq!(show(Command::new("echo").args(["it's", ""])), r"echo 'it'\''s' ''");
    }

    #[test]
    fn encoded_flags_are_shown_as_flags_that_can_be_typed() {
        let mut command = Command::new("cargo");
        command.env("CARGO_ENCODED_RUSTFLAGS", "-L\u{1f}native=/lib").env("PATH", "/bin");
        assert_eq!(show(&command), "RUSTFLAGS='-L native=/lib' cargo");
    }

    #[test]
    fn a_failed_step_is_named_in_its_error_and_shows_its_output() {
        let error =
            run_hidden("the step", Command::new("rustc").arg("--no-such-flag")).unwrap_err().to_string();
        assert!(error.starts_with("the step: failed after") && error.contains("\n  | error: "), "{error}");
    }

    #[test]
    fn a_step_that_does_not_end_in_its_time_is_ended_and_its_error_says_so() {
        let mut command = Command::new("sleep");
        let ended = step("the step", command.arg("1000"), false, false, Some(Duration::from_millis(20)));
        let error = ended.unwrap_err().to_string();
        assert!(error.starts_with("the step: failed after") && error.contains("signal: 9"), "{error}");
    }

    #[test]
    fn the_error_of_tests_ends_with_the_messages_and_names_of_those_that_failed() {
        let failures =
            "failures:\n\n---- a stdout ----\nassertion failed\n\nfailures:\n    a\n\ntest result: FAILED.";
        let script = format!("echo 'running 2 tests'; echo '{failures}'; exit 101");
        let expected = quoted_lines(failures.lines().collect());
        let log = environment::target_dir().unwrap().join("failed-tests-of-a-test.log");
        let [shown, aside] = [None, Some(&log)].map(|log| {
            let mut command = Command::new("sh");
            command.args(["-c", &script]);
            let tested = match log {
                None => run_tests("the tests", &mut command),
                Some(log) => run_tests_aside("the tests", &mut command, log),
            };
            tested.unwrap_err().to_string()
        });
        fs::remove_file(&log).unwrap();
        for error in [shown, aside] {
            assert!(error.starts_with("the tests: failed after") && error.ends_with(&expected), "{error}");
            assert!(!error.contains("| running"), "{error}");
        }
    }

    #[test]
    fn of_many_failures_the_first_messages_and_the_last_names_are_repeated() {
        let output = |lines: usize| {
            let lines: Vec<String> = (1..lines).map(|line| line.to_string()).collect();
            format!("running\nfailures:\n{}\n", lines.join("\n"))
        };
        let whole = output(200);
        assert_eq!(failures(&whole), whole.lines().skip(1).collect::<Vec<_>>());
        let longer = output(1_000);
        let shown = failures(&longer);
        assert_eq!(
            (shown.len(), shown[0], shown[149], shown[151], shown[200]),
            (201, "failures:", "149", "950", "999")
        );
    }

    #[test]
    fn tests_that_end_without_a_list_of_failures_are_shown_by_their_last_lines() {
        let mut command = Command::new("sh");
        let error = run_tests("the tests", command.args(["-c", "echo running; kill -ABRT $$"])).unwrap_err();
        assert!(error.to_string().ends_with("\n  | running"), "{error}");
    }

    #[test]
    fn output_that_a_program_reads_is_not_shown_when_its_step_fails() {
        let mut command = Command::new("sh");
        let error = run_for_output("the step", command.args(["-c", "echo a message; exit 1"])).unwrap_err();
        assert!(
            error.to_string().contains("failed after") && !error.to_string().contains("| a message"),
            "{error}"
        );
    }
}
