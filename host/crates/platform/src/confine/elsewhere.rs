//! Systems that confine no process: a thread of the child watches its memory and its processor time.

use super::measures::{Gap, Measure, Taken};
use super::{ChildLimits, Purpose};
use crate::child::elsewhere::{MEMORY_USED_UP, TIME_USED_UP};
use cpu_time::ProcessTime;
use std::env::consts::OS;
use std::thread::{self, Builder};
use std::time::Duration;

/// The time between two looks at what this process uses. Chosen: a process that takes all the memory that it can gets some
/// hundred megabytes in it.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Starts the watching thread.
pub(super) fn begin<T>(
    limits: &ChildLimits,
    prepare: impl FnOnce() -> Result<T, String>,
) -> Result<(Vec<Taken>, T), String> {
    let (limits, prepared) = (*limits, prepare()?);
    Builder::new()
        .name("limits".into())
        .spawn(move || watch(&limits))
        .map_err(|error| format!("it cannot limit its memory and time: {error}"))?;
    let taken = Measure::ALL.iter().filter(|measure| !LAST.contains(measure)).map(|&measure| {
        let is_taken = [Measure::ResourceLimits, Measure::ParentDeath].contains(&measure);
        (measure, if is_taken { Ok(()) } else { Err(gap()) })
    });
    Ok((taken.collect(), prepared))
}

/// The measures that Linux takes last.
const LAST: [Measure; 2] = [Measure::Processes, Measure::SystemCalls];

/// Takes nothing more.
pub(super) fn finish(_: Purpose) -> Result<[Taken; 2], String> {
    Ok(LAST.map(|measure| (measure, Err(gap()))))
}

fn gap() -> Gap {
    Gap::new(format!("the arena has no such measure on {OS}"), "run only bots that you trust, or use Linux")
}

/// Ends this process as soon as it has reached a limit, or has lost its parent.
fn watch(limits: &ChildLimits) {
    let bytes_max = limits.address_space_bytes.min(limits.data_bytes);
    loop {
        thread::sleep(LOOK_EVERY);
        if ProcessTime::now().as_duration() >= Duration::from_secs(limits.cpu_seconds) {
            std::process::exit(TIME_USED_UP);
        }
        if memory_stats::memory_stats().is_some_and(|used| used.physical_mem as u64 > bytes_max) {
            std::process::exit(MEMORY_USED_UP);
        }
        // On Windows, the parent's job ends it.
        #[cfg(unix)]
        if rustix::process::getppid().map(rustix::process::Pid::as_raw_pid)
            != i32::try_from(limits.parent).ok()
        {
            std::process::exit(1);
        }
    }
}
