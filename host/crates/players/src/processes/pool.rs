//! Processes with the same bots and the same session, which wait for orders.

use super::connection::Connection;
use super::protocol::{Session, frame};
use arena_referee::HostError;
use arena_rules::GameRules;
use arena_sandbox::{Bot, Sandbox};
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
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
        }
    }

    /// Starts this number of processes at once.
    ///
    /// # Errors
    /// A failure of the arena: one cannot be started.
    pub fn start(&self, number: usize) -> Result<(), HostError> {
        let started: Result<Vec<Connection>, HostError> = thread::scope(|scope| {
            let starting: Vec<_> = (0..number).map(|_| scope.spawn(|| self.fresh())).collect();
            let join =
                |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            starting.into_iter().map(join).collect()
        });
        self.idle().extend(started?);
        Ok(())
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
        let mut connection = Connection::new(self.sandbox.start(&bots, game.as_ref())?, self.deadline());
        // A process that has ended already fails like one that ends later: with its first order.
        let _ = connection.send(&self.session);
        Ok(connection)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
