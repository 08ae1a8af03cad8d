//! A gate that bounds the number of admissions at the same time and the memory of their children, lets those who have had
//! their share step aside for newcomers, and ends all of them when it is shut.

use rustix::event::{EventfdFlags, eventfd};
use std::fs;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A gate with a number of places and an amount of memory. Once it is shut, nobody enters any more.
pub(super) struct Gate {
    places: usize,
    memory_bytes: u64,
    state: Mutex<State>,
    changed: Condvar,
    /// Readable once the gate is shut: a bell for those who wait for a child and not for the gate.
    bell: OwnedFd,
}

#[derive(Default)]
struct State {
    inside: usize,
    /// The memory of those inside and of those who have stepped aside.
    reserved_bytes: u64,
    /// The memory of each newcomer who waits.
    waiting: Vec<u64>,
    is_shut: bool,
}

/// A place inside, held until it is dropped.
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
    bytes: u64,
}

impl Gate {
    /// A gate with this number of places. Those inside may take the machine's available memory together, so that greedy
    /// components do not make the system kill processes; but one is always let in.
    pub(super) fn new(places: usize) -> rustix::io::Result<Self> {
        Self::with_memory(places, available_bytes().unwrap_or(u64::MAX))
    }

    fn with_memory(places: usize, memory_bytes: u64) -> rustix::io::Result<Self> {
        Ok(Self {
            places: places.max(1),
            memory_bytes,
            state: Mutex::default(),
            changed: Condvar::new(),
            bell: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, condition: impl FnMut(&mut State) -> bool) -> MutexGuard<'_, State> {
        self.changed.wait_while(self.state(), condition).unwrap_or_else(PoisonError::into_inner)
    }

    fn fits(&self, state: &State, bytes: u64) -> bool {
        state.reserved_bytes == 0 || state.reserved_bytes.saturating_add(bytes) <= self.memory_bytes
    }

    /// True if a newcomer waits for whom there is memory.
    fn newcomer_fits(&self, state: &State) -> bool {
        state.waiting.iter().any(|&bytes| self.fits(state, bytes))
    }

    /// Waits for a place and for this much memory. Returns none once the gate is shut.
    pub(super) fn enter(&self, bytes: u64) -> Option<Pass<'_>> {
        self.state().waiting.push(bytes);
        let mut state = self
            .wait_while(|state| !state.is_shut && (state.inside >= self.places || !self.fits(state, bytes)));
        let mine = state.waiting.iter().position(|&waiting| waiting == bytes).expect("it waits");
        state.waiting.swap_remove(mine);
        if state.is_shut {
            return None;
        }
        state.inside += 1;
        state.reserved_bytes = state.reserved_bytes.saturating_add(bytes);
        // Those who have stepped aside may go on now.
        self.changed.notify_all();
        Some(Pass { gate: self, bytes })
    }

    /// Shuts the gate permanently and rings the bell.
    pub(super) fn shut(&self) {
        self.state().is_shut = true;
        self.changed.notify_all();
        // It needs to be rung once; a second time changes nothing.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }
}

impl Pass<'_> {
    /// The descriptor that becomes readable when the gate is shut.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.gate.bell.as_fd()
    }

    /// True if somebody else could have the place.
    pub(super) fn is_wanted(&self) -> bool {
        self.gate.newcomer_fits(&self.gate.state())
    }

    /// Gives the place away, and waits until no newcomer wants it. The memory stays reserved.
    pub(super) fn step_aside(&mut self) {
        self.gate.state().inside -= 1;
        self.gate.changed.notify_all();
        let mut state = self.gate.wait_while(|state| {
            !state.is_shut && (state.inside >= self.gate.places || self.gate.newcomer_fits(state))
        });
        state.inside += 1;
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let mut state = self.gate.state();
        state.inside -= 1;
        state.reserved_bytes = state.reserved_bytes.saturating_sub(self.bytes);
        drop(state);
        self.gate.changed.notify_all();
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

    const GIB: u64 = 1 << 30;

    fn gate(places: usize, memory_bytes: u64) -> Gate {
        Gate::with_memory(places, memory_bytes).expect("a gate")
    }

    #[test]
    fn no_more_are_inside_than_there_are_places() {
        let gate = gate(2, GIB);
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for round in 0..100 {
                        let mut pass = gate.enter(1).expect("it is open");
                        assert!(inside.fetch_add(1, Ordering::SeqCst) < 2);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        if round % 3 == 0 {
                            pass.step_aside();
                        }
                    }
                });
            }
        });
        let state = gate.state();
        assert_eq!((state.inside, state.reserved_bytes), (0, 0));
    }

    #[test]
    fn those_inside_fit_into_memory_unless_one_is_alone() {
        let gate = gate(9, GIB);
        let greedy = gate.enter(5 * GIB).expect("it is alone");
        thread::scope(|scope| {
            let modest = scope.spawn(|| gate.enter(1).is_some());
            while gate.state().waiting.is_empty() {
                thread::yield_now();
            }
            assert_eq!(gate.state().inside, 1);
            assert!(!greedy.is_wanted(), "it would not help");
            drop(greedy);
            assert!(modest.join().expect("it does not panic"));
        });
        let both = [gate.enter(GIB / 2), gate.enter(GIB / 2)];
        assert!(both.iter().all(Option::is_some));
    }

    #[test]
    fn one_who_steps_aside_goes_on_when_no_newcomer_is_left() {
        let gate = gate(1, GIB);
        let mut slow = gate.enter(1).expect("it is open");
        assert!(!slow.is_wanted());
        thread::scope(|scope| {
            let newcomers: Vec<_> = (0..3).map(|_| scope.spawn(|| gate.enter(1).is_some())).collect();
            while gate.state().waiting.len() < 3 {
                thread::yield_now();
            }
            assert!(slow.is_wanted());
            slow.step_aside();
            assert!(newcomers.into_iter().all(|newcomer| newcomer.join().expect("it does not panic")));
            assert_eq!(gate.state().inside, 1);
        });
    }

    #[test]
    fn all_who_wait_are_turned_away_when_the_gate_is_shut() {
        let gate = gate(1, GIB);
        let pass = gate.enter(1).expect("it is open");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.enter(1).is_none());
            gate.shut();
            assert!(waiting.join().expect("it does not panic"));
        });
        drop(pass);
        assert!(gate.enter(1).is_none());
    }

    #[test]
    fn the_files_of_the_system_are_read() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   22000000 kB\nBuffers:  1 kB\n";
        assert_eq!(meminfo_available(text), Some(22_000_000 << 10));
        assert_eq!(meminfo_available("MemTotal: 1 kB\n"), None);
        assert_eq!(group_path("4:memory:/old\n0::/user.slice/a\n"), Some("/user.slice/a"));
    }
}
