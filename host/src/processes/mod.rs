//! Games in processes: bots play in confined children of this program, which loads no code of theirs.
//!
//! A process referees a game and tells what its players answer. The arena referees the same game here, with those answers: so
//! every event is judged by the rules, and whatever else a process says is noticed. One that is gone or talks nonsense costs the
//! games that it had; they are played again, one at a time, so that a game which ends each process that plays it is found. That
//! is reported as a failure of ours.
//!
//! ```text
//! orders ── pipe ──> process: referee, bots ── pipe ──> answers ──> referee ──> events ──> record, journal, screen
//! ```

mod again;
mod alone;
mod answering;
mod child;
mod pace;
mod pool;
mod seats;
mod talk;
mod wanted;
mod words;

pub use again::Again;
pub use alone::Alone;
pub use child::serve;
pub use seats::{Seated, Seats};
pub(crate) use wanted::{Wanted, onlooker};
pub use words::Board;

use crate::game::{self, Onlooker, Playable, Played, Table, WATCHDOG_TRIES_MAX};
use arena_league::Fixture;
use arena_record::Header;
use arena_referee::HostError;
use arena_sandbox::{Sandbox, TimeLimits};
use pace::Pace;
use pool::{Pool, TRIES_MAX};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::time::Duration;
use talk::{Elsewhere, Talk};
use words::{Order, Service, Session};

/// The processes of a run.
pub struct Processes<'a> {
    table: Table<'a>,
    /// The processes. Between two rounds, nobody uses them.
    pool: Pool,
}

/// The longest time that bots may take for a game with its restarts.
fn game_max(TimeLimits { turn, game }: TimeLimits) -> Duration {
    game.saturating_add(turn.saturating_mul(2)).saturating_mul(WATCHDOG_TRIES_MAX)
}

/// The games for a worker, in items that belong together.
pub trait Queue<G: Playable> {
    /// An item.
    type Item;

    /// The next item, with its games; none if there is none, or, unless it `may_wait`, none at the moment.
    fn take(&self, may_wait: bool) -> Option<(Self::Item, Vec<Fixture>)>;

    /// The onlooker of a game of an item.
    fn onlooker(&self, item: &Self::Item) -> Box<dyn Onlooker<G> + '_>;

    /// Brings an item: its games, or the failure of ours with one of them.
    fn put(&self, item: Self::Item, played: Result<Vec<Played>, HostError>);
}

/// An item that was taken.
struct Pending<T> {
    item: T,
    games: Vec<Fixture>,
    /// The headers of its games, as far as they were ordered.
    headers: Vec<Header>,
    played: Vec<Played>,
    /// The number of processes that ended while this was the only game in them.
    tries: u32,
}

impl<'a> Processes<'a> {
    /// The processes for the games of a table, of which this number is started at once; none if the sandbox has its bots in this
    /// process. `is_live` is true if somebody watches the games.
    ///
    /// # Errors
    /// A failure of ours: they cannot be started.
    pub fn start(
        sandbox: &Sandbox,
        table: Table<'a>,
        is_live: bool,
        number: usize,
    ) -> Result<Option<Self>, HostError> {
        if !sandbox.has_processes() {
            return Ok(None);
        }
        let bots = table.contestants.iter().map(|contestant| contestant.bot.clone()).collect();
        let times = table.plan.times;
        let session = Session { is_live, ..Session::new(Service::Games, &table.plan.conditions, times) };
        let pool = Pool::new(sandbox, bots, &session, game_max(times));
        pool.start(number)?;
        Ok(Some(Self { table, pool }))
    }

    /// Plays all games of a queue, as one worker.
    pub fn work<G: Playable>(&self, queue: &impl Queue<G>) {
        let mut talk = None;
        let mut pace = Pace::default();
        let mut pending = VecDeque::new();
        let mut orders_due = true;
        loop {
            let ahead = pace.ahead();
            // Many orders are sent at once.
            if pending.len() <= ahead / 2 {
                while pending.len() < ahead {
                    let Some((item, games)) = queue.take(pending.is_empty()) else { break };
                    pending.push_back(Pending {
                        item,
                        games,
                        headers: Vec::new(),
                        played: Vec::new(),
                        tries: 0,
                    });
                }
                orders_due = true;
            }
            let Some(front) = pending.front_mut() else { break };
            if front.played.len() == front.games.len() {
                let Pending { item, played, .. } = pending.pop_front().expect("it is there");
                queue.put(item, Ok(played));
                continue;
            }
            let told = self.talk(&mut talk).and_then(|talk| {
                if mem::take(&mut orders_due) {
                    let orders: Vec<u8> =
                        pending.iter_mut().take(ahead).flat_map(|pending| self.order(pending)).collect();
                    talk.borrow_mut().send(&orders)?;
                }
                let front = pending.front_mut().expect("it is there");
                let header = front.headers[front.played.len()].clone();
                self.play(talk, header, &mut *queue.onlooker(&front.item))
            });
            let is_broken = talk.as_ref().is_none_or(|talk| talk.borrow().is_broken);
            let front = pending.front_mut().expect("it is there");
            match told {
                Ok(played) => {
                    front.played.push(played);
                    pace.played();
                }
                Err(error) => {
                    let was_alone = pace.is_alone();
                    front.tries += u32::from(was_alone);
                    if !is_broken || front.tries >= TRIES_MAX {
                        let Pending { item, tries, .. } = pending.pop_front().expect("it is there");
                        let times = if is_broken { format!(" ({tries} times)") } else { String::new() };
                        queue.put(item, Err(HostError(format!("{error}{times}"))));
                    }
                }
            }
            if is_broken {
                talk = None;
                // What it had finished and not sent is lost, so the game at which it ended is one of these.
                pace.slow_down(pending.iter().map(|pending| pending.games.len()).sum());
                pending.iter_mut().for_each(|pending| pending.headers.truncate(pending.played.len()));
                orders_due = true;
            }
            // One at a time, each has to be ordered by itself.
            orders_due |= pace.is_alone();
        }
        if let Some(talk) = talk {
            self.pool.give_back(talk.into_inner());
        }
    }

    /// The process of a worker, which is started if there is none.
    fn talk<'t>(&self, talk: &'t mut Option<RefCell<Talk>>) -> Result<&'t RefCell<Talk>, HostError> {
        if talk.is_none() {
            *talk = Some(RefCell::new(self.pool.take()?));
        }
        Ok(talk.as_ref().expect("it was started"))
    }

    /// The orders for the games of an item that have not been ordered.
    fn order<T>(&self, pending: &mut Pending<T>) -> Vec<u8> {
        let mut orders = Vec::new();
        for game in &pending.games[pending.headers.len()..] {
            let header = self.table.header(*game);
            orders.extend(Order::of(&header, game.seats).to_frame());
            pending.headers.push(header);
        }
        orders
    }

    /// Referees a game with the answers of the process.
    fn play<G: Playable>(
        &self,
        talk: &RefCell<Talk>,
        header: Header,
        onlooker: &mut dyn Onlooker<G>,
    ) -> Result<Played, HostError> {
        talk.borrow_mut().deadline = self.pool.deadline();
        let (transcript, _) =
            game::play_between(header, || Ok([Elsewhere(talk), Elsewhere(talk)]), onlooker)?;
        let logs = talk.borrow_mut().logs::<G>()?;
        self.table.played(transcript, logs)
    }
}
