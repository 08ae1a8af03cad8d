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

mod child;
mod pace;
mod talk;
mod wanted;
mod words;

pub use child::serve;
pub(crate) use wanted::{Wanted, onlooker};

use crate::game::{self, Onlooker, Playable, Played, Table, WATCHDOG_TRIES_MAX};
use arena_league::Fixture;
use arena_record::Header;
use arena_referee::HostError;
use arena_sandbox::{Bot, Sandbox, TimeLimits};
use pace::Pace;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem;
use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};
use talk::{Elsewhere, Talk};
use words::{Order, Session, frame};

/// The number of processes that a game may cost when it is the only one in them. Chosen: a machine that is short of memory ends
/// one or two.
const TRIES_MAX: u32 = 3;

/// The time that a process may take for a game beside that of its bots. Chosen: it takes none to speak of.
const GAME_MARGIN: Duration = Duration::from_secs(60);

/// The processes of a run.
pub struct Processes<'a> {
    sandbox: &'a Sandbox,
    bots: Vec<&'a Bot>,
    table: Table<'a>,
    /// The first frame for each process.
    session: Vec<u8>,
    /// The time after which a process that plays one game is given up.
    game_max: Duration,
    /// The processes that nobody uses at the moment, between two rounds.
    idle: Mutex<Vec<Talk>>,
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
        sandbox: &'a Sandbox,
        table: Table<'a>,
        is_live: bool,
        number: usize,
    ) -> Result<Option<Self>, HostError> {
        if !sandbox.has_processes() {
            return Ok(None);
        }
        let TimeLimits { turn, game } = table.plan.times;
        let conditions = &table.plan.conditions;
        let fuel_per_turn = conditions.limits.fuel_per_turn;
        let session = Session { rules: conditions.rules.clone(), fuel_per_turn, turn, game, is_live };
        let once = game.saturating_add(turn.saturating_mul(2));
        let processes = Self {
            sandbox,
            bots: table.contestants.iter().map(|contestant| &contestant.bot).collect(),
            table,
            session: frame(&serde_json::to_vec(&session).expect("a session is plain data")),
            game_max: once.saturating_mul(WATCHDOG_TRIES_MAX).saturating_add(GAME_MARGIN),
            idle: Mutex::default(),
        };
        let started: Result<Vec<Talk>, HostError> = thread::scope(|scope| {
            let starting: Vec<_> = (0..number).map(|_| scope.spawn(|| processes.fresh())).collect();
            let join =
                |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            starting.into_iter().map(join).collect()
        });
        let next = "`--in-process` does without processes, and without their protection";
        processes.idle().extend(started.map_err(|error| HostError(format!("{error}\n  next: {next}")))?);
        Ok(Some(processes))
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
        self.idle().extend(talk.map(RefCell::into_inner));
    }

    /// The process of a worker, which is started if there is none.
    fn talk<'t>(&self, talk: &'t mut Option<RefCell<Talk>>) -> Result<&'t RefCell<Talk>, HostError> {
        if talk.is_none() {
            let idle = self.idle().pop();
            *talk = Some(RefCell::new(idle.map_or_else(|| self.fresh(), Ok)?));
        }
        Ok(talk.as_ref().expect("it was started"))
    }

    fn fresh(&self) -> Result<Talk, HostError> {
        let mut talk = Talk::new(self.sandbox.start(&self.bots)?, self.deadline());
        talk.send(&self.session)?;
        Ok(talk)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Talk>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deadline(&self) -> Instant {
        let now = Instant::now();
        // A time that is too long for the system is never reached.
        now.checked_add(self.game_max).unwrap_or_else(|| now + Duration::from_secs(1 << 30))
    }

    /// The orders for the games of an item that have not been ordered.
    fn order<T>(&self, pending: &mut Pending<T>) -> Vec<u8> {
        let mut orders = Vec::new();
        for game in &pending.games[pending.headers.len()..] {
            let header = self.table.header(*game);
            let order = Order {
                seats: game.seats.map(|seat| u32::try_from(seat).expect("there are fewer bots")),
                side_seeds: header.bots.each_ref().map(|seated| seated.seed),
                fleet_seed: header.fleet_seed,
                starter: header.starter,
            };
            orders.extend(frame(&postcard::to_allocvec(&order).expect("an order is plain data")));
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
        talk.borrow_mut().deadline = self.deadline();
        let (transcript, _) =
            game::play_between(header, || Ok([Elsewhere(talk), Elsewhere(talk)]), onlooker)?;
        let logs = talk.borrow_mut().logs::<G>()?;
        self.table.played(transcript, logs)
    }
}
