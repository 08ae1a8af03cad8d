//! A gate that bounds the number of children that compile at the same time, and ends all of them when it is shut.

use rustix::event::{EventfdFlags, eventfd};
use std::fs;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A gate with a number of places. Once it is shut, nobody enters any more.
pub(super) struct Gate {
    inside_max: usize,
    state: Mutex<State>,
    changed: Condvar,
    /// Readable once the gate is shut: a bell for those who wait for a child and not for the gate.
    bell: OwnedFd,
}

#[derive(Default)]
struct State {
    inside: usize,
    is_shut: bool,
}

/// A place inside, held until it is dropped.
pub(super) struct Pass<'a>(&'a Gate);

impl Gate {
    /// A gate for one child for each worker, each of which may take this much memory. It has no more places than the
    /// machine's available memory is enough for, so that greedy components do not make the system kill processes, but at
    /// least one.
    pub(super) fn new(workers: usize, bytes_each: u64) -> rustix::io::Result<Self> {
        let fitting = available_bytes()
            .map_or(workers, |bytes| usize::try_from(bytes / bytes_each.max(1)).unwrap_or(usize::MAX));
        Ok(Self {
            inside_max: fitting.min(workers).max(1),
            state: Mutex::default(),
            changed: Condvar::new(),
            bell: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place. Returns none once the gate is shut.
    pub(super) fn enter(&self) -> Option<Pass<'_>> {
        let must_wait = |state: &mut State| !state.is_shut && state.inside >= self.inside_max;
        let mut state =
            self.changed.wait_while(self.state(), must_wait).unwrap_or_else(PoisonError::into_inner);
        if state.is_shut {
            return None;
        }
        state.inside += 1;
        Some(Pass(self))
    }

    /// Shuts the gate permanently and rings the bell.
    pub(super) fn shut(&self) {
        self.state().is_shut = true;
        self.changed.notify_all();
        // It needs to be rung once; a second time changes nothing.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    /// The descriptor that becomes readable when the gate is shut.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.state().inside -= 1;
        self.0.changed.notify_one();
    }
}

/// The memory that the machine can give without swapping, but no more than the control group of this process is allowed.
/// `None` if the system does not say.
fn available_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| meminfo_available(&text));
    let group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| {
        let limit = fs::read_to_string(format!("/sys/fs/cgroup{}/memory.max", group_path(&text)?)).ok()?;
        limit.trim().parse().ok()
    });
    [machine, group].into_iter().flatten().min()
}

fn meminfo_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// The path of a process's group in the second version of control groups.
fn group_path(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("0::"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn no_more_are_inside_than_workers_and_memory_allow() {
        let none_fits = Gate::new(7, u64::MAX).expect("a gate");
        assert_eq!(none_fits.inside_max, 1);
        assert_eq!(Gate::new(7, 1).expect("a gate").inside_max, 7);
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let _pass = none_fits.enter().expect("it is open");
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }

    #[test]
    fn those_who_wait_are_turned_away_when_the_gate_is_shut() {
        let gate = Gate::new(1, 1).expect("a gate");
        let pass = gate.enter().expect("it is open");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.enter().is_none());
            gate.shut();
            assert!(waiting.join().expect("it does not panic"));
        });
        drop(pass);
        assert!(gate.enter().is_none());
    }

    #[test]
    fn the_files_of_the_system_are_read() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   22000000 kB\nBuffers:  1 kB\n";
        assert_eq!(meminfo_available(text), Some(22_000_000 << 10));
        assert_eq!(meminfo_available("MemTotal: 1 kB\n"), None);
        assert_eq!(group_path("4:memory:/old\n0::/user.slice/a\n"), Some("/user.slice/a"));
    }
}
