//! The coordinator: it publishes batches, and gets their results.

mod task;

use crate::keys::PublicKey;
use crate::ledger::{
    Answered, Batch, BatchNumber, HELD_PER_JOB, JOBS_MAX, Ledger, Left, News, Receipt, Todo, WorkerId,
};
use crate::message::{BatchAnswer, Key, Manifest, Name, Session, Versions, Why};
use crate::register::Register;
use crate::server::{ConnectError, Connection, Server};
use crate::status::{BotLabel, Status};
use async_nats::jetstream::message::Acker;
use serde::Serialize;
use std::collections::{HashMap, HashSet, VecDeque};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use task::Task;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// A coordinator of a contest. A thread of its own speaks with the server.
pub struct Coordinator {
    shared: Arc<Shared>,
    commands: UnboundedSender<Command>,
    thread: Option<JoinHandle<()>>,
}

/// A task for the thread that speaks with the server.
enum Command {
    /// Give batches to workers that wait for them.
    HandOut,
    /// Acknowledge messages.
    Ack(Vec<Acker>),
    /// Forget all results.
    Over,
    /// End.
    End,
}

struct Shared {
    manifest: Manifest,
    versions: Versions,
    ledger: Mutex<Ledger>,
    /// The workers that wait for a batch.
    waiting: Mutex<WaitingList>,
    /// The keys of workers that were refused, each of which is told to the user once.
    refused: Mutex<HashSet<PublicKey>>,
    connection: Arc<Connection>,
    /// True while a command to hand out batches is on its way.
    is_due: AtomicBool,
    bytes_max: AtomicU64,
    /// The number of games that the workers play at the same time, which is asked for all the time.
    jobs: AtomicUsize,
}

/// The questions for a batch that wait, in the order in which they came.
#[derive(Default)]
struct WaitingList {
    queue: VecDeque<Waiting>,
    /// The number of questions of each run.
    of_run: HashMap<Session, usize>,
}

impl WaitingList {
    /// Adds a question, unless its run has as many as a worker can have.
    fn push(&mut self, waiting: Waiting) {
        let of_run = self.of_run.entry(waiting.session).or_default();
        if *of_run < HELD_PER_JOB * usize::from(JOBS_MAX) {
            *of_run += 1;
            self.queue.push_back(waiting);
        }
    }

    /// Takes the first question, if this is true of it.
    fn pop_if(&mut self, is_so: impl FnOnce(&Waiting) -> bool) -> Option<Waiting> {
        let first = self.queue.pop_front_if(|waiting| is_so(waiting))?;
        self.forget(first.session);
        Some(first)
    }

    /// Gives batches to waiting workers, as long as there are some. The others keep their places.
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

    /// Forgets the questions of a run.
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

/// A worker that waits for a batch.
struct Waiting {
    session: Session,
    /// The subject of the answer.
    reply: async_nats::Subject,
    until: Instant,
}

impl Shared {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.ledger)
    }

    /// Counts the workers' jobs, which change when workers come, go or bring results.
    fn count_jobs(&self) {
        let jobs = self.ledger().jobs_at_work();
        self.jobs.store(jobs, Ordering::Relaxed);
    }

    fn note(&self, lines: impl IntoIterator<Item = String>) {
        self.connection.note(lines);
    }
}

impl Coordinator {
    /// Begins to coordinate a contest, as the only one of its name on the server, with the results that an earlier coordinator has left.
    /// `secret` is random; the components of all bots are among `components`. With a register, only workers in it may play.
    ///
    /// # Errors
    /// The server cannot be used, or has another coordinator; or a component is missing.
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
        let thread = thread::Builder::new().name("coordinator".into());
        let thread = thread.spawn(move || runtime.block_on(task.run(orders))).map_err(no_thread)?;
        Ok(Self { shared, commands, thread: Some(thread) })
    }

    /// Batches and their answers, for one thread.
    pub fn batches(&self) -> OpenBatches<'_> {
        let (sender, answers) = mpsc::channel();
        OpenBatches { coordinator: self, sender, answers, open: HashSet::new() }
    }

    /// The state of the workers.
    pub fn status(&self) -> Status {
        Status {
            is_connected: self.shared.connection.is_there(),
            ..self.shared.ledger().status(Instant::now())
        }
    }

    /// The lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        self.shared.connection.notes()
    }

    /// The number of games that the workers play at the same time, as far as they have shown it.
    pub fn jobs(&self) -> usize {
        self.shared.jobs.load(Ordering::Relaxed)
    }

    /// The largest message that the server takes, in bytes.
    pub fn message_bytes_max(&self) -> usize {
        usize::try_from(self.shared.bytes_max.load(Ordering::SeqCst)).unwrap_or(usize::MAX)
    }

    /// Takes a game that was played for an earlier coordinator of the contest.
    pub fn left(&self, key: &Key) -> Option<Left> {
        self.shared.ledger().left(key)
    }

    /// Has a result wait until the journal has the game of this number.
    pub fn hold(&self, number: usize, receipt: Receipt) {
        self.shared.ledger().hold(number, receipt);
    }

    /// Acknowledges the results all of whose games are in the journal, which has everything up to this number.
    pub fn kept(&self, number: usize) {
        let ackers = self.shared.ledger().kept(number);
        self.ack(ackers);
    }

    /// Acknowledges a result that is useless, or useless for one of its games.
    pub fn drop_receipt(&self, receipt: Receipt) {
        self.ack(receipt.released());
    }

    fn ack(&self, ackers: Vec<Acker>) {
        if !ackers.is_empty() {
            self.command(Command::Ack(ackers));
        }
    }

    /// True if a worker is excluded: nothing more of it counts.
    pub fn is_excluded(&self, worker: WorkerId) -> bool {
        self.shared.ledger().is_excluded(worker)
    }

    /// What has happened to workers since the last call.
    pub fn news(&self) -> Vec<News> {
        self.shared.ledger().news()
    }

    /// Takes the labels of the bots, by their numbers in the keys of games.
    pub fn name_bots(&self, labels: Vec<BotLabel>) {
        self.shared.ledger().name_bots(labels);
    }

    /// Counts a game that goes to the journal, for the residuals: the half points of the bot in the first seat, as these workers say.
    pub fn count(&self, key: &Key, half_points: u8, workers: &[WorkerId]) {
        self.shared.ledger().count(key, half_points, workers);
    }

    /// Excludes a key that an earlier coordinator of the contest has excluded.
    pub fn exclude_again(&self, key: &PublicKey, name: &Name, why: Why) {
        let todo = self.shared.ledger().exclude_again(key, name, why);
        self.follow(todo);
    }

    /// Notes that games of a worker were thrown away, because it is excluded.
    pub fn dropped(&self, worker: WorkerId, games: Vec<Key>) {
        self.shared.ledger().dropped(worker, games);
    }

    /// Counts games of a worker that were played again: those that were the same, and those that were others.
    pub fn checked(&self, worker: WorkerId, games: [u64; 2]) {
        self.shared.ledger().checked(worker, games);
    }

    /// Excludes a worker: its key plays no more, and it is told so. These games of it are thrown away.
    pub fn exclude(&self, worker: WorkerId, why: &str, games: Vec<Key>) {
        let todo = self.shared.ledger().exclude(worker, why, games);
        self.follow(todo);
    }

    /// Takes another register. Workers that may not play by it any more are told so.
    pub fn set_register(&self, register: Register) {
        let todo = self.shared.ledger().set_register(register);
        self.follow(todo);
    }

    fn follow(&self, Todo { ack, notes, has_work }: Todo<Acker>) {
        self.shared.count_jobs();
        self.shared.note(notes);
        self.ack(ack);
        if has_work {
            self.hand_out();
        }
    }

    /// Gives out no more batches. Those that are played meanwhile are still answered.
    pub fn withdraw(&self) {
        self.shared.ledger().withdraw();
    }

    fn hand_out(&self) {
        if !self.shared.is_due.swap(true, Ordering::SeqCst) {
            self.command(Command::HandOut);
        }
    }

    /// Forgets all results: the contest is over.
    pub fn over(&self) {
        self.command(Command::Over);
    }

    fn command(&self, command: Command) {
        // Its thread ends after everything else.
        let _ = self.commands.send(command);
    }
}

impl Drop for Coordinator {
    /// Waits for the last messages to the server.
    fn drop(&mut self) {
        self.command(Command::End);
        if let Some(thread) = self.thread.take() {
            // A panic of it has been reported.
            let _ = thread.join();
        }
    }
}

/// The batches of one thread, and their answers.
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

    /// The number of batches without an answer.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// The next answer; `None` if there is none in this time.
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
    /// Forgets its batches.
    fn drop(&mut self) {
        for batch in self.open.drain() {
            let tokens = self.coordinator.shared.ledger().forget(batch);
            self.coordinator.ack(tokens);
        }
    }
}

/// The runtime of a thread that speaks with a server.
pub(crate) fn runtime() -> Result<Runtime, ConnectError> {
    Builder::new_current_thread().enable_all().build().map_err(no_thread)
}

pub(crate) fn no_thread(error: std::io::Error) -> ConnectError {
    ConnectError { what: format!("the system gives no thread: {error}"), next: "end other programs" }
}

/// Bytes of a message in JSON.
pub(crate) fn json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are plain data")
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
