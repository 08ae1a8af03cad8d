//! Games in processes: bots play in confined children of this program, which loads no code of bots.
//!
//! A process referees a game and reports what its players answer. The arena referees the same game here, with those answers: so
//! every event is judged by the rules, and any other message is detected. The games of a process that is gone or sends invalid
//! messages are played again, one at a time, so that a game which ends each process is found. That is reported as a failure of the
//! arena.
//!
//! ```text
//! orders ── pipe ──> process: referee, bots ── pipe ──> answers ──> referee ──> events ──> record, journal, screen
//! ```

mod answering;
mod answers;
mod calls;
mod protocol;
mod read_ahead;
mod replayer;
mod serving;
mod solo;

pub use answers::{RemotePlayer, logs};
pub use calls::{CalledBots, CalledPlayer};
pub use protocol::{Board, Order, ProtocolError, Service, Session};
pub use replayer::Replayer;
pub use serving::serve;
pub use solo::SoloBots;

use crate::game::{self, Played, Runner, WATCHDOG_TRIES_MAX, Watcher};
use arena_league::Fixture;
use arena_record::Header;
use arena_referee::HostError;
use arena_rules::{GameKind, GameRules, with_game};
use arena_sandbox::{Bot, Connection, Pool, Sandbox, TRIES_MAX, TimeLimits};
use read_ahead::ReadAhead;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

/// The processes of a run.
pub struct Processes {
    /// The processes. Between two rounds, they are idle.
    pool: Pool,
    /// The number of bots.
    bots: usize,
    /// A process for each bot alone, for games in which a clock decides.
    seats: CalledBots,
}

/// The longest time that bots may take for a game with its restarts.
fn game_max(TimeLimits { turn, game }: TimeLimits) -> Duration {
    game.saturating_add(turn.saturating_mul(2)).saturating_mul(WATCHDOG_TRIES_MAX)
}

/// The games for a worker, in items that belong together.
pub trait Queue {
    /// An item.
    type Item;

    /// A game that was played.
    type Game;

    /// The next item, with the orders of its games; `None` when no item is left, or, unless it `may_wait`, when none is
    /// available at the moment.
    fn take(&self, may_wait: bool) -> Option<(Self::Item, Vec<Order>)>;

    /// Referees a game of an item, by its place in it, with the answers of a process.
    ///
    /// # Errors
    /// The game has no result.
    fn referee(
        &self,
        item: &Self::Item,
        game: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Self::Game, HostError>;

    /// True if a process says that a clock decided the game.
    ///
    /// A bot that broke out may claim a timeout of the other one. So the game is played again [by calls](Queue::play_by_calls), and
    /// that result counts.
    fn is_by_clock(&self, game: &Self::Game) -> bool;

    /// Plays a game of an item, by its place in it, with each bot in a separate process.
    ///
    /// # Errors
    /// The game has no result.
    fn play_by_calls(
        &self,
        item: &Self::Item,
        game: usize,
        seats: &CalledBots,
    ) -> Result<Self::Game, HostError>;

    /// Brings an item: its games, or the failure of the arena with one of them.
    fn put(&self, item: Self::Item, played: Result<Vec<Self::Game>, HostError>);

    /// True if no further game is wanted: those that a process was given ahead are [left](Queue::leave).
    fn is_over(&self) -> bool {
        false
    }

    /// Leaves an item that was taken, and of which no game was wanted any more before it was begun.
    fn leave(&self, _: Self::Item) {}
}

/// An item that was taken.
struct Pending<T, P> {
    item: T,
    orders: Vec<Order>,
    /// The number of its games that were ordered.
    ordered: usize,
    played: Vec<P>,
    /// The number of processes that ended while this was the only game in them.
    tries: u32,
}

impl Processes {
    /// The processes for games between these bots, of which this number is started at once; `None` when the sandbox has its bots
    /// in this process.
    ///
    /// # Errors
    /// A failure of the arena: they cannot be started.
    pub fn start(
        sandbox: &Sandbox,
        bots: Vec<Bot>,
        session: &Session,
        number: usize,
    ) -> Result<Option<Self>, HostError> {
        if !sandbox.has_processes() {
            return Ok(None);
        }
        let count = bots.len();
        let calls = Session { service: Service::Calls, is_live: false, ..session.clone() };
        let seats = CalledBots::idle(sandbox, bots.clone(), &calls);
        let pool = session.pool(sandbox, bots, game_max(session.times()));
        pool.start(number)?;
        Ok(Some(Self { pool, bots: count, seats }))
    }

    /// The number of bots.
    pub fn bots(&self) -> usize {
        self.bots
    }

    /// Plays games of a queue as one of several workers, and returns true. If the system has no room for a process of this worker, it
    /// returns false without having taken a game, as long as other workers have processes that play them.
    pub fn work_if_there_is_room(&self, queue: &impl Queue) -> bool {
        let mut connection = None;
        match self.connection(&mut connection) {
            Err(_) if self.pool.has_process() => return false,
            // Without any process, the first game fails with the reason.
            _ => self.work_with(connection, queue),
        }
        true
    }

    /// Plays all games of a queue, as one worker.
    pub fn work(&self, queue: &impl Queue) {
        self.work_with(None, queue);
    }

    fn work_with(&self, mut connection: Option<RefCell<Connection>>, queue: &impl Queue) {
        let mut read_ahead = ReadAhead::default();
        let mut pending = VecDeque::new();
        let mut orders_due = true;
        loop {
            let ahead = read_ahead.ahead();
            // Many orders are sent at once.
            if pending.len() <= ahead / 2 {
                while pending.len() < ahead {
                    let Some((item, orders)) = queue.take(pending.is_empty()) else { break };
                    pending.push_back(Pending { item, orders, ordered: 0, played: Vec::new(), tries: 0 });
                }
                orders_due = true;
            }
            let Some(front) = pending.front_mut() else { break };
            if front.played.len() == front.orders.len() {
                let Pending { item, played, .. } = pending.pop_front().expect("it is there");
                queue.put(item, Ok(played));
                if queue.is_over() && !pending.is_empty() {
                    // One of these may take a thousand times as long as the ones by which their number was chosen.
                    pending.drain(..).for_each(|pending| queue.leave(pending.item));
                    connection = None;
                }
                continue;
            }
            // After a failure, more games may wait than the process is given at once.
            orders_due |= front.ordered == front.played.len();
            let told = self.connection(&mut connection).and_then(|connection| {
                if mem::take(&mut orders_due) {
                    let orders: Vec<u8> = pending.iter_mut().take(ahead).flat_map(Pending::order).collect();
                    connection.borrow_mut().send(&orders)?;
                }
                let front = pending.front_mut().expect("it is there");
                connection.borrow_mut().deadline = self.pool.deadline();
                let game = front.played.len();
                let played = queue.referee(&front.item, game, connection)?;
                match queue.is_by_clock(&played) {
                    true => queue.play_by_calls(&front.item, game, &self.seats),
                    false => Ok(played),
                }
            });
            let is_broken = connection.as_ref().is_none_or(|connection| connection.borrow().is_broken);
            let front = pending.front_mut().expect("it is there");
            // Its next messages may still be of the game that failed, so the games after that one have another process.
            let is_lost = told.is_err() || is_broken;
            match told {
                Ok(played) => {
                    front.played.push(played);
                    read_ahead.played();
                }
                Err(error) => {
                    let was_one_at_a_time = read_ahead.is_one_at_a_time();
                    front.tries += u32::from(was_one_at_a_time);
                    if !is_broken || front.tries >= TRIES_MAX {
                        let Pending { item, tries, .. } = pending.pop_front().expect("it is there");
                        let note = || format!("{tries} times");
                        queue.put(item, Err(if is_broken { error.with_note(note()) } else { error }));
                    }
                }
            }
            if is_lost {
                connection = None;
                pending.iter_mut().for_each(|pending| pending.ordered = pending.played.len());
                orders_due = true;
            }
            if is_broken {
                // Results that it had not sent are lost, so the game at which it ended is one of these.
                read_ahead.slow_down(pending.iter().map(|pending| pending.orders.len()).sum());
            }
        }
        if let Some(connection) = connection {
            self.pool.give_back(connection.into_inner());
        }
    }

    /// The process of a worker. It is started if there is none.
    fn connection<'t>(
        &self,
        connection: &'t mut Option<RefCell<Connection>>,
    ) -> Result<&'t RefCell<Connection>, HostError> {
        if connection.is_none() {
            *connection = Some(RefCell::new(self.pool.take()?));
        }
        Ok(connection.as_ref().expect("it was started"))
    }
}

impl<T, P> Pending<T, P> {
    /// The frames of the orders that have not been sent.
    fn order(&mut self) -> Vec<u8> {
        let due = &self.orders[self.ordered..];
        self.ordered = self.orders.len();
        due.iter().flat_map(|order| order.to_frame()).collect()
    }
}

/// Has the game of this order that comes next from a process be refereed at once, if it is a loaded one: its answers are foreseen. It waits
/// until the process has played the game.
///
/// # Errors
/// The process is gone, or sends an invalid message.
pub fn foresee(rules: &GameRules, order: &Order, connection: &RefCell<Connection>) -> Result<(), HostError> {
    if rules.kind() == GameKind::Loaded {
        let steps = answers::foresee(&mut connection.borrow_mut())?;
        arena_loaded::foresee(rules, order.fleet_seed, order.starter, steps);
    }
    Ok(())
}

impl Runner<'_> {
    /// The bots, as orders number them.
    pub fn bots(&self) -> Vec<Bot> {
        self.contestants.iter().map(|contestant| contestant.bot.clone()).collect()
    }

    /// The order for a game, with its header.
    pub fn order(&self, game: Fixture) -> (Header, Order) {
        let header = self.header(game);
        let order = Order::of(&header, game.seats);
        (header, order)
    }

    /// Referees a game with the answers of the process or worker that plays it, before a watcher if there is one.
    ///
    /// # Errors
    /// The game has no result.
    pub fn referee(
        &self,
        (header, order): (Header, Order),
        connection: &RefCell<Connection>,
        watcher: Option<&mut (dyn Watcher + '_)>,
    ) -> Result<Played, HostError> {
        let seat = || Ok([RemotePlayer(connection), RemotePlayer(connection)]);
        if watcher.is_none() {
            foresee(&header.conditions.rules, &order, connection)?;
        }
        with_game!(header.conditions.rules.kind(), G => {
            let (transcript, _) = game::play_between::<G, _>(header, seat, watcher)?;
            let logs = logs::<G>(&mut connection.borrow_mut(), Some(order))?;
            self.played(transcript, logs)
        })
    }

    /// Plays a game before a watcher if there is one, with each bot in a separate process, so that no bot can report about the
    /// other.
    ///
    /// # Errors
    /// The game has no result.
    pub fn play_by_calls(
        &self,
        game: Fixture,
        seats: &CalledBots,
        watcher: Option<&mut (dyn Watcher + '_)>,
    ) -> Result<Played, HostError> {
        let header = self.header(game);
        let [first, second] = game.seats;
        let seeds = header.bots.each_ref().map(|seated| seated.seed);
        with_game!(header.conditions.rules.kind(), G => {
            let seat = || Ok([seats.seat::<G>(first, seeds[0])?, seats.seat::<G>(second, seeds[1])?]);
            let (transcript, players) = game::play_between::<G, _>(header, seat, watcher)?;
            let logs = players.each_ref().map(CalledPlayer::log);
            drop(players);
            self.played(transcript, logs)
        })
    }
}
