//! A queue that bounds the number of admissions at the same time and the memory of their children, lets long admissions
//! yield to others, and ends all of them when it is closed.
//!
//! It is a multilevel feedback queue: a newcomer has level 0, an admission that has used much time has a higher one, and a
//! free slot goes to the lowest level that waits for it.

use crate::meter::Meter;
use arena_platform::machine::available_bytes;
use arena_platform::pipes::Bell;
use arena_referee::HostError;
use arena_resources::{Fewer, note_fewer};
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue with a number of slots and an amount of memory. After it is closed, it gives out no further slot.
pub(super) struct Queue {
    memory_bytes: u64,
    state: Mutex<State>,
    changed: Condvar,
    /// Rung once the queue is closed, for callers that wait for a child and not for the queue.
    bell: Bell,
}

#[derive(Default)]
struct State {
    /// The number of slots, which is lowered when the system has no room for so many.
    places: usize,
    inside: usize,
    /// The memory of the admissions with a slot and of those that have yielded.
    reserved_bytes: u64,
    /// Those who wait for a place.
    waiting: Vec<Waiting>,
    is_closed: bool,
}

/// An admission that waits for a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Waiting {
    level: u32,
    /// The memory to be reserved; `None` when it is reserved already.
    bytes: u64,
}

/// A place inside, held until it is dropped.
pub(crate) struct Slot<'a> {
    queue: &'a Queue,
    bytes: u64,
    has_place: bool,
    /// The processor time of its children.
    meter: Meter,
}

impl Queue {
    /// A queue with this number of slots. The admissions with a slot may take the machine's available memory together,
    /// so that greedy components do not make the system kill processes; but one is always let in.
    pub(super) fn new(places: usize) -> io::Result<Self> {
        Self::with_memory(places, available_bytes().unwrap_or(u64::MAX))
    }

    fn with_memory(places: usize, memory_bytes: u64) -> io::Result<Self> {
        Ok(Self {
            memory_bytes,
            state: Mutex::new(State { places: places.max(1), ..State::default() }),
            changed: Condvar::new(),
            bell: Bell::new()?,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fits(&self, state: &State, bytes: u64) -> bool {
        let is_alone = state.reserved_bytes == 0;
        bytes == 0 || is_alone || state.reserved_bytes.saturating_add(bytes) <= self.memory_bytes
    }

    /// True if an admission of a lower level waits and could have a slot.
    fn comes_after_others(&self, state: &State, level: u32) -> bool {
        state.waiting.iter().any(|other| other.level < level && self.fits(state, other.bytes))
    }

    /// Waits for a slot, or until the queue is closed. Returns true if it is open, and there is a slot.
    fn wait_for_place(&self, mut state: MutexGuard<'_, State>, mine: Waiting) -> bool {
        state.waiting.push(mine);
        let must_wait = |state: &mut State| {
            !state.is_closed
                && (state.inside >= state.places
                    || !self.fits(state, mine.bytes)
                    || self.comes_after_others(state, mine.level))
        };
        let mut state = self.changed.wait_while(state, must_wait).unwrap_or_else(PoisonError::into_inner);
        let at = state.waiting.iter().position(|waiting| *waiting == mine).expect("it waits");
        state.waiting.swap_remove(at);
        let is_open = !state.is_closed;
        state.inside += usize::from(is_open);
        state.reserved_bytes = state.reserved_bytes.saturating_add(if is_open { mine.bytes } else { 0 });
        drop(state);
        // Later admissions may continue now.
        self.changed.notify_all();
        is_open
    }

    /// Waits for a slot and for this much memory. Returns `None` when the queue is closed.
    pub(super) fn enter(&self, bytes: u64) -> Option<Slot<'_>> {
        let has_place = self.wait_for_place(self.state(), Waiting { level: 0, bytes });
        has_place.then(|| Slot { queue: self, bytes, has_place, meter: Meter::default() })
    }

    /// Shuts the gate permanently and rings the bell.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
        self.bell.ring();
    }
}

impl Slot<'_> {
    /// The same slot, whose children count in this meter.
    pub(super) fn metered(mut self, meter: &Meter) -> Self {
        self.meter = meter.clone();
        self
    }

    /// The meter of its children.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The bell that rings when the queue is closed.
    pub(super) fn bell(&self) -> &Bell {
        &self.queue.bell
    }

    /// True if an admission of a lower level could have the slot.
    pub(super) fn is_wanted(&self, level: u32) -> bool {
        self.queue.comes_after_others(&self.queue.state(), level)
    }

    /// Gives the slot away, and waits until there is one again that no lower level waits for. The memory stays
    /// reserved. Returns false if the queue was closed.
    pub(super) fn step_aside(&mut self, level: u32) -> bool {
        let mut state = self.queue.state();
        // It waits from the moment in which its slot is free, or else an admission of a higher level could take it in
        // between.
        state.inside -= 1;
        self.queue.changed.notify_all();
        self.has_place = self.queue.wait_for_place(state, Waiting { level, bytes: 0 });
        self.has_place
    }

    /// After the system has refused a child: takes this slot out of use, and waits for another one. The memory stays reserved.
    pub(super) fn make_do(&mut self, why: &HostError) -> MadeDo {
        let mut state = self.queue.state();
        if state.inside <= 1 {
            return MadeDo::Alone;
        }
        let (asked, got) = (state.places, state.inside - 1);
        note_fewer(Fewer { what: "compilers at a time", asked, got, why: why.clone() });
        (state.places, state.inside) = (got, got);
        self.has_place = self.queue.wait_for_place(state, Waiting { level: 0, bytes: 0 });
        if self.has_place { MadeDo::Again } else { MadeDo::Closed }
    }
}

/// The consequence of a child that the system has refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MadeDo {
    /// Another child has ended, and it can be tried again.
    Again,
    /// There was no other child.
    Alone,
    /// The queue was closed.
    Closed,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.inside -= usize::from(self.has_place);
        state.reserved_bytes = state.reserved_bytes.saturating_sub(self.bytes);
        drop(state);
        self.queue.changed.notify_all();
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    const GIB: u64 = 1 << 30;

    fn queue(places: usize, memory_bytes: u64) -> Queue {
        Queue::with_memory(places, memory_bytes).expect("a queue")
    }

    /// The slots of a queue, and those in use.
    fn slots(queue: &Queue) -> (usize, usize) {
        let state = queue.state();
        (state.places, state.inside)
    }

    #[test]
    fn a_slot_that_the_system_has_no_room_for_is_used_no_more() {
        let queue = queue(2, GIB);
        let (mut one, other) = (queue.enter(1).unwrap(), queue.enter(1).unwrap());
        let full = HostError::Machine("full".into());
        thread::scope(|scope| {
            let made_do = scope.spawn(|| (one.make_do(&full), one));
            // It waits without its slot until the other one has ended.
            while queue.state().waiting.is_empty() {
                thread::yield_now();
            }
            assert_eq!(slots(&queue), (1, 1));
            drop(other);
            let (made_do, mut one) = made_do.join().unwrap();
            assert_eq!(made_do, MadeDo::Again);
            assert_eq!(one.make_do(&full), MadeDo::Alone, "with one child, no other is waited for");
        });
        assert_eq!(slots(&queue), (1, 0));
    }

    #[test]
    fn a_slot_that_the_system_has_no_room_for_is_given_up_when_the_queue_is_closed() {
        let queue = queue(2, GIB);
        let (mut one, _other) = (queue.enter(1).unwrap(), queue.enter(1).unwrap());
        queue.close();
        assert_eq!(one.make_do(&HostError::Machine("full".into())), MadeDo::Closed);
    }

    #[test]
    fn no_more_are_inside_than_there_are_places() {
        let queue = queue(2, GIB);
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for round in 0..100 {
                        let mut slot = queue.enter(1).expect("it is open");
                        assert!(inside.fetch_add(1, Ordering::SeqCst) < 2);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        if round % 3 == 0 {
                            assert!(slot.step_aside(round % 4));
                        }
                    }
                });
            }
        });
        let state = queue.state();
        assert_eq!((state.inside, state.reserved_bytes), (0, 0));
    }

    #[test]
    fn those_inside_fit_into_memory_unless_one_is_alone() {
        let queue = queue(9, GIB);
        let greedy = queue.enter(5 * GIB).expect("it is alone");
        thread::scope(|scope| {
            let modest = scope.spawn(|| queue.enter(1).is_some());
            while queue.state().waiting.is_empty() {
                thread::yield_now();
            }
            assert_eq!(queue.state().inside, 1);
            assert!(!greedy.is_wanted(1), "it would not help");
            drop(greedy);
            assert!(modest.join().expect("it does not panic"));
        });
        let both = [queue.enter(GIB / 2), queue.enter(GIB / 2)];
        assert!(both.iter().all(Option::is_some));
    }

    #[test]
    fn a_slot_that_was_given_away_returns_when_no_lower_level_waits() {
        let queue = queue(1, GIB);
        let mut slow = queue.enter(1).expect("it is open");
        assert!(!slow.is_wanted(1));
        let order = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for newcomer in 0..3 {
                let (queue, order) = (&queue, &order);
                scope.spawn(move || {
                    let mut slot = queue.enter(1).expect("it is open");
                    if newcomer == 0 {
                        assert!(slot.step_aside(2));
                        order.lock().expect("no thread panics").push("slower");
                    } else {
                        order.lock().expect("no thread panics").push("quick");
                    }
                });
            }
            while queue.state().waiting.len() < 3 {
                thread::yield_now();
            }
            assert!(slow.is_wanted(1) && !slow.is_wanted(0));
            assert!(slow.step_aside(1));
            order.lock().expect("no thread panics").push("slow");
            drop(slow);
        });
        assert_eq!(order.into_inner().expect("no thread panics"), ["quick", "quick", "slow", "slower"]);
    }

    #[test]
    fn all_who_wait_are_turned_away_when_the_gate_is_shut() {
        let queue = queue(1, GIB);
        let slot = queue.enter(1).expect("it is open");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| queue.enter(1).is_none());
            queue.close();
            assert!(waiting.join().expect("it does not panic"));
        });
        drop(slot);
        assert!(queue.enter(1).is_none());
    }
}
