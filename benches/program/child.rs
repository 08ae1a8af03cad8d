//! The built program as a child process, with the resources that it used.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The resources that a run of the program has used.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// The wall-clock time from its start to its end.
    pub time: Duration,
    /// The wall-clock time from its start to its first line on standard output. That is the line of its first game.
    pub first_line: Duration,
    /// The wall-clock time from its start to the last that it printed on standard output.
    pub last_line: Duration,
    /// The processor time of it and of all processes that it started.
    pub processor: Duration,
    /// The largest amount of memory that one of these processes held, in bytes.
    pub memory_bytes_peak: u64,
}

/// The path of the built program.
///
/// # Panics
/// If it has not been built.
pub fn program() -> PathBuf {
    let this = env::current_exe().expect("the system says which file this program is");
    // Cargo builds benchmarks into the folder `deps` next to the program.
    let path = this.ancestors().nth(2).expect("this program is in a target directory").join("arena");
    assert!(path.exists(), "{} is missing: run `cargo xtask bench`", path.display());
    path
}

/// Runs the program to its end with these arguments, and a folder of compiled bots.
///
/// # Panics
/// If it fails.
pub fn run<S: AsRef<OsStr>>(program: &Path, cache: &Path, args: &[S]) -> Usage {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .arg("--cache")
        .arg(cache)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it prints text");
    let first_line = started.elapsed();
    let mut last_line = first_line;
    while let Some(bytes) =
        Some(output.fill_buf().expect("its output can be read").len()).filter(|bytes| *bytes > 0)
    {
        last_line = started.elapsed();
        output.consume(bytes);
    }
    let ended = child.wait4().expect("the child can be waited for");
    let time = started.elapsed();
    assert!(
        ended.status.success(),
        "arena {:?}: {}",
        args.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
        ended.status
    );
    let processor = ended.rusage.utime + ended.rusage.stime;
    Usage { time, first_line, last_line, processor, memory_bytes_peak: ended.rusage.maxrss }
}

/// The largest amount of memory that a running process has held, in bytes.
///
/// # Panics
/// If it has ended.
pub fn memory_bytes_peak(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("this is Linux");
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("it is a number");
    kibibytes << 10
}

/// The processor time of a running process, and that of all processes that it has started.
///
/// # Panics
/// If it has ended.
pub fn processor(id: u32) -> [Duration; 2] {
    // The fields behind the name, which may have spaces.
    let fields = |id: &str| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let fields: Vec<u64> =
            stat.rsplit_once(')')?.1.split_whitespace().map(|it| it.parse().unwrap_or(0)).collect();
        Some(fields)
    };
    let of_process = fields(&id.to_string()).expect("it runs");
    let mut of_children = of_process[13] + of_process[14];
    for entry in fs::read_dir("/proc").expect("this is Linux").flatten() {
        let child = entry.file_name().to_str().and_then(fields);
        let child = child.filter(|fields| fields.len() > 14 && fields[1] == u64::from(id));
        of_children += child.map_or(0, |fields| fields[11] + fields[12] + fields[13] + fields[14]);
    }
    // Linux counts in hundredths of a second for programs, whatever its own clock is.
    [of_process[11] + of_process[12], of_children].map(|hundredths| Duration::from_millis(10 * hundredths))
}

/// Runs several alternatives, interleaved and several times, so that a change of the machine's load affects all of
/// them, and returns the median of each.
pub fn interleaved(rounds: usize, ways: usize, mut run: impl FnMut(usize) -> Usage) -> Vec<Usage> {
    let mut runs = vec![Vec::new(); ways];
    for _ in 0..rounds {
        for (way, runs) in runs.iter_mut().enumerate() {
            runs.push(run(way));
        }
    }
    runs.iter().map(|runs| median(runs)).collect()
}

/// The median of each time, and the largest amount of memory.
fn median(runs: &[Usage]) -> Usage {
    let middle = |field: fn(&Usage) -> Duration| {
        let mut values: Vec<Duration> = runs.iter().map(field).collect();
        values.sort_unstable();
        values[values.len() / 2]
    };
    Usage {
        time: middle(|run| run.time),
        first_line: middle(|run| run.first_line),
        last_line: middle(|run| run.last_line),
        processor: middle(|run| run.processor),
        memory_bytes_peak: runs.iter().map(|run| run.memory_bytes_peak).max().unwrap_or_default(),
    }
}
