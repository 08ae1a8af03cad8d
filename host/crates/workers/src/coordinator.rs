//! The coordinator: it publishes batches, and gets their results.

use crate::results::{Books, Open, Todo};
use crate::server::{CONTEST, Change, ConnectError, Link, Server, WORKERS, put_component, subject_of};
use crate::words::{Answer, BatchWord, Beat, Game, Key, Manifest, Outcome, Question, Session, Versions, Why};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::{Acker, PublishMessage};
use futures_util::StreamExt;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};

/// The time between two looks after what may be lost. Chosen: half of them see a loss, so it takes 10 s at most.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The time after which a message that the server did not store is sent again. Chosen: a server that restarts takes a second.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The number of results that are asked for at once. Chosen.
const RESULTS_AT_ONCE: usize = 64;

/// The time that a request for results waits at the server.
const RESULTS_WAIT: Duration = Duration::from_secs(5);

/// The longest time that the last words to the server take. Chosen: nobody waits longer for a prompt.
const LAST_WORDS: Duration = Duration::from_secs(2);

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
    /// What became of it. Its games are those of the batch, in that order.
    pub outcome: Outcome,
    /// The receipt, of which each game needs a copy.
    pub receipt: Receipt,
}

/// A game that an earlier coordinator asked for.
pub struct Left {
    /// The worker.
    pub session: Session,
    /// What its process told.
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
    notes: Mutex<Vec<String>>,
    is_connected: AtomicBool,
    /// Told when the connection is back.
    back: Notify,
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
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).extend(lines);
    }

    fn changed(&self, change: Change) {
        let is_connected = change == Change::Back;
        if self.is_connected.swap(is_connected, Ordering::SeqCst) != is_connected {
            let what = if is_connected { "the server is back" } else { "the server is gone: waiting for it" };
            self.note([what.to_owned()]);
        }
        if is_connected {
            self.back.notify_waiters();
        }
    }
}

impl Coordinator {
    /// Begins to coordinate a contest, as the only one on the server: with nothing of an earlier one in the stream of batches, and
    /// with the results that were left of it. `run` is a random number; `component` gives the bytes of each bot.
    ///
    /// # Errors
    /// The server cannot be used, or has another coordinator.
    pub fn start(
        server: &Server,
        manifest: Manifest,
        versions: Versions,
        run: u64,
        component: impl Fn(usize) -> Result<Vec<u8>, ConnectError>,
    ) -> Result<Self, ConnectError> {
        let runtime = runtime()?;
        let shared = Arc::new(Shared {
            run,
            manifest,
            versions,
            books: Mutex::default(),
            notes: Mutex::default(),
            is_connected: AtomicBool::new(true),
            back: Notify::new(),
            is_ending: AtomicBool::new(false),
            bytes_max: AtomicU64::new(1 << 20),
            jobs: AtomicUsize::new(0),
        });
        let (commands, orders) = unbounded_channel();
        let task = runtime.block_on(Task::begin(server, &shared, commands.clone(), component))?;
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
        let is_connected = self.shared.is_connected.load(Ordering::SeqCst);
        Status { is_connected, ..self.shared.books().status() }
    }

    /// The lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.notes.lock().unwrap_or_else(PoisonError::into_inner))
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

/// The side of the thread that speaks with the server.
struct Task {
    shared: Arc<Shared>,
    link: Link,
    commands: UnboundedSender<Command>,
    results: PullConsumer,
}

impl Task {
    async fn begin(
        server: &Server,
        shared: &Arc<Shared>,
        commands: UnboundedSender<Command>,
        component: impl Fn(usize) -> Result<Vec<u8>, ConnectError>,
    ) -> Result<Self, ConnectError> {
        let telling = Arc::clone(shared);
        let link = server.connect("arena coordinator", move |change| telling.changed(change)).await?;
        shared.bytes_max.store(link.client.max_payload() as u64, Ordering::SeqCst);
        if link.client.request(CONTEST, json(&Question::Coordinator).into()).await.is_ok() {
            return Err(ConnectError {
                what: format!("{server}: another `arena run` coordinates a contest there"),
                next: "wait until it has ended, or use another server or another account of it",
            });
        }
        let (games, results) = link.streams().await?;
        link.forget(&games, &results).await?;
        link.batches(&games, &shared.manifest.id).await?;
        let store = link.store().await?;
        for (index, bot) in shared.manifest.bots.iter().enumerate() {
            put_component(&store, &bot.sha256, &component(index)?).await?;
        }
        let results = link.results(&results).await?;
        let task = Self { shared: Arc::clone(shared), link, commands, results };
        task.take_over().await?;
        tokio::spawn(answer_questions(
            Arc::clone(shared),
            task.subscribed(CONTEST).await?,
            task.link.clone(),
        ));
        tokio::spawn(answer_beats(Arc::clone(shared), task.subscribed(WORKERS).await?, task.link.clone()));
        Ok(task)
    }

    async fn subscribed(&self, subject: &'static str) -> Result<async_nats::Subscriber, ConnectError> {
        self.link.client.subscribe(subject).await.map_err(|error| ConnectError {
            what: format!("the server does not let it answer on {subject}: {error}"),
            next: "check what the account may do",
        })
    }

    /// Takes the results that an earlier coordinator has left.
    async fn take_over(&self) -> Result<(), ConnectError> {
        loop {
            let fetch = self.results.fetch().max_messages(RESULTS_AT_ONCE).messages().await;
            let mut messages = fetch.map_err(|error| ConnectError {
                what: format!("the server does not give the results that are left: {error}"),
                next: "run it again",
            })?;
            let mut count = 0;
            while let Some(Ok(message)) = messages.next().await {
                count += 1;
                let (message, acker) = message.split();
                let todo = self.shared.books().take(&self.shared.manifest.id, &message.payload, acker, true);
                self.ack(todo.ack).await;
            }
            if count == 0 {
                let halves = self.shared.books().taken_over();
                self.ack(halves).await;
                return Ok(());
            }
        }
    }

    async fn run(self, mut orders: UnboundedReceiver<Command>) {
        let reading = self.clone_for(Self::read_results);
        let looking = self.clone_for(Self::look_after);
        while let Some(command) = orders.recv().await {
            match command {
                Command::Publish(batch) => self.publish(batch),
                Command::Ack(ackers) => self.ack(ackers).await,
                Command::Withdraw => self.link.purge().await,
                Command::Over => self.link.purge_results().await,
                Command::End => break,
            }
        }
        reading.abort();
        looking.abort();
        let _ = timeout(LAST_WORDS, async {
            self.link.purge().await;
            let _ = self.link.client.flush().await;
        })
        .await;
    }

    /// Runs a part of it beside the others.
    fn clone_for<F: Future<Output = ()> + Send + 'static>(
        &self,
        work: impl FnOnce(Self) -> F,
    ) -> tokio::task::JoinHandle<()> {
        tokio::spawn(work(Self {
            shared: Arc::clone(&self.shared),
            link: self.link.clone(),
            commands: self.commands.clone(),
            results: self.results.clone(),
        }))
    }

    async fn ack(&self, ackers: Vec<Acker>) {
        for acker in ackers {
            // A result that the server does not hear of comes again, to the next coordinator.
            let _ = acker.ack().await;
        }
    }

    /// Publishes an open batch until the server has stored it.
    fn publish(&self, batch: BatchNumber) {
        let Some((word, tries)) = self.shared.books().open.get_mut(&batch).map(|open| {
            open.tries += 1;
            (open.word.clone(), open.tries)
        }) else {
            return;
        };
        let (shared, context) = (Arc::clone(&self.shared), self.link.context.clone());
        tokio::spawn(async move {
            let [run, number] = batch.0;
            let id = format!("{run:x}-{number}-{tries}");
            let subject = subject_of(&shared.manifest.id);
            let is_wanted =
                || !shared.is_ending.load(Ordering::SeqCst) && shared.books().open.contains_key(&batch);
            while is_wanted() {
                let message = PublishMessage::build().payload(word.clone().into()).message_id(&id);
                if let Ok(stored) = context.send_publish(subject.clone(), message).await
                    && stored.await.is_ok()
                {
                    return;
                }
                sleep(AGAIN_AFTER).await;
            }
        });
    }

    /// Does what follows from a result.
    async fn see_to(&self, todo: Todo) {
        self.ack(todo.ack).await;
        todo.again.into_iter().for_each(|batch| self.publish(batch));
        self.shared.note(todo.notes);
    }

    async fn read_results(mut self) {
        loop {
            let batch = self.results.batch().max_messages(RESULTS_AT_ONCE).expires(RESULTS_WAIT);
            let Ok(mut messages) = batch.messages().await else {
                sleep(AGAIN_AFTER).await;
                continue;
            };
            loop {
                let next = tokio::select! {
                    next = messages.next() => next,
                    // What the server was asked before, it has forgotten.
                    () = self.shared.back.notified() => None,
                };
                match next {
                    Some(Ok(message)) => {
                        let (message, acker) = message.split();
                        let todo = self.shared.books().take(
                            &self.shared.manifest.id,
                            &message.payload,
                            acker,
                            false,
                        );
                        self.see_to(todo).await;
                    }
                    Some(Err(_)) => {
                        // The consumer may be gone.
                        sleep(AGAIN_AFTER).await;
                        if let Ok((_, results)) = self.link.streams().await
                            && let Ok(consumer) = self.link.results(&results).await
                        {
                            self.results = consumer;
                        }
                        break;
                    }
                    None => break,
                }
            }
        }
    }

    /// Looks after workers that are gone, streams that are gone, and batches that are lost.
    async fn look_after(mut self) {
        loop {
            sleep(LOOK_EVERY).await;
            let gone = self.shared.books().forget_gone();
            self.shared.count_jobs();
            self.shared.note(gone);
            let is_idle = self.is_idle().await;
            let mut lost = Vec::new();
            for (batch, open) in &mut self.shared.books().open {
                if open.is_doubtful && is_idle {
                    lost.push(*batch);
                }
                open.is_doubtful = is_idle;
            }
            if !lost.is_empty() {
                self.shared
                    .note([format!("the server has lost {} batches: they are sent again", lost.len())]);
            }
            for batch in lost {
                let _ = self.commands.send(Command::Publish(batch));
            }
        }
    }

    /// Makes what is gone again. Returns true if the server has no batch and no result that is on its way.
    async fn is_idle(&mut self) -> bool {
        let Ok((games, results)) = self.link.streams().await else { return false };
        if self.link.batches(&games, &self.shared.manifest.id).await.is_err() {
            return false;
        }
        let Ok(mut consumer) = self.link.results(&results).await else { return false };
        let Ok(batches) = games.get_info().await else { return false };
        // Asked after the batches: a worker stores its result before it acknowledges the batch.
        let Ok(info) = consumer.info().await else { return false };
        batches.state.messages == 0 && info.num_pending == 0
    }
}

/// Bytes of a word in JSON.
pub(crate) fn json(word: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(word).expect("words are plain data")
}

async fn answer_questions(shared: Arc<Shared>, mut asked: async_nats::Subscriber, link: Link) {
    while let Some(message) = asked.next().await {
        let Some(reply) = message.reply else { continue };
        let answer = match serde_json::from_slice(&message.payload) {
            Ok(Question::Coordinator) => Answer::Busy,
            Ok(Question::Worker { session, name, jobs, versions }) => {
                let entered = match versions.difference(&shared.versions) {
                    Some(why) => Err(Why::from(why.as_str())),
                    None => shared.books().enter(session, &name, jobs),
                };
                match entered {
                    Ok(note) => {
                        shared.count_jobs();
                        shared.note(note);
                        Answer::Contest(shared.manifest.clone())
                    }
                    Err(why) => {
                        shared.note([format!("worker {name} is refused: {why}")]);
                        Answer::Refused(why)
                    }
                }
            }
            Ok(Question::Suspect { batch }) => match shared.books().try_alone(BatchNumber(batch)) {
                true => Answer::Play,
                false => Answer::GiveUp,
            },
            Err(_) => Answer::Refused("it does not say what it is".into()),
        };
        // Whoever gets no answer asks again.
        let _ = link.client.publish(reply, json(&answer).into()).await;
    }
}

async fn answer_beats(shared: Arc<Shared>, mut beats: async_nats::Subscriber, link: Link) {
    while let Some(message) = beats.next().await {
        let (Some(reply), Ok(beat)) = (message.reply, serde_json::from_slice::<Beat>(&message.payload))
        else {
            continue;
        };
        let answer = shared.books().beat(&shared.manifest.id, &beat);
        let _ = link.client.publish(reply, json(&answer).into()).await;
    }
}
