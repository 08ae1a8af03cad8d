//! The coordinator: publishes batches and receives their results.

mod task;
#[cfg(test)]
mod tests;

use crate::error::ConnectError;
use crate::keys::PublicKey;
use crate::ledger::{
    Answered, Batch, BatchNumber, EarlierGame, FollowUp, HELD_PER_JOB, JOBS_MAX, Ledger, Receipt,
    WorkerEvent, WorkerId,
};
use crate::message::{BatchAnswer, Key, Manifest, Name, Session, Versions, Why};
use crate::register::Register;
use crate::server::{Connection, Server, runtime};
use crate::status::{BotLabel, Status};
use arena_resources::NewThread;
use async_nats::jetstream::message::Acker;
use serde::Serialize;
use std::collections::{HashMap, HashSet, VecDeque};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use task::Task;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// The coordinator of a contest. A dedicated thread communicates with the server.
pub struct Coordinator {
    shared: Arc<Shared>,
    commands: UnboundedSender<Command>,
    thread: Option<JoinHandle<()>>,
}

/// A command for the thread that communicates with the server.
enum Command {
    /// Give batches to waiting workers.
    HandOut,
    /// Acknowledge messages.
    Ack(Vec<Acker>),
    /// Purge all results: the contest is over.
    Over,
    /// End the thread.
    End,
}

struct Shared {
    manifest: Manifest,
    versions: Versions,
    ledger: Mutex<Ledger>,
    /// The workers waiting for a batch.
    waiting: Mutex<WaitingList>,
    /// The keys of refused workers. Each is printed once.
    refused: Mutex<HashSet<PublicKey>>,
    connection: Arc<Connection>,
    /// True while a command to hand out batches is queued.
    is_due: AtomicBool,
    bytes_max: AtomicU64,
    /// The number of games that the workers play at the same time; cached because it is read often.
    jobs: AtomicUsize,
}

/// The queued requests for a batch, in order of arrival.
#[derive(Default)]
struct WaitingList {
    queue: VecDeque<Waiting>,
    /// The number of requests from each run.
    of_run: HashMap<Session, usize>,
}

impl WaitingList {
    /// Adds a request, unless its run has the maximum number of requests already.
    fn push(&mut self, waiting: Waiting) {
        let of_run = self.of_run.entry(waiting.session).or_default();
        if *of_run < HELD_PER_JOB * usize::from(JOBS_MAX) {
            *of_run += 1;
            self.queue.push_back(waiting);
        }
    }

    /// Takes the first request, if it satisfies the condition.
    fn pop_if(&mut self, is_so: impl FnOnce(&Waiting) -> bool) -> Option<Waiting> {
        let first = self.queue.pop_front_if(|waiting| is_so(waiting))?;
        self.forget(first.session);
        Some(first)
    }

    /// Gives batches to waiting workers while there are batches. The other requests keep their positions.
    fn hand_out(&mut self, ledger: &mut Ledger, now: Instant) -> Vec<(async_nats::Subject, BatchAnswer)> {
        let mut given = Vec::new();
        for waiting in mem::take(&mut self.queue) {
            let next = if ledger.has_work() { ledger.next(waiting.session, now) } else { None };
            match next {
                Some(batch) => {
                    self.forget(waiting.session);
                    given.push((waiting.reply, BatchAnswer::Batch(batch)));
                }
                None => self.queue.push_back(waiting),
            }
        }
        given
    }

    /// Removes the requests from a run.
    fn leave(&mut self, session: Session) {
        self.queue.retain(|waiting| waiting.session != session);
        self.of_run.remove(&session);
    }

    fn forget(&mut self, session: Session) {
        if let Some(of_run) = self.of_run.get_mut(&session) {
            *of_run -= 1;
            if *of_run == 0 {
                self.of_run.remove(&session);
            }
        }
    }
}

/// A worker waiting for a batch.
struct Waiting {
    session: Session,
    /// The subject to answer on.
    reply: async_nats::Subject,
    until: Instant,
}

impl Shared {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.ledger)
    }

    /// Updates the number of the workers' jobs. It changes when workers join, leave or send results.
    fn count_jobs(&self) {
        let jobs = self.ledger().jobs_at_work();
        self.jobs.store(jobs, Ordering::Relaxed);
    }

    fn note(&self, lines: impl IntoIterator<Item = String>) {
        self.connection.note(lines);
    }
}

impl Coordinator {
    /// Starts coordinating a contest, as the only coordinator of this name on the server, with the results left by an earlier
    /// coordinator. `secret` is random. `components` contains the components of all bots. With a register, only workers in it may play.
    ///
    /// # Errors
    /// The server is unusable or has another coordinator, or a component is missing.
    pub fn start(
        server: &Server,
        manifest: Manifest,
        versions: Versions,
        secret: [u8; 32],
        register: Option<Register>,
        components: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Self, ConnectError> {
        let runtime = runtime()?;
        let shared = Arc::new(Shared {
            manifest,
            versions,
            ledger: Mutex::new(Ledger::new(secret, register)),
            waiting: Mutex::default(),
            refused: Mutex::default(),
            connection: Arc::default(),
            is_due: AtomicBool::new(false),
            bytes_max: AtomicU64::new(1 << 20),
            jobs: AtomicUsize::new(0),
        });
        let (commands, orders) = unbounded_channel();
        let task = runtime.block_on(Task::begin(server, &shared, components))?;
        let thread = NewThread::named("coordinator").start(move || runtime.block_on(task.run(orders)))?;
        Ok(Self { shared, commands, thread: Some(thread) })
    }

    /// Returns a set of batches and their answers, for one thread.
    pub fn batches(&self) -> OpenBatches<'_> {
        let (sender, answers) = mpsc::channel();
        OpenBatches { coordinator: self, sender, answers, open: HashSet::new() }
    }

    /// The state of the workers.
    pub fn status(&self) -> Status {
        Status {
            is_connected: self.shared.connection.is_connected(),
            ..self.shared.ledger().status(Instant::now())
        }
    }

    /// Takes the lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        self.shared.connection.notes()
    }

    /// The number of games that the workers play at the same time. A worker's claim counts only as far as its results confirm it.
    pub fn jobs(&self) -> usize {
        self.shared.jobs.load(Ordering::Relaxed)
    }

    /// The server's message size limit, in bytes.
    pub fn message_bytes_max(&self) -> usize {
        usize::try_from(self.shared.bytes_max.load(Ordering::SeqCst)).unwrap_or(usize::MAX)
    }

    /// Takes a game that was played for an earlier coordinator of the contest, if there is one with this key.
    pub fn take_earlier_game(&self, key: &Key) -> Option<EarlierGame> {
        self.shared.ledger().take_earlier_game(key)
    }

    /// Keeps a result unacknowledged until the journal has the game with this number.
    pub fn hold(&self, number: usize, receipt: Receipt) {
        self.shared.ledger().hold(number, receipt);
    }

    /// Acknowledges each result whose games are all in the journal. The journal has every game up to this number.
    pub fn acknowledge_up_to(&self, number: usize) {
        let ackers = self.shared.ledger().acknowledge_up_to(number);
        self.ack(ackers);
    }

    /// Acknowledges a result that is not needed, or not needed for one of its games.
    pub fn acknowledge(&self, receipt: Receipt) {
        self.ack(receipt.released());
    }

    fn ack(&self, ackers: Vec<Acker>) {
        if !ackers.is_empty() {
            self.command(Command::Ack(ackers));
        }
    }

    /// True if a worker is excluded: its games no longer count.
    pub fn is_excluded(&self, worker: WorkerId) -> bool {
        self.shared.ledger().is_excluded(worker)
    }

    /// Takes the events about workers since the last call.
    pub fn take_events(&self) -> Vec<WorkerEvent> {
        self.shared.ledger().take_events()
    }

    /// Sets the labels of the bots, indexed by their numbers in the keys of games.
    pub fn set_bot_labels(&self, labels: Vec<BotLabel>) {
        self.shared.ledger().set_bot_labels(labels);
    }

    /// Counts a game that goes to the journal, for the residuals: the half points of the bot in the first seat, as these workers report.
    pub fn count(&self, key: &Key, half_points: u8, workers: &[WorkerId]) {
        self.shared.ledger().count(key, half_points, workers);
    }

    /// Excludes a key that an earlier coordinator of the contest has excluded.
    pub fn restore_exclusion(&self, key: &PublicKey, name: &Name, why: Why) {
        let follow_up = self.shared.ledger().restore_exclusion(key, name, why);
        self.apply(follow_up);
    }

    /// Records that games from a worker were discarded because it is excluded.
    pub fn dropped(&self, worker: WorkerId, games: Vec<Key>) {
        self.shared.ledger().dropped(worker, games);
    }

    /// Counts games from a worker that were rechecked: those that were the same, and those that differed.
    pub fn checked(&self, worker: WorkerId, games: [u64; 2]) {
        self.shared.ledger().checked(worker, games);
    }

    /// Excludes a worker: its key may not play any more, and the worker is notified. These games from it are discarded.
    pub fn exclude(&self, worker: WorkerId, why: &str, games: Vec<Key>) {
        let follow_up = self.shared.ledger().exclude(worker, why, games);
        self.apply(follow_up);
    }

    /// Replaces the register. Workers that it no longer admits are notified.
    pub fn set_register(&self, register: Register) {
        let follow_up = self.shared.ledger().set_register(register);
        self.apply(follow_up);
    }

    fn apply(&self, FollowUp { ack, notes, has_work }: FollowUp<Acker>) {
        self.shared.count_jobs();
        self.shared.note(notes);
        self.ack(ack);
        if has_work {
            self.hand_out();
        }
    }

    /// Stops handing out batches. Batches in play are still answered.
    pub fn withdraw(&self) {
        self.shared.ledger().withdraw();
    }

    fn hand_out(&self) {
        if !self.shared.is_due.swap(true, Ordering::SeqCst) {
            self.command(Command::HandOut);
        }
    }

    /// Purges all results: the contest is over.
    pub fn over(&self) {
        self.command(Command::Over);
    }

    fn command(&self, command: Command) {
        // The thread outlives every sender, so this does not fail.
        let _ = self.commands.send(command);
    }
}

impl Drop for Coordinator {
    /// Waits for the last messages to the server.
    fn drop(&mut self) {
        self.command(Command::End);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported already.
            let _ = thread.join();
        }
    }
}

/// The open batches of one thread, and their answers.
pub struct OpenBatches<'a> {
    coordinator: &'a Coordinator,
    sender: Sender<Answered>,
    answers: Receiver<Answered>,
    open: HashSet<BatchNumber>,
}

impl OpenBatches<'_> {
    /// Publishes a batch.
    pub fn publish(&mut self, batch: Batch) -> BatchNumber {
        let number = self.coordinator.shared.ledger().publish(batch, self.sender.clone());
        self.open.insert(number);
        self.coordinator.hand_out();
        number
    }

    /// The number of unanswered batches.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Returns the next answer; `None` when none arrives in this time.
    pub fn next(&mut self, wait: Duration) -> Option<Answered> {
        match self.answers.recv_timeout(wait) {
            Ok(answered) => {
                self.open.remove(&answered.batch);
                Some(answered)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }
}

impl Drop for OpenBatches<'_> {
    /// Withdraws its batches.
    fn drop(&mut self) {
        for batch in self.open.drain() {
            let tokens = self.coordinator.shared.ledger().forget(batch);
            self.coordinator.ack(tokens);
        }
    }
}

/// Encodes a message as JSON.
pub(crate) fn json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are plain data")
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
