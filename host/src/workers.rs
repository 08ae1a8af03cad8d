//! A pool of workers that delivers its results in order, in whatever order they are ready.

use arena_referee::HostError;
use std::any::Any;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::sync_channel;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// The number of items that the work may run ahead of the deliveries, for each worker. Chosen: a slow item holds up nobody
/// for long, and a hundred thousand results never wait in memory behind one.
const LEAD_PER_WORKER: usize = 64;

/// The stack of a worker, in bytes. Chosen: wasm may use 512 KiB of it, and the host's own calls need room beside that.
const STACK_BYTES: usize = 4 << 20;

/// The result of an item, or the message of the panic that ended it, which is a failure of ours.
pub type Worked<T> = Result<T, String>;

/// Returns the result of an item that could fail by itself; a panic counts as such a failure.
///
/// # Errors
/// The failure of the item, or the panic.
pub fn settled<T>(worked: Worked<Result<T, HostError>>) -> Result<T, HostError> {
    worked.unwrap_or_else(|panic| Err(HostError(format!("a panic: {panic}"))))
}

/// The queue of items: the next one to be taken, and the number of those delivered.
#[derive(Default)]
struct Queue {
    next: usize,
    delivered: usize,
    closed: bool,
}

/// Works on the items `0..count` with this number of workers and delivers the results in order, on the calling thread.
///
/// After `deliver` breaks, no further item is started, and those that were started are not delivered. After `stop` returns
/// true, no further item is started, and all that were started are delivered. A panic in `work` is the result of that item
/// alone.
pub fn in_order<T: Send>(
    workers: usize,
    count: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(usize) -> T + Sync,
    mut deliver: impl FnMut(usize, Worked<T>) -> ControlFlow<()>,
) {
    let workers = workers.clamp(1, count.max(1));
    let lead_max = workers * LEAD_PER_WORKER;
    let queue = Mutex::new(Queue::default());
    let changed = Condvar::new();
    let take = || {
        let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        let must_wait = |queue: &mut Queue| {
            !queue.closed && queue.next < count && queue.next >= queue.delivered + lead_max
        };
        let mut queue = changed.wait_while(queue, must_wait).unwrap_or_else(PoisonError::into_inner);
        if queue.closed || queue.next >= count || stop() {
            return None;
        }
        queue.next += 1;
        Some(queue.next - 1)
    };
    let change = |change: &dyn Fn(&mut Queue)| {
        change(&mut queue.lock().unwrap_or_else(PoisonError::into_inner));
        changed.notify_all();
    };
    thread::scope(|scope| {
        // However this ends, no worker is left waiting for an item.
        let _close = OnDrop(|| change(&|queue| queue.closed = true));
        let (results, inbox) = sync_channel(workers);
        for number in 0..workers {
            let results = results.clone();
            let (take, work) = (&take, &work);
            let worker = move || {
                while let Some(item) = take() {
                    let result = catch_unwind(AssertUnwindSafe(|| work(item))).map_err(panic_message);
                    if results.send((item, result)).is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new()
                .name(format!("worker {}", number + 1))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, worker)
                .expect("the system gives a thread");
        }
        drop(results);
        let mut early = BTreeMap::new();
        let mut next = 0;
        // By value, so that no worker waits to send after a break.
        for (item, result) in inbox {
            early.insert(item, result);
            while let Some(result) = early.remove(&next) {
                if deliver(next, result).is_break() {
                    return;
                }
                next += 1;
                change(&|queue| queue.delivered = next);
            }
        }
    });
}

struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

fn panic_message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn collect(
        workers: usize,
        count: usize,
        work: impl Fn(usize) -> usize + Sync,
    ) -> Vec<(usize, Worked<usize>)> {
        let mut all = Vec::new();
        in_order(
            workers,
            count,
            || false,
            work,
            |item, result| {
                all.push((item, result));
                ControlFlow::Continue(())
            },
        );
        all
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        for workers in [1, 2, 7] {
            let expected: Vec<_> = (0..1_000).map(|item| (item, Ok(item * 2))).collect();
            // The early items take longest, so that the late ones overtake them.
            let work = |item: usize| {
                (0..(1_000 - item) * 10).for_each(|n| _ = std::hint::black_box(n));
                item * 2
            };
            assert_eq!(collect(workers, 1_000, work), expected);
        }
    }

    #[test]
    fn no_items_are_no_work() {
        assert_eq!(collect(3, 0, |item| item), []);
    }

    #[test]
    fn a_panic_is_the_result_of_its_item_alone() {
        let results = collect(2, 5, |item| if item == 2 { panic!("item {item}") } else { item });
        let expected = [(0, Ok(0)), (1, Ok(1)), (2, Err("item 2".into())), (3, Ok(3)), (4, Ok(4))];
        assert_eq!(results, expected);
    }

    #[test]
    fn after_a_stop_everything_started_is_delivered_and_nothing_else_is_started() {
        let started = AtomicUsize::new(0);
        let mut delivered = 0;
        let work = |_| started.fetch_add(1, Ordering::SeqCst);
        let stop = || started.load(Ordering::SeqCst) >= 10;
        in_order(3, 1_000, stop, work, |item, _| {
            assert_eq!(item, delivered);
            delivered += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(delivered, started.into_inner());
        assert!(delivered < 20);
    }

    #[test]
    fn after_a_break_nothing_else_is_started_and_nobody_keeps_waiting() {
        let started = AtomicUsize::new(0);
        in_order(
            4,
            100_000,
            || false,
            |_| started.fetch_add(1, Ordering::SeqCst),
            |item, _| {
                if item == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert!(started.into_inner() <= 5 + 4 * LEAD_PER_WORKER + 4 + 1);
    }

    #[test]
    fn work_does_not_run_far_ahead_of_a_slow_item() {
        let first_is_done = Mutex::new(false);
        let ahead = AtomicUsize::new(0);
        let work = |item: usize| {
            if item == 0 {
                while ahead.load(Ordering::SeqCst) < LEAD_PER_WORKER {
                    thread::yield_now();
                }
                *first_is_done.lock().unwrap() = true;
            } else if !*first_is_done.lock().unwrap() {
                ahead.fetch_add(1, Ordering::SeqCst);
            }
            item
        };
        assert_eq!(collect(2, 10_000, work).len(), 10_000);
        assert!(ahead.into_inner() <= 2 * LEAD_PER_WORKER);
    }
}
