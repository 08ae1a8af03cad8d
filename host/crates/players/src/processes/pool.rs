//! Processes with the same bots and the same session, which wait for orders.

use super::connection::Connection;
use super::protocol::{Session, frame};
use arena_referee::HostError;
use arena_rules::GameRules;
use arena_sandbox::{Bot, Sandbox};
use arena_system::{Fewer, NewThread, note_fewer};
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// The number of processes that an order may cost when it is the only one in them. Chosen: a machine that is short of memory ends
/// one or two.
pub const TRIES_MAX: u32 = 3;

/// The time that a process may take for an order in addition to that of its bots. Chosen: it takes next to none.
const MARGIN: Duration = Duration::from_secs(60);

/// Processes with the same bots and the same session.
pub struct Pool {
    sandbox: Sandbox,
    bots: Vec<Bot>,
    /// The rules of its games, which have the component of a loaded game.
    rules: GameRules,
    /// The first frame for each process.
    session: Vec<u8>,
    /// The time after which a process that has one order is given up.
    order_max: Duration,
    /// The processes that are idle.
    idle: Mutex<Vec<Connection>>,
    /// A token of which each process has a clone.
    alive: Arc<()>,
}

impl Pool {
    /// A pool without processes, for bots of a sandbox. `bots_max` is the longest time that bots may take for an order.
    pub fn new(sandbox: &Sandbox, bots: Vec<Bot>, session: &Session, bots_max: Duration) -> Self {
        Self {
            sandbox: sandbox.clone(),
            bots,
            rules: session.rules.clone(),
            session: frame(&serde_json::to_vec(session).expect("a session is plain data")),
            order_max: bots_max.saturating_add(MARGIN),
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
        let idle = self.idle().pop();
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
        now.checked_add(self.order_max).unwrap_or_else(|| now + Duration::from_secs(1 << 30))
    }

    /// Has an order carried out. If the process ends before that, another process starts from the beginning.
    ///
    /// # Errors
    /// A failure of the arena: among others, the order costs [`TRIES_MAX`] processes.
    pub fn carry_out<T>(
        &self,
        order: &[u8],
        hear: impl Fn(&RefCell<Connection>) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let mut tries = 0;
        loop {
            let connection = RefCell::new(self.take()?);
            let sent = connection.borrow_mut().send(order);
            let heard = sent.and_then(|()| hear(&connection));
            let connection = connection.into_inner();
            let is_broken = connection.is_broken;
            match heard {
                Ok(heard) => {
                    self.give_back(connection);
                    return Ok(heard);
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
        let game = arena_game_component::component(&self.rules).transpose();
        let game = game.map_err(HostError::from)?;
        let bots: Vec<&Bot> = self.bots.iter().collect();
        let process = self.sandbox.start(&bots, game.as_ref())?;
        let mut connection = Connection::new(process, self.deadline(), Arc::clone(&self.alive));
        // A process that has ended already fails like one that ends later: with its first order.
        let _ = connection.send(&self.session);
        Ok(connection)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
