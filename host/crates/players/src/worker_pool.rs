//! A pool of workers that delivers its results in order, regardless of the order in which they are ready.

#[cfg(test)]
mod tests;

use arena_referee::HostError;
use arena_resources::{Fewer, NewThread, note_fewer};
use arena_sandbox::STACK_BYTES;
use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The number of items that the work may run ahead of the deliveries, for each worker. Chosen: a slow item does not hold
/// up others for long, and a hundred thousand results never wait in memory behind one.
const LEAD_PER_WORKER: usize = 128;

/// The number of results that are delivered at once without waiting for more. Chosen: half of what one worker may run
/// ahead, so that it works on meanwhile. Measured: a transaction costs some 100 µs in addition to its games.
const BATCH: usize = 64;

/// The longest time that a result waits for others to be delivered with it. Chosen: too short to notice.
const BATCH_WAIT: Duration = Duration::from_millis(50);

/// The result of an item, or the message of the panic that ended it. A panic is a failure of the arena.
pub type ItemResult<T> = Result<T, String>;

/// Returns the result of an item that could fail by itself; a panic counts as such a failure.
///
/// # Errors
/// The failure of the item, or the panic.
pub fn settled<T>(worked: ItemResult<Result<T, HostError>>) -> Result<T, HostError> {
    worked.unwrap_or_else(|panic| Err(HostError::Panic(panic.into())))
}

/// Works on the items `0..count` with this number of workers and delivers the results in order, on the calling thread.
///
/// After `deliver` breaks, no further item is started, and those that were started are not delivered. After `stop` returns
/// true, no further item is started, and all that were started are delivered. A panic in `work` only affects the result of
/// that item.
///
/// With fewer threads than workers, the work goes on with those that the system gives, or else on the calling thread.
pub fn in_order<T: Send>(
    workers: usize,
    count: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(usize) -> T + Sync,
    mut deliver: impl FnMut(usize, ItemResult<T>) -> ControlFlow<()>,
) {
    let one_by_one = |items: &WorkerItems<'_, T>| {
        while let Some(item) = items.take() {
            items.put(item, caught(|| work(item)));
        }
    };
    by_workers(workers, count, stop, one_by_one, |first, batch| {
        (first..).zip(batch).try_for_each(|(item, result)| deliver(item, result))
    });
}

/// The workers of a pool.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// 0 if the calling thread is the only one.
    workers: usize,
    /// The number of items that the work may run ahead, if it is more than the default.
    lead: &'a (dyn Fn() -> usize + Sync),
}

impl From<usize> for Workers<'_> {
    /// This number of workers, each of which works on one item at a time.
    fn from(workers: usize) -> Self {
        Self { workers: workers.max(1), lead: &|| 0 }
    }
}

impl<'a> Workers<'a> {
    /// The calling thread alone, for work that takes next to no time: no thread is started for it.
    pub fn here() -> Self {
        Self { workers: 0, lead: &|| 0 }
    }

    /// The same workers. They may run ahead by this number of items if that is more than the default: it is called each
    /// time.
    #[must_use]
    pub fn ahead(self, lead: &'a (dyn Fn() -> usize + Sync)) -> Self {
        Self { lead, ..self }
    }
}

/// The same as [`in_order`], with workers that take several items, and with all consecutive results that are ready at once. `work` gets
/// the items, and ends when no item is left; items that it took without putting a result fail. `deliver` gets the number of the first item
/// that is ready, and the results from there on.
pub fn by_workers<'a, T: Send>(
    workers_of: impl Into<Workers<'a>>,
    count: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(&WorkerItems<'_, T>) + Sync,
    mut deliver: impl FnMut(usize, Vec<ItemResult<T>>) -> ControlFlow<()>,
) {
    let Workers { workers, lead } = workers_of.into();
    let workers = workers.min(count);
    let pool = Pool::new(count, workers.max(1) * LEAD_PER_WORKER, lead);
    thread::scope(|scope| {
        // However this ends, no worker is left waiting for an item.
        let _close = OnDrop(|| pool.close());
        let mut started = 0;
        while started < workers {
            let (pool, stop, work) = (&pool, &stop, &work);
            pool.lock().working += 1;
            let worker = move || {
                let _leave = OnDrop(|| pool.leave());
                work_on(pool, true, stop, work);
            };
            let thread = NewThread::named("worker").numbered(started as u64 + 1).with_stack(STACK_BYTES);
            if let Err(why) = thread.start_in(scope, worker) {
                pool.leave();
                note_fewer(Fewer { what: "threads", asked: workers, got: started, why });
                break;
            }
            started += 1;
        }
        loop {
            if started == 0 {
                work_on(&pool, false, &stop, &work);
            }
            let Some((first, batch)) = pool.collect() else { return };
            let next = first + batch.len();
            if deliver(first, batch).is_break() {
                return;
            }
            pool.delivered(next);
        }
    });
}

/// Works as one worker, until no item is left for it, or, unless it `waits`, none that it may take at the moment.
fn work_on<T>(
    pool: &Pool<'_, T>,
    waits: bool,
    stop: &(dyn Fn() -> bool + Sync),
    work: &impl Fn(&WorkerItems<'_, T>),
) {
    let items = WorkerItems { pool, waits, stop, held: RefCell::default() };
    let ended = caught(|| work(&items));
    let why = ended.err().unwrap_or_else(|| "a worker has left it".into());
    items.held.take().into_iter().for_each(|item| items.give(item, Err(why.clone())));
}

/// Returns the result of some work, or the message of its panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> ItemResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(panic_message)
}

/// The items as one worker takes them and puts their results.
pub struct WorkerItems<'a, T> {
    pool: &'a Pool<'a, T>,
    /// True if it may wait for deliveries, which another thread makes.
    waits: bool,
    stop: &'a (dyn Fn() -> bool + Sync),
    /// The items that were taken and not put.
    held: RefCell<Vec<usize>>,
}

impl<T> WorkerItems<'_, T> {
    /// The next item; `None` when the worker is to leave. It waits until the item may be taken, except on the thread that delivers.
    pub fn take(&self) -> Option<usize> {
        self.hold(self.pool.take(self.waits, self.stop))
    }

    /// The next item, if it may be taken now.
    pub fn take_now(&self) -> Option<usize> {
        self.hold(self.pool.take(false, self.stop))
    }

    /// True if no further item is to be taken: after a stop, or when results are not delivered any more.
    pub fn is_over(&self) -> bool {
        self.pool.lock().closed || (self.stop)()
    }

    /// The number of items that are not taken yet.
    pub fn left(&self) -> usize {
        self.pool.count - self.pool.lock().next
    }

    /// Puts the result of an item that was taken.
    pub fn put(&self, item: usize, result: ItemResult<T>) {
        self.held.borrow_mut().retain(|&held| held != item);
        self.give(item, result);
    }

    fn hold(&self, item: Option<usize>) -> Option<usize> {
        self.held.borrow_mut().extend(item);
        item
    }

    fn give(&self, item: usize, result: ItemResult<T>) {
        if self.pool.lock().put(item, result) {
            self.pool.ready.notify_one();
        }
    }
}

/// The items and their results, between the workers and the thread that delivers.
struct Pool<'a, T> {
    count: usize,
    /// The number of items that may be taken before the first of them has been delivered, if the workers' own number is
    /// not larger.
    lead_max: usize,
    lead: &'a (dyn Fn() -> usize + Sync),
    queue: Mutex<PoolState<T>>,
    /// Notified when items may be taken.
    room: Condvar,
    /// Notified when results may be collected.
    ready: Condvar,
}

/// The state of a [`Pool`].
struct PoolState<T> {
    /// The next item to be taken.
    next: usize,
    /// The results that have not been collected, by item; `None` where a result is not ready.
    results: VecDeque<Option<ItemResult<T>>>,
    /// The item of the first of them.
    first: usize,
    /// The number of results at the front of them that are ready.
    in_row: usize,
    /// The number of items that have been delivered.
    delivered: usize,
    /// The number of workers that take items or work on one.
    working: usize,
    closed: bool,
}

impl<'a, T> Pool<'a, T> {
    fn new(count: usize, lead_max: usize, lead: &'a (dyn Fn() -> usize + Sync)) -> Self {
        let queue = PoolState {
            next: 0,
            results: VecDeque::new(),
            first: 0,
            in_row: 0,
            delivered: 0,
            working: 0,
            closed: false,
        };
        Self { count, lead_max, lead, queue: Mutex::new(queue), room: Condvar::new(), ready: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, PoolState<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next item for a worker; `None` when it is to leave, or would have to wait and may not.
    fn take(&self, may_wait: bool, stop: impl Fn() -> bool) -> Option<usize> {
        let lead = self.lead_max.max((self.lead)());
        let must_wait = |queue: &mut PoolState<T>| {
            !queue.closed && queue.next < self.count && queue.next >= queue.delivered + lead
        };
        let mut queue = self.lock();
        if may_wait {
            queue = self.room.wait_while(queue, must_wait).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.closed || queue.next >= self.count || must_wait(&mut queue) || stop() {
            return None;
        }
        queue.next += 1;
        Some(queue.next - 1)
    }

    /// The next consecutive results, and the item of the first one; `None` when all have been collected. It waits for
    /// them.
    fn collect(&self) -> Option<(usize, Vec<ItemResult<T>>)> {
        let nothing = |queue: &mut PoolState<T>| queue.in_row == 0 && queue.working > 0;
        let queue = self.ready.wait_while(self.lock(), nothing).unwrap_or_else(PoisonError::into_inner);
        let few = |queue: &mut PoolState<T>| queue.in_row < BATCH && queue.working > 0;
        let (mut queue, _) =
            self.ready.wait_timeout_while(queue, BATCH_WAIT, few).unwrap_or_else(PoisonError::into_inner);
        let (first, in_row) = (queue.first, mem::take(&mut queue.in_row));
        queue.first += in_row;
        let batch: Vec<_> = queue.results.drain(..in_row).flatten().collect();
        (!batch.is_empty()).then_some((first, batch))
    }

    fn delivered(&self, items: usize) {
        self.lock().delivered = items;
        self.room.notify_all();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.room.notify_all();
    }

    fn leave(&self) {
        self.lock().working -= 1;
        self.ready.notify_one();
    }
}

impl<T> PoolState<T> {
    /// Puts the result of an item in its place. Returns true if the delivering thread may wait for it.
    fn put(&mut self, item: usize, result: ItemResult<T>) -> bool {
        let place = item - self.first;
        if self.results.len() <= place {
            self.results.resize_with(place + 1, || None);
        }
        self.results[place] = Some(result);
        let before = self.in_row;
        while self.results.get(self.in_row).is_some_and(Option::is_some) {
            self.in_row += 1;
        }
        (before == 0 && self.in_row > 0) || (before < BATCH && self.in_row >= BATCH)
    }
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
