//! Processes with the same task, which wait for orders.

use super::connection::{Connection, frame};
use super::parent::Process;
use arena_referee::HostError;
use arena_resources::{Fewer, NewThread, note_fewer};
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// The number of processes that an order may cost when it is the only one in them. Chosen: a machine that is short of memory ends
/// one or two.
pub const TRIES_MAX: u32 = 3;

/// Processes with the same task. All of them are equal: each order has any idle one, or a new one.
pub struct Pool {
    /// Starts a process.
    start: Box<dyn Fn() -> Result<Process, HostError> + Send + Sync>,
    /// The first frame for each process.
    task: Vec<u8>,
    limits: PoolLimits,
    /// The processes that are idle.
    idle: Mutex<Vec<Connection>>,
    /// A token of which each process has a clone.
    alive: Arc<()>,
}

/// The limits of an order.
#[derive(Clone, Copy, Debug)]
pub struct PoolLimits {
    /// The time after which a process that has one order is given up.
    pub order_max: Duration,
    /// The longest message of a process, in bytes.
    pub message_bytes_max: usize,
}

impl Pool {
    /// A pool without processes. `start` starts one, which first gets a frame with this task.
    pub fn new(
        start: impl Fn() -> Result<Process, HostError> + Send + Sync + 'static,
        task: &[u8],
        limits: PoolLimits,
    ) -> Self {
        Self {
            start: Box::new(start),
            task: frame(task),
            limits,
            idle: Mutex::default(),
            alive: Arc::default(),
        }
    }

    /// Starts this number of processes at once, or as many as the system has room for.
    ///
    /// # Errors
    /// A failure of the arena: the first one cannot be started.
    pub fn start(&self, number: usize) -> Result<(), HostError> {
        let started: Vec<Result<Connection, HostError>> = thread::scope(|scope| {
            let start = |_| NewThread::named("start").start_in(scope, || self.fresh());
            let starting: Vec<_> = (1..number).map(start).collect();
            let mut started = vec![self.fresh()];
            let join = |thread: Result<ScopedJoinHandle<'_, _>, HostError>| {
                thread?.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            started.extend(starting.into_iter().map(join));
            started
        });
        let mut failed = None;
        let mut ready = Vec::with_capacity(number);
        for process in started {
            match process {
                Ok(process) => ready.push(process),
                Err(why) => failed = failed.or(Some(why)),
            }
        }
        if ready.is_empty() && number > 1 {
            // They may have kept each other from starting.
            ready.push(self.fresh()?);
        }
        match failed {
            Some(why) if ready.is_empty() => return Err(why),
            Some(why) => {
                note_fewer(Fewer { what: "processes for games", asked: number, got: ready.len(), why })
            }
            None => {}
        }
        self.idle().extend(ready);
        Ok(())
    }

    /// True if it has a process, idle or not.
    pub fn has_process(&self) -> bool {
        Arc::strong_count(&self.alive) > 1
    }

    /// A process: an idle one, or else a new one.
    ///
    /// # Errors
    /// A failure of the arena: it cannot be started.
    pub fn take(&self) -> Result<Connection, HostError> {
        self.take_or(None)
    }

    /// The same, and if it is idle, the process with this number.
    fn take_or(&self, preferred: Option<u32>) -> Result<Connection, HostError> {
        let idle = {
            let mut idle = self.idle();
            let last = idle.len().checked_sub(1);
            let is_preferred = |it: &Connection| preferred.is_some() && it.process_id() == preferred;
            idle.iter().position(is_preferred).or(last).map(|place| idle.swap_remove(place))
        };
        let mut connection = idle.map_or_else(|| self.fresh(), Ok)?;
        connection.deadline = self.deadline();
        Ok(connection)
    }

    /// Takes an idle process back.
    pub fn give_back(&self, connection: Connection) {
        if !connection.is_broken {
            self.idle().push(connection);
        }
    }

    /// The moment at which a process that gets an order now is given up.
    pub fn deadline(&self) -> Instant {
        let now = Instant::now();
        // A time that is too long for the system is never reached.
        now.checked_add(self.limits.order_max).unwrap_or_else(|| now + Duration::from_secs(1 << 30))
    }

    /// Has an order carried out by a process, if possible by the one with this number. `work` sends it, and hears the answers. If the
    /// process ends before that, another process starts from the beginning.
    ///
    /// # Errors
    /// A failure of the arena: among others, the order costs [`TRIES_MAX`] processes.
    pub fn carry_out<T>(
        &self,
        preferred: Option<u32>,
        mut work: impl FnMut(&RefCell<Connection>) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let mut tries = 0;
        loop {
            let connection = RefCell::new(self.take_or(preferred)?);
            let done = work(&connection);
            let connection = connection.into_inner();
            let is_broken = connection.is_broken;
            match done {
                Ok(done) => {
                    self.give_back(connection);
                    return Ok(done);
                }
                Err(error) if is_broken => {
                    tries += 1;
                    if tries == TRIES_MAX {
                        return Err(error.with_note(format!("{tries} times")));
                    }
                }
                // Its remaining messages are unknown.
                Err(error) => return Err(error),
            }
        }
    }

    fn fresh(&self) -> Result<Connection, HostError> {
        let process = (self.start)()?;
        let mut connection = Connection::new(process, self.limits.message_bytes_max, self.deadline());
        connection.alive = Some(Arc::clone(&self.alive));
        // A process that has ended already fails like one that ends later: with its first order.
        let _ = connection.send(&self.task);
        Ok(connection)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
