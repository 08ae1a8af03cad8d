//! The tests of the workspace. Some need a NATS server, or certificates for it; where the programs for that are missing, they say that
//! they are skipped, and are counted.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Error, Result, ensure};

use crate::debian;
use crate::environment;
use crate::passed::{self, Begun};
use crate::step;
use crate::test_programs::Tests;

/// The programs for tests with workers, each in a package of the same name.
const PROGRAMS: [&str; 2] = ["nats-server", "openssl"];

/// The packages for tests of clubs: a proxy, and a clock that can be set. nginx depends on its files of settings, which are not needed.
const UNPACKED: [(&str, &str); 3] = [
    ("nginx", "usr/sbin/nginx"),
    ("faketime", "usr/bin/faketime"),
    ("libfaketime", "usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
];

/// The folder of Debian's server. It is on the path of root only.
const SYSTEM_FOLDER: &str = "/usr/sbin";

/// Installs the server where that is possible, if it is missing. Returns true if it is here then; otherwise says what is lost.
pub fn provide_server(loss: &str) -> Result<bool> {
    let is_found = |program: &&str| {
        environment::find_on_path(program).is_some() || Path::new(SYSTEM_FOLDER).join(program).is_file()
    };
    let is_here = || PROGRAMS.iter().all(is_found);
    debian::provide(is_here, &PROGRAMS.join(" "), "there is no NATS server, or no openssl", loss)
}

/// Fetches packages and unpacks them into the target directory, if they are missing there: installed, nginx would serve pages on this
/// machine. Returns the folder; `None` when they cannot be fetched.
fn unpack() -> Result<Option<PathBuf>> {
    let folder = environment::target_dir()?.join("tools/debian");
    let is_here = || UNPACKED.iter().all(|(_, file)| folder.join(file).is_file());
    if !is_here() {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let names = UNPACKED.map(|(package, _)| package).join(" ");
        let script =
            format!("apt-get download -q {names}\nfor package in *.deb; do dpkg -x $package .; done");
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", &script]).current_dir(&folder);
        if let Err(error) = step::run_hidden("fetching nginx and faketime from Debian", &mut shell) {
            step::say(&format!("{error}\nthe tests of clubs that need them are skipped"));
        }
    }
    Ok(is_here().then_some(folder))
}

/// A check that can run at the same time as others.
pub type Job<'a> = Box<dyn FnOnce() -> Result<()> + Send + 'a>;

/// Builds and runs all tests, at the same time as other jobs, and ends with the number of those that were skipped. With `changed_only`, the
/// simulations are left out if they have passed with the same inputs.
pub fn test(changed_only: bool, others: Vec<Job>) -> Result<()> {
    let has_server = provide_server("the tests with workers are skipped")?;
    let skipped = environment::target_dir()?.join("skipped-tests");
    fs::write(&skipped, "").with_context(|| format!("cannot write {}", skipped.display()))?;
    let unpacked = unpack()?;
    let tested = run(changed_only, others, |tests| command(tests, &skipped, has_server, unpacked.as_deref()));
    let lines = fs::read_to_string(&skipped).with_context(|| format!("cannot read {}", skipped.display()))?;
    if let Some(note) = note(&lines) {
        step::say(&note);
    }
    tested
}

/// The programs of tests that mostly wait, for servers that end and come back: all others run at the same time.
const WAITING: [&str; 1] = ["remote"];

/// The programs that take longest, which run first, so that no processor is idle at the end. Measured: from 5 minutes to 20 seconds.
const LONG: [&str; 5] = ["program", "sandbox", "laws", "tui", "league"];

/// The program with the simulations, and their tests: the coverage of intervals and the error rates of a sequential test.
const SIMULATING: &str = "league";
const SIMULATIONS: [&str; 2] = ["coverage::", "sprt::error_rates_are_kept"];

/// Builds all tests and runs them, as many programs and other jobs at the same time as there are processors, and those that wait besides.
/// Each has as many threads, but few keep them busy to their end. All failures are named at the end, with the messages of the tests.
fn run(
    changed_only: bool,
    others: Vec<Job>,
    command: impl Fn(&Tests) -> Result<Command> + Sync,
) -> Result<()> {
    let simulations = Mutex::new(passed::SIMULATIONS.begin(changed_only)?);
    let mut programs = Tests::build([])?;
    ensure!(
        WAITING.iter().all(|name| programs.iter().any(|tests| tests.name() == *name)),
        "tests are missing"
    );
    programs.sort_by_key(|tests| LONG.iter().position(|name| *name == tests.name()).unwrap_or(LONG.len()));
    let test = |tests: &Tests| {
        let begun = if tests.name() == SIMULATING { lock(&simulations).take() } else { None };
        let mut command = command(tests)?;
        if tests.name() == SIMULATING && begun.is_none() {
            command.args(SIMULATIONS.iter().flat_map(|test| ["--skip", test]));
        }
        step::run_tests(&tests.step(), &mut command, step::TESTS_TIME_MAX)?;
        begun.map_or(Ok(()), Begun::passed)
    };
    let (waiting, busy): (Vec<Tests>, Vec<Tests>) =
        programs.into_iter().partition(|tests| WAITING.contains(&tests.name()));
    let test = &test;
    let jobs_of =
        |programs: Vec<Tests>| programs.into_iter().map(move |tests| Box::new(move || test(&tests)) as Job);
    let documented = || {
        let mut command = environment::cargo();
        command.args(["test", "--doc", "--release", "--workspace", "--no-fail-fast"]);
        step::run_tests("testing the examples in the documentation", &mut command, step::TESTS_TIME_MAX)
    };
    let jobs = others.into_iter().chain(jobs_of(busy)).chain([Box::new(documented) as Job]);
    let lanes = thread::available_parallelism().map_or(1, NonZero::get);
    let failed = [(1, jobs_of(waiting).collect()), (lanes, jobs.collect())];
    let failed: Vec<String> = run_jobs(failed).iter().map(ToString::to_string).collect();
    ensure!(failed.is_empty(), "{} of the programs of tests failed:\n{}", failed.len(), failed.join("\n"));
    Ok(())
}

/// Runs jobs in their order: those of each list in as many lanes as it has, all lists at the same time. Returns the errors of those that
/// failed.
fn run_jobs<const LISTS: usize>(lists: [(usize, Vec<Job>); LISTS]) -> Vec<Error> {
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for (lanes, jobs) in lists {
            let jobs = Arc::new(Mutex::new(jobs.into_iter()));
            for _ in 0..lanes {
                let (jobs, failed) = (jobs.clone(), &failed);
                scope.spawn(move || {
                    // No lock is held while a job runs.
                    let next = || lock(&jobs).next();
                    while let Some(job) = next() {
                        let failure = job().err();
                        lock(failed).extend(failure);
                    }
                });
            }
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The command that runs a program of tests, which notes those that it skips.
fn command(tests: &Tests, skipped: &Path, has_server: bool, unpacked: Option<&Path>) -> Result<Command> {
    let mut command = tests.command();
    command.env("ARENA_SKIPPED", skipped);
    for programs in unpacked.iter().flat_map(|folder| ["usr/bin", "usr/sbin"].map(|it| folder.join(it))) {
        environment::extend_path(&mut command, None, Some(&programs))?;
    }
    if has_server && unpacked.is_some() {
        // A server that a test does not find is then a failure, and no reason to skip.
        command.env("ARENA_NO_SKIP", "1");
    }
    Ok(command)
}

/// The note about tests that were skipped, each of which is a line: its name, a tab, and the command that gets what it needs.
fn note(lines: &str) -> Option<String> {
    let mut commands: Vec<&str> = lines.lines().filter_map(|line| Some(line.split_once('\t')?.1)).collect();
    let skipped = commands.len();
    commands.sort_unstable();
    commands.dedup();
    let tests = if skipped == 1 { "test was" } else { "tests were" };
    (skipped > 0).then(|| format!("{skipped} {tests} skipped. As root:\n  {}", commands.join("\n  ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    #[test]
    fn jobs_run_at_the_same_time_and_all_failures_are_returned() {
        // Each of these waits for the other: in one lane, or one list after the other, they would never end.
        let (here, there) = (Barrier::new(3), |name: &'static str| Err(Error::msg(name)));
        let meet = |name: &'static str| {
            let here = &here;
            Box::new(move || {
                here.wait();
                there(name)
            }) as Job
        };
        let last = Box::new(|| there("last")) as Job;
        let failed = run_jobs([(1, vec![meet("waiting")]), (2, vec![meet("one"), meet("two"), last])]);
        let failed: BTreeSet<String> = failed.iter().map(ToString::to_string).collect();
        assert_eq!(failed.into_iter().collect::<Vec<_>>(), ["last", "one", "two", "waiting"]);
    }

    #[test]
    fn skipped_tests_are_counted_and_say_once_what_they_need() {
        assert_eq!(note(""), None);
        assert_eq!(note("one\tget it\n").unwrap(), "1 test was skipped. As root:\n  get it");
        let lines = "one\tget it\nanother\tget that\na third\tget it\n";
        assert_eq!(note(lines).unwrap(), "3 tests were skipped. As root:\n  get it\n  get that");
    }

    /// The dependencies of some packages with their features, as a build without tests has them: each crate with one that it depends
    /// on, because the same crate may have other features where a macro or a build script uses it.
    fn dependencies(packages: &[&str]) -> BTreeSet<String> {
        let mut command = environment::cargo();
        command.args(["tree", "--locked", "--edges=normal,build", "--prefix=depth", "--format= {p} {f}"]);
        command.args(["--target", "x86_64-unknown-linux-gnu"]).args(packages);
        let tree = step::output("listing dependencies", &mut command).unwrap();
        let mut path: Vec<&str> = Vec::new();
        let edge = |line| {
            let (depth, package): (&str, &str) = str::split_once(line, ' ')?;
            path.truncate(depth.parse().ok()?);
            path.push(package.trim_end_matches(" (*)"));
            Some(path[path.len().saturating_sub(2)..].join(" uses "))
        };
        tree.lines().filter_map(edge).collect()
    }

    #[test]
    fn the_program_and_these_tasks_alone_have_the_dependencies_of_the_whole_workspace() {
        let all = dependencies(&["--workspace"]);
        for package in ["arena", "xtask"] {
            let own = dependencies(&["-p", package]);
            let other: Vec<&String> = own.difference(&all).collect();
            assert!(
                own.len() > 20 && other.is_empty(),
                "with `-p {package}`, these would be compiled a second time, and all that depends on them: {other:#?}\n\
                 ask for the features that they lack in the crate's Cargo.toml"
            );
        }
    }

    #[test]
    fn no_test_may_be_skipped_where_the_server_is() {
        let tests = Tests::of("/target/release/deps/remote-00ff", "/host");
        let [with, without] = [true, false].map(|has_server| {
            let command = command(&tests, Path::new("/skipped"), has_server, Some(Path::new("/unpacked")));
            step::show(&command.unwrap())
        });
        assert!(with.contains("ARENA_NO_SKIP=1") && !without.contains("ARENA_NO_SKIP"), "{with}\n{without}");
        assert!(without.contains("ARENA_SKIPPED=/skipped"), "{without}");
    }
}
