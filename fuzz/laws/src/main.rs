//! Tries all laws for a given time and counts the executions. `cargo xtask laws` builds and runs it.
//!
//! Each law is tried in a separate process, and each input is written to a file before it is tried. So the input is known even
//! if it ends the process, or if the law does not end.
#![forbid(unsafe_code)]

use arena_laws::driver::{self, Driver, Violation};
use arena_laws::{LAWS, Law};
use sha2::{Digest, Sha256};
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, thread};

/// The inputs that are made at a time. Chosen: the slowest law takes a few seconds for them.
const INPUTS_AT_A_TIME: u32 = 64;

/// The time after its end that a law has for its last inputs, and for making an input smaller that breaks it. Chosen: a
/// hundred times the longest that was seen.
const GRACE: Duration = Duration::from_secs(300);

/// The interval at which a process is polled.
const LOOK_EVERY: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let tried = match words[..] {
        ["one", law, seconds, input] => one(law, seconds, Path::new(input)),
        ["all", seconds, ref names @ ..] => all(seconds, names),
        _ => Err("usage: arena-laws all <SECONDS> [LAW]...; see `cargo xtask laws --help`".into()),
    };
    tried.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::from(2)
    })
}

fn seconds(word: &str) -> Result<Duration, String> {
    word.parse().map(Duration::from_secs).map_err(|_| format!("'{word}' is not a number of seconds"))
}

fn law(name: &str) -> Result<Law, String> {
    let law = LAWS.iter().find(|law| law.name == name).copied();
    law.ok_or_else(|| {
        let names = LAWS.map(|law| law.name);
        format!("there is no law '{name}'; the laws are:\n  {}", names.join("\n  "))
    })
}

/// The message of the latest panic, with its place.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Tries one law, and prints the number of executions. An input that breaks it is in the file at the end.
fn one(name: &str, time: &str, input: &Path) -> Result<ExitCode, String> {
    let (driver, end) = (Driver::new(law(name)?), Instant::now() + seconds(time)?);
    let file = File::create(input).map_err(of_file(input))?;
    let (executions, file) = (Cell::new(0_u64), RefCell::new(file));
    let note = |bytes: &[u8]| {
        executions.set(executions.get() + 1);
        replace(&mut file.borrow_mut(), bytes).expect("the input can be written");
    };
    // While an input is reduced, most panics have the same message.
    panic::set_hook(Box::new(|panic| *PANIC.lock().expect("it only holds a text") = panic.to_string()));
    let tried = panic::catch_unwind(AssertUnwindSafe(|| {
        driver.try_seeds(note);
        while Instant::now() < end {
            driver.try_inputs(INPUTS_AT_A_TIME, note)?;
        }
        Ok::<(), Violation>(())
    }));
    println!("{}", executions.get());
    match tried {
        Ok(Ok(())) => return Ok(ExitCode::SUCCESS),
        Ok(Err(Violation { input, .. })) => note(&input),
        // A seed breaks the law, and is in the file.
        Err(_) => {}
    }
    eprintln!("{name}: {}", PANIC.lock().expect("it only holds a text"));
    Ok(ExitCode::FAILURE)
}

/// Replaces the content of a file.
fn replace(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

/// A law that was tried.
struct Tried {
    law: Law,
    took: Duration,
    /// `None` when its process ended before it said so.
    executions: Option<u64>,
    /// The reason why it failed, and the file with the input.
    failure: Option<(String, PathBuf)>,
}

/// Tries the named laws, or all laws if no name is given, for this time in total. As many run at once as there are processors.
fn all(time: &str, names: &[&str]) -> Result<ExitCode, String> {
    let laws = match names {
        [] => LAWS.to_vec(),
        names => names.iter().map(|name| law(name)).collect::<Result<_, _>>()?,
    };
    let at_once = thread::available_parallelism().map_or(1, usize::from).min(laws.len());
    let rounds = u32::try_from(laws.len().div_ceil(at_once)).expect("there are few laws");
    let each = (seconds(time)? / rounds).as_secs().max(1);
    eprintln!("{} laws, {at_once} at a time, {each} s each", laws.len());
    let program = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let (left, tried) = (Mutex::new(laws.iter()), Mutex::new(Vec::new()));
    let next = || left.lock().expect("it only holds laws").next();
    let work = || -> Result<(), String> {
        while let Some(&law) = next() {
            let done = attempt(law, each, &program, folder.path())?;
            eprintln!("{}: {}", law.name, if done.failure.is_some() { "FAILED" } else { "holds" });
            tried.lock().expect("it only holds results").push(done);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    let mut tried = tried.into_inner().expect("it only holds results");
    tried.sort_by_key(|tried| tried.law.name);
    print!("{}", table(&tried));
    for (law, why, input) in
        tried.iter().filter_map(|tried| tried.failure.as_ref().map(|(why, input)| (tried.law, why, input)))
    {
        println!("\n{}: {why}\n{}", law.name, advice(law, input));
    }
    Ok(if tried.iter().any(|tried| tried.failure.is_some()) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A problem with a file, as a message.
fn of_file(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Tries a law in a process of its own.
fn attempt(law: Law, seconds: u64, program: &Path, folder: &Path) -> Result<Tried, String> {
    let (input, output, errors) = (
        folder.join(law.name),
        folder.join(format!("{}.out", law.name)),
        folder.join(format!("{}.err", law.name)),
    );
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(["one", law.name, &seconds.to_string()])
        .arg(&input)
        .stdin(Stdio::null())
        .stdout(File::create(&output).map_err(of_file(&output))?)
        .stderr(File::create(&errors).map_err(of_file(&errors))?)
        .spawn()
        .map_err(of_file(program))?;
    let status = wait(&mut child, begun + Duration::from_secs(seconds) + GRACE).map_err(of_file(program))?;
    let took = begun.elapsed();
    let executions = fs::read_to_string(&output).ok().and_then(|text| text.trim().parse().ok());
    let said = || String::from_utf8_lossy(&fs::read(&errors).unwrap_or_default()).trim().to_owned();
    let why = match status {
        Some(status) if status.success() => return Ok(Tried { law, took, executions, failure: None }),
        Some(status) if executions.is_some() => format!("it does not hold ({status}): {}", said()),
        Some(status) => format!("the process ended early ({status}): {}", said()),
        None => "it did not end".to_owned(),
    };
    let kept = keep(law, &input).map_err(of_file(&input))?;
    Ok(Tried { law, took, executions, failure: Some((why, kept)) })
}

/// Waits for the end of a process. Returns `None` after the deadline, and ends the process.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Keeps an input next to the seeds of its law, as a fuzzer does. Its name has 40 hexadecimal digits, so that the tests skip
/// it.
fn keep(law: Law, input: &Path) -> io::Result<PathBuf> {
    let bytes = match fs::read(input) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    let mut name = String::new();
    for byte in Sha256::digest(&bytes).iter().take(20) {
        let _ = write!(name, "{byte:02x}");
    }
    let kept = driver::corpus(law.name).join(name);
    fs::write(&kept, bytes)?;
    Ok(kept)
}

fn advice(law: Law, input: &Path) -> String {
    format!(
        "The input is in {}.\nRepair it and give the file a name that describes it. Then this tries it first:\n  \
         cargo test --release --workspace --test laws {}",
        input.display(),
        law.name
    )
}

/// The results, a line for each law and one for all.
fn table(tried: &[Tried]) -> String {
    let width = tried.iter().map(|tried| tried.law.name.len()).max().unwrap_or_default();
    let mut table = String::new();
    let mut row = |name: &str, seconds: &str, executions: &str, failures: &str| {
        let _ = writeln!(table, "{name:width$}  {seconds:>7}  {executions:>12}  {failures:>8}");
    };
    row("law", "seconds", "executions", "failures");
    for Tried { law, took, executions, failure } in tried {
        let executions = executions.map_or_else(|| "unknown".into(), |executions| executions.to_string());
        row(law.name, &took.as_secs().to_string(), &executions, &u8::from(failure.is_some()).to_string());
    }
    let seconds: Duration = tried.iter().map(|tried| tried.took).sum();
    let executions: u64 = tried.iter().filter_map(|tried| tried.executions).sum();
    let failures = tried.iter().filter(|tried| tried.failure.is_some()).count();
    row("all", &seconds.as_secs().to_string(), &executions.to_string(), &failures.to_string());
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_line_for_each_law_and_one_for_all() {
        let failure = |failed: bool| failed.then(|| ("it did not end".to_owned(), PathBuf::new()));
        let tried = |index: usize, executions, failed| Tried {
            law: LAWS[index],
            took: Duration::from_millis(30_900),
            executions,
            failure: failure(failed),
        };
        let table = table(&[tried(0, Some(1_200), false), tried(1, None, true)]);
        let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(
            rows,
            [
                ["law", "seconds", "executions", "failures"],
                [LAWS[0].name, "30", "1200", "0"],
                [LAWS[1].name, "30", "unknown", "1"],
                ["all", "61", "1200", "1"],
            ]
        );
    }

    #[test]
    fn a_process_that_does_not_end_is_ended() {
        let mut child = Command::new("sleep").arg("600").spawn().expect("there is such a program");
        let status = wait(&mut child, Instant::now()).expect("it can be waited for");
        assert!(status.is_none());
    }

    #[test]
    fn an_unknown_law_is_refused_with_the_names_of_all() {
        let why = law("gravity").expect_err("there is no such law");
        assert!(
            why.starts_with("there is no law 'gravity'") && why.ends_with(LAWS[LAWS.len() - 1].name),
            "{why}"
        );
    }
}
