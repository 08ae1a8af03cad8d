//! The coordinator: it publishes batches, and gets their results.

mod task;

use crate::results::{Books, Open};
use crate::server::{ConnectError, Connection, Server};
use crate::words::{BatchWord, Game, Key, Manifest, Outcome, Session, Versions, Why};
use async_nats::jetstream::message::Acker;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use task::Task;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// The number of a batch: that of the coordinator's run, and a number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchNumber(pub(crate) [u64; 2]);

/// A batch that is to be played.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The games.
    pub games: Vec<Game>,
    /// True if it is part of one that was given up: it is played with nothing else in play from the beginning.
    pub is_suspect: bool,
    /// The number of times that a worker plays it with nothing else in play before it is given up. It does so after a delivery
    /// without an answer.
    pub tries_alone: u32,
}

/// The messages of a result, to be acknowledged when each of its games is in the journal. There is one receipt for each game.
#[derive(Clone)]
pub struct Receipt(Arc<Vec<Acker>>);

impl Receipt {
    pub(crate) fn new(ackers: Vec<Acker>) -> Self {
        Self(Arc::new(ackers))
    }

    /// The messages, if this was the last game.
    pub(crate) fn released(self) -> Vec<Acker> {
        Arc::into_inner(self.0).unwrap_or_default()
    }
}

/// The answer to a batch.
pub struct Answered {
    /// The batch.
    pub batch: BatchNumber,
    /// The worker.
    pub session: Session,
    /// The outcome of the batch. Its games are those that were asked for, in that order.
    pub outcome: Outcome,
    /// The receipt, of which each game needs a copy.
    pub receipt: Receipt,
}

/// A game that an earlier coordinator asked for.
pub struct Left {
    /// The worker.
    pub session: Session,
    /// The words of its process.
    pub told: Vec<u8>,
    /// The receipt.
    pub receipt: Receipt,
}

/// The state of the workers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// The number of workers.
    pub workers: usize,
    /// The number of games that they play at the same time.
    pub jobs: usize,
    /// Their rate.
    pub games_per_second: f64,
    /// The number of games that they hold.
    pub games_in_flight: u64,
    /// False while the server is gone.
    pub is_connected: bool,
}

/// A coordinator of a contest. A thread of its own speaks with the server.
pub struct Coordinator {
    shared: Arc<Shared>,
    commands: UnboundedSender<Command>,
    next: AtomicU64,
    thread: Option<JoinHandle<()>>,
}

/// A task for the thread that speaks with the server.
enum Command {
    /// Publish an open batch.
    Publish(BatchNumber),
    /// Acknowledge messages.
    Ack(Vec<Acker>),
    /// Take back what no worker has taken.
    Withdraw,
    /// Forget all results.
    Over,
    /// End.
    End,
}

struct Shared {
    run: u64,
    manifest: Manifest,
    versions: Versions,
    books: Mutex<Books>,
    connection: Arc<Connection>,
    /// True once nothing is to be published any more.
    is_ending: AtomicBool,
    bytes_max: AtomicU64,
    /// The number of games that the workers play at the same time, which is asked for all the time.
    jobs: AtomicUsize,
}

impl Shared {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the workers' jobs after one of them has come or gone.
    fn count_jobs(&self) {
        let jobs = self.books().status().jobs;
        self.jobs.store(jobs, Ordering::Relaxed);
    }

    fn note(&self, lines: impl IntoIterator<Item = String>) {
        self.connection.note(lines);
    }
}

impl Coordinator {
    /// Begins to coordinate a contest, as the only one on the server: with nothing of an earlier one in the stream of batches, and
    /// with the results that were left of it. `run` is a random number; the components of all bots are among `components`.
    ///
    /// # Errors
    /// The server cannot be used, or has another coordinator; or a component is missing.
    pub fn start(
        server: &Server,
        manifest: Manifest,
        versions: Versions,
        run: u64,
        components: impl IntoIterator<Item = Vec<u8>>,
    ) -> Result<Self, ConnectError> {
        let runtime = runtime()?;
        let shared = Arc::new(Shared {
            run,
            manifest,
            versions,
            books: Mutex::default(),
            connection: Arc::default(),
            is_ending: AtomicBool::new(false),
            bytes_max: AtomicU64::new(1 << 20),
            jobs: AtomicUsize::new(0),
        });
        let (commands, orders) = unbounded_channel();
        let task = runtime.block_on(Task::begin(server, &shared, commands.clone(), components))?;
        let thread = thread::Builder::new().name("coordinator".into());
        let thread = thread.spawn(move || runtime.block_on(task.run(orders))).map_err(no_thread)?;
        Ok(Self { shared, commands, next: AtomicU64::new(0), thread: Some(thread) })
    }

    /// A lane for batches and their answers.
    pub fn lane(&self) -> Lane<'_> {
        let (sender, answers) = mpsc::channel();
        Lane { coordinator: self, sender, answers, open: HashSet::new() }
    }

    /// The state of the workers.
    pub fn status(&self) -> Status {
        Status { is_connected: self.shared.connection.is_there(), ..self.shared.books().status() }
    }

    /// The lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        self.shared.connection.notes()
    }

    /// The number of games that the workers play at the same time.
    pub fn jobs(&self) -> usize {
        self.shared.jobs.load(Ordering::Relaxed)
    }

    /// The largest message that the server takes, in bytes.
    pub fn message_bytes_max(&self) -> usize {
        usize::try_from(self.shared.bytes_max.load(Ordering::SeqCst)).unwrap_or(usize::MAX)
    }

    /// Takes a game that was played for an earlier coordinator of the contest.
    pub fn left(&self, key: &Key) -> Option<Left> {
        self.shared.books().left.remove(key)
    }

    /// Has a result wait until the journal has the game of this number.
    pub fn hold(&self, number: usize, receipt: Receipt) {
        self.shared.books().hold(number, receipt);
    }

    /// Acknowledges the results all of whose games are in the journal, which has everything up to this number.
    pub fn kept(&self, number: usize) {
        let ackers = self.shared.books().kept(number);
        self.ack(ackers);
    }

    /// Acknowledges a result that is of no use, or of no use for one of its games.
    pub fn drop_receipt(&self, receipt: Receipt) {
        self.ack(receipt.released());
    }

    fn ack(&self, ackers: Vec<Acker>) {
        if !ackers.is_empty() {
            self.command(Command::Ack(ackers));
        }
    }

    /// The name of a worker.
    pub fn name(&self, session: Session) -> crate::Name {
        self.shared.books().name(session)
    }

    /// Excludes a worker: its results are dropped from now on, and it is told so.
    pub fn exclude(&self, session: Session, why: impl Into<Why>) {
        let note = self.shared.books().exclude(session, why.into());
        self.shared.count_jobs();
        self.shared.note(note);
    }

    /// Takes back the batches that no worker has answered. Those that are played meanwhile are still answered.
    pub fn withdraw(&self) {
        self.command(Command::Withdraw);
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
    /// Takes back what is left in the stream of batches, and waits for the last words to the server.
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::SeqCst);
        self.command(Command::End);
        if let Some(thread) = self.thread.take() {
            // A panic of it has been reported.
            let _ = thread.join();
        }
    }
}

/// A lane: the batches of one thread, and their answers.
pub struct Lane<'a> {
    coordinator: &'a Coordinator,
    sender: Sender<Answered>,
    answers: Receiver<Answered>,
    open: HashSet<BatchNumber>,
}

impl Lane<'_> {
    /// Publishes a batch.
    pub fn publish(&mut self, batch: Batch) -> BatchNumber {
        let shared = &self.coordinator.shared;
        let number = BatchNumber([shared.run, self.coordinator.next.fetch_add(1, Ordering::SeqCst)]);
        let Batch { games, is_suspect, tries_alone } = batch;
        let keys = games.iter().map(|game| game.key).collect();
        let word = BatchWord { batch: number.0, is_suspect, games };
        let word = postcard::to_allocvec(&word).expect("a batch is plain data");
        let answers = self.sender.clone();
        let open = Open { answers, word, keys, tries: 0, tries_alone, is_doubtful: false };
        shared.books().open.insert(number, open);
        self.open.insert(number);
        self.coordinator.command(Command::Publish(number));
        number
    }

    /// The number of batches without an answer.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// The next answer; none if none comes in this time.
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

impl Drop for Lane<'_> {
    /// Nobody waits for its batches any more.
    fn drop(&mut self) {
        let mut books = self.coordinator.shared.books();
        self.open.iter().for_each(|batch| _ = books.open.remove(batch));
    }
}

/// The runtime of a thread that speaks with a server.
pub(crate) fn runtime() -> Result<Runtime, ConnectError> {
    Builder::new_current_thread().enable_all().build().map_err(no_thread)
}

pub(crate) fn no_thread(error: std::io::Error) -> ConnectError {
    ConnectError { what: format!("the system gives no thread: {error}"), next: "end other programs" }
}

/// Bytes of a word in JSON.
pub(crate) fn json(word: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(word).expect("words are plain data")
}
