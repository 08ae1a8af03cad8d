//! Steps: the commands that a task runs, and the lines that it prints about them.
//!
//! A step prints a line when it starts and, with the time it took, when it ends. If nothing else would be printed for
//! minutes, it also reports that it is still running. A task ends with a table of the times. All lines go to stderr; stdout belongs to the
//! programs that run.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use wait4::Wait4;

use crate::environment;

/// The time between two lines that report a step as still running. Chosen: short enough to reassure, long enough not to
/// fill a log.
const HEARTBEAT_PERIOD: Duration = Duration::from_secs(60);

/// The most time for a program of tests. Chosen: the longest takes 7 minutes and, on a machine that is three times as slow, some 20;
/// one that waits for what never happens has to end with an error, while the rest of the checks still have time.
pub const TESTS_TIME_MAX: Duration = Duration::from_secs(40 * 60);

/// The number of last lines of hidden output that are shown when a command fails. Chosen: an error of apt or cargo with
/// its context fits.
const SHOWN_LINES_MAX: usize = 30;

/// The number of lines about failed tests that an error repeats: at most this many of the messages at the beginning and of the names at
/// the end. Chosen: the messages of some ten tests.
const FAILURES_LINES_MAX: [usize; 2] = [150, 50];

/// The shortest time of a step that has a row in the table of times. Chosen: shorter ones are many, and share a row.
const ROW_TIME_MIN: Duration = Duration::from_secs(1);

/// The times of the steps that have ended.
static ENDED: Mutex<Vec<Times>> = Mutex::new(Vec::new());

/// What a step took.
struct Times {
    name: String,
    clock: Duration,
    /// That of its processes, as far as each was waited for by the one that started it.
    processor: Duration,
}

/// Runs a command as a named step. Its output is shown as it is written.
pub fn run(name: &str, command: &mut Command) -> Result<()> {
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    // On a terminal, cargo's progress bar shows that a step is running, and a line would tear it.
    step(name, command, !io::stderr().is_terminal(), None).map(drop)
}

/// Runs a command as a named step, and returns its standard output. What it writes on standard error is shown.
pub fn run_for_output(name: &str, command: &mut Command) -> Result<String> {
    command.stdout(Stdio::piped()).stderr(Stdio::inherit());
    // Its standard output is for a program, and an error is on standard error.
    step(name, command, !io::stderr().is_terminal(), None)
}

/// Runs a command as a named step. The end of its output is shown only if it fails.
pub fn run_hidden(name: &str, command: &mut Command) -> Result<()> {
    let mut log = Log::of(command).with_context(|| format!("{name}: no file for its output"))?;
    step(name, command, true, None)
        .map(drop)
        .map_err(|error| anyhow!("{error}{}", quoted_lines(last_lines(&log.text(), SHOWN_LINES_MAX))))
}

/// Runs a program of tests as a named step, which may be one of several at the same time: its output is shown when it has ended. The error
/// repeats what failed. One that takes more than `time_max` is ended.
pub fn run_tests(name: &str, command: &mut Command, time_max: Duration) -> Result<()> {
    let mut log = Log::of(command).with_context(|| format!("{name}: no file for its output"))?;
    let tested = step(name, command, true, Some(time_max));
    let text = log.text();
    print!("{text}");
    tested.map(drop).map_err(|error| anyhow!("{error}{}", quoted_lines(failures(&text))))
}

/// Does two things at the same time, each to its end, and returns the result of the second.
pub fn run_beside<T>(
    aside: impl FnOnce() -> Result<()> + Send,
    main: impl FnOnce() -> Result<T>,
) -> Result<T> {
    thread::scope(|scope| {
        let aside = scope.spawn(aside);
        let done = main();
        let beside = aside.join().expect("a step does not panic");
        match (beside, done) {
            (Err(one), Err(other)) => bail!("{other:#}\n{one:#}"),
            (beside, done) => beside.and(done),
        }
    })
}

/// The output of a command: a file without a name, which a process that outlives its test cannot keep open.
pub struct Log(File);

impl Log {
    /// Makes a file for what a command writes.
    pub fn of(command: &mut Command) -> Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = environment::target_dir()?.join(format!("output-{}-{number}", std::process::id()));
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(&path)?;
        fs::remove_file(&path)?;
        command.stdout(file.try_clone()?).stderr(file.try_clone()?);
        Ok(Self(file))
    }

    /// The output so far.
    pub fn text(&mut self) -> String {
        let mut bytes = Vec::new();
        // What cannot be read is not shown; the result of the command stays.
        let _ = self.0.rewind().and_then(|()| self.0.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    }
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

/// Runs a command, and returns its standard output if that is piped. With `heartbeat`, a line a minute says that it is still running. One
/// that takes more than `time_max` is ended.
fn step(name: &str, command: &mut Command, heartbeat: bool, time_max: Option<Duration>) -> Result<String> {
    say(&format!("{name} …"));
    let started = Instant::now();
    // No step asks a question; a child that waits for an answer would hang an unattended machine.
    let child = command.stdin(Stdio::null()).spawn();
    let mut child = child.with_context(|| format!("{name}: cannot start\n  {}", show(command)))?;
    let id = child.id();
    let period = time_max.map_or(HEARTBEAT_PERIOD, |max| max.min(HEARTBEAT_PERIOD));
    let ended = thread::scope(|scope| {
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
        let mut output = String::new();
        let read = child.stdout.take().map_or(Ok(0), |mut pipe| pipe.read_to_string(&mut output));
        let ended = child.wait4();
        drop(finished); // Ends the thread at once.
        ended.and_then(|ended| read.map(|_| (ended, output)))
    });
    let (ended, output) =
        ended.with_context(|| format!("{name}: cannot be waited for\n  {}", show(command)))?;
    let (clock, processor) = (started.elapsed(), ended.rusage.utime + ended.rusage.stime);
    let mut times = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    times.push(Times { name: name.to_owned(), clock, processor });
    drop(times);
    let time = show_time(clock);
    if ended.status.success() {
        say(&format!("{name}: done in {time}"));
        return Ok(output);
    }
    bail!("{name}: failed after {time} ({})\n  {}", ended.status, show(command))
}

/// Prints where the time went: a table of the steps that have ended.
pub fn say_times() {
    let times = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    if times.len() > 1 {
        say(&format!(
            "the time by the clock and of processors, of steps that ran at the same time, too:\n{}",
            table(&times)
        ));
    }
}

/// A table of steps in the order in which they ended. Those of the same name have a row, and so have the short ones.
fn table(times: &[Times]) -> String {
    let mut rows: Vec<(&str, u32, [Duration; 2])> = Vec::new();
    let mut add = |name, [clock, processor]: [Duration; 2]| match rows.iter_mut().find(|row| row.0 == name) {
        Some((_, steps, sums)) => {
            *steps += 1;
            *sums = [sums[0] + clock, sums[1] + processor];
        }
        None => rows.push((name, 1, [clock, processor])),
    };
    let is_short = |times: &&Times| times.clock.max(times.processor) < ROW_TIME_MIN;
    let both = |times: &Times| [times.clock, times.processor];
    times.iter().filter(|times| !is_short(times)).for_each(|times| add(&times.name, both(times)));
    times.iter().filter(is_short).for_each(|times| add("shorter steps", both(times)));
    times.iter().for_each(|times| add("all steps", both(times)));
    let row = |(name, steps, [clock, processor]): &(&str, u32, [Duration; 2])| {
        let steps = if *steps == 1 { String::new() } else { format!(" ({steps})") };
        format!("  {:>12} {:>12}  {name}{steps}", show_time(*clock), show_time(*processor))
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
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
        let ended = step("the step", command.arg("1000"), false, Some(Duration::from_millis(20)));
        let error = ended.unwrap_err().to_string();
        assert!(error.starts_with("the step: failed after") && error.contains("signal: 9"), "{error}");
    }

    #[test]
    fn the_error_of_tests_ends_with_the_messages_and_names_of_those_that_failed() {
        let failures =
            "failures:\n\n---- a stdout ----\nassertion failed\n\nfailures:\n    a\n\ntest result: FAILED.";
        let script = format!("echo 'running 2 tests'; echo '{failures}'; exit 101");
        let error = run_tests("the tests", Command::new("sh").args(["-c", &script]), TESTS_TIME_MAX)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("the tests: failed after"), "{error}");
        assert!(error.ends_with(&quoted_lines(failures.lines().collect())), "{error}");
        assert!(!error.contains("| running"), "{error}");
    }

    #[test]
    fn of_two_things_at_the_same_time_both_errors_are_reported() {
        let fail = |name: &'static str| move || bail!(name);
        assert_eq!(run_beside(|| Ok(()), || Ok(1)).unwrap(), 1);
        assert_eq!(run_beside(fail("a"), || Ok(1)).unwrap_err().to_string(), "a");
        assert_eq!(run_beside(|| Ok(()), fail("b")).unwrap_err().to_string(), "b");
        assert_eq!(run_beside(fail("a"), fail("b")).unwrap_err().to_string(), "b\na");
    }

    #[test]
    fn a_step_has_the_processor_time_of_its_processes() {
        // Some tenths of a second in a child of the step.
        let script = "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; true";
        run_hidden("a loop", Command::new("sh").args(["-c", script])).unwrap();
        let times = ENDED.lock().unwrap();
        let times = times.iter().find(|times| times.name == "a loop").unwrap();
        assert!(times.processor >= Duration::from_millis(10), "{:?}", times.processor);
    }

    #[test]
    fn the_table_of_times_has_a_row_for_each_long_step_and_one_for_the_short() {
        let times = [("build", 65, 120), ("short", 0, 0), ("test", 3, 4), ("other", 0, 0), ("build", 5, 1)]
            .map(|(name, clock, processor)| Times {
                name: name.to_owned(),
                clock: Duration::from_secs(clock),
                processor: Duration::from_secs(processor),
            });
        let rows = ["  1 min 10 s  2 min 01 s  build (2)", "       3.0 s        4.0 s  test"];
        let sums =
            ["       0.0 s        0.0 s  shorter steps (2)", "  1 min 13 s   2 min 05 s  all steps (5)"];
        let expected = [&rows[..], &sums[..]].concat();
        let squeeze = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: Vec<String> = table(&times).lines().map(squeeze).collect();
        assert_eq!(shown, expected.into_iter().map(squeeze).collect::<Vec<_>>());
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
        let error =
            run_tests("the tests", command.args(["-c", "echo running; kill -ABRT $$"]), TESTS_TIME_MAX)
                .unwrap_err();
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
