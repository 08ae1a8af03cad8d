//! A worker: it takes batches and brings what was told of their games.

use crate::coordinator::{json, no_thread, runtime};
use crate::parts::cut;
use crate::server::{CONTEST, Change, ConnectError, Link, RESULTS_SUBJECT, Server, WORKERS, get_component};
use crate::words::{
    Answer, BatchWord, Beat, Beaten, BotEntry, Game, Manifest, Name, Outcome, PartWord, Question, Session,
    Told, Versions, Why,
};
use async_nats::RequestErrorKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{Notify, RwLock, oneshot};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

/// The number of batches that a worker holds for each job. Chosen: one is played, and the next one is there when it ends.
const HELD_PER_JOB: usize = 2;

/// The time between two signs of life, and between two tries to reach a coordinator. Chosen: a person sees a worker come at once.
const BEAT_EVERY: Duration = Duration::from_secs(1);

/// The time that a request for a batch waits at the server.
const BATCH_WAIT: Duration = Duration::from_secs(5);

/// The time after which a contest without a coordinator is over, for a worker that holds none of its games. Chosen: a
/// coordinator that is started again is back by then.
const OVER_AFTER: Duration = Duration::from_secs(10);

/// The longest time that the batches that are given back take. Chosen: nobody waits longer for a prompt.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A worker, connected to a server. A thread of its own speaks with it.
pub struct Worker {
    me: Arc<Me>,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

/// Everything that a worker says of itself.
struct Me {
    link: Link,
    session: Session,
    name: Name,
    jobs: u16,
    versions: Versions,
    connection: Arc<Connection>,
    /// The number of games that were played.
    played: AtomicU64,
    /// The number of results of all contests: the server takes no two of the same number.
    answers: AtomicU64,
    ends: Notify,
}

/// The connection, as it was seen last.
#[derive(Default)]
struct Connection {
    back: Notify,
    notes: Mutex<Vec<String>>,
    is_gone: AtomicBool,
}

/// The end of a contest for a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There is no coordinator for it any more, or one for another contest.
    Over,
    /// It was asked to stop.
    Stopped,
    /// The coordinator does not let it play, for this reason.
    Refused(Why),
}

impl Worker {
    /// Connects to a server. `session` is a random number.
    ///
    /// # Errors
    /// The server cannot be used.
    pub fn connect(
        server: &Server,
        name: Name,
        jobs: u16,
        versions: Versions,
        session: u64,
    ) -> Result<Self, ConnectError> {
        let runtime = runtime()?;
        let connection = Arc::<Connection>::default();
        let telling = Arc::clone(&connection);
        let link =
            runtime.block_on(server.connect(&format!("arena worker {}", name.as_str()), move |change| {
                telling.changed(change);
            }))?;
        let me = Arc::new(Me {
            link,
            session: Session(session),
            name,
            jobs,
            versions,
            connection,
            played: AtomicU64::new(0),
            answers: AtomicU64::new(0),
            ends: Notify::new(),
        });
        let handle = runtime.handle().clone();
        let ends = Arc::clone(&me);
        let thread = thread::Builder::new().name("server".into());
        let thread = thread.spawn(move || runtime.block_on(ends.ends.notified())).map_err(no_thread)?;
        Ok(Self { me, handle, thread: Some(thread) })
    }

    /// Waits for a contest; none if it is to stop before there is one.
    ///
    /// # Errors
    /// The coordinator does not let it play, for this reason.
    pub fn contest(&self, stop: impl Fn() -> bool) -> Result<Option<Manifest>, Why> {
        while !stop() {
            let asked = Instant::now();
            // A server that is gone is not waited for: the user may want to stop.
            let answer = self.handle.block_on(async { timeout(BEAT_EVERY, self.me.hello()).await });
            match answer {
                Ok(Some(Answer::Contest(manifest))) => return Ok(Some(manifest)),
                Ok(Some(Answer::Refused(why))) => return Err(why),
                Ok(Some(_) | None) | Err(_) => {}
            }
            while asked.elapsed() < BEAT_EVERY && !stop() {
                thread::sleep(BEAT_EVERY / 10);
            }
        }
        Ok(None)
    }

    /// The component of a bot, which has the hash that it should have.
    ///
    /// # Errors
    /// The store does not have it, or the server is gone.
    pub fn component(&self, bot: &BotEntry) -> Result<Vec<u8>, String> {
        self.handle.block_on(async {
            let store = self.me.link.store().await.map_err(|error| error.to_string())?;
            get_component(&store, &bot.sha256, bot.bytes).await
        })
    }

    /// Begins a contest: it says that it lives, and takes batches as soon as it [can play them](Batches::begin).
    pub fn begin(&self, manifest: &Manifest) -> Batches<'_> {
        let shared = Arc::new(Shared {
            me: Arc::clone(&self.me),
            contest: manifest.id.as_str().to_owned(),
            queue: Mutex::default(),
            changed: Condvar::new(),
            alone: RwLock::new(()),
            may_fetch: AtomicBool::new(true),
            is_ready: AtomicBool::new(false),
            is_stopping: Notify::new(),
            held: AtomicU64::new(0),
        });
        let slots = usize::from(self.me.jobs) * HELD_PER_JOB;
        let mut tasks: Vec<_> =
            (0..slots).map(|_| self.handle.spawn(Arc::clone(&shared).take_batches())).collect();
        tasks.push(self.handle.spawn(Arc::clone(&shared).beat()));
        Batches { worker: self, shared, tasks }
    }

    /// The lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.me.connection.notes))
    }

    /// The number of games that it has played.
    pub fn games_played(&self) -> u64 {
        self.me.played.load(Ordering::SeqCst)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.me.ends.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of it has been reported.
            let _ = thread.join();
        }
    }
}

impl Connection {
    fn changed(&self, change: Change) {
        let is_gone = change == Change::Gone;
        if self.is_gone.swap(is_gone, Ordering::SeqCst) != is_gone {
            let what = if is_gone { "the server is gone: waiting for it" } else { "the server is back" };
            lock(&self.notes).push(what.into());
        }
        if !is_gone {
            self.back.notify_waiters();
        }
    }
}

impl Me {
    /// Says hello; none if there is no coordinator.
    async fn hello(&self) -> Option<Answer> {
        let question = Question::Worker {
            session: self.session,
            name: self.name.clone(),
            jobs: self.jobs,
            versions: self.versions.clone(),
        };
        self.ask(&question).await
    }

    /// Asks a question; none if there is no coordinator.
    async fn ask(&self, question: &Question) -> Option<Answer> {
        let answer = self.link.client.request(CONTEST, json(question).into()).await.ok()?;
        serde_json::from_slice(&answer.payload).ok()
    }
}

/// The batches of a contest that a worker takes, for its jobs.
pub struct Batches<'a> {
    worker: &'a Worker,
    shared: Arc<Shared>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

struct Shared {
    me: Arc<Me>,
    contest: String,
    queue: Mutex<Queue>,
    /// Told when there is a batch, or when it has ended.
    changed: Condvar,
    /// A batch that may have ended a worker is played alone.
    alone: RwLock<()>,
    /// False while there is no coordinator.
    may_fetch: AtomicBool,
    /// True once its batches can be played.
    is_ready: AtomicBool,
    is_stopping: Notify,
    /// The number of games in the batches that it holds.
    held: AtomicU64,
}

#[derive(Default)]
struct Queue {
    batches: VecDeque<Arc<InPlay>>,
    ended: Option<Ended>,
}

/// A batch that is to be played, or is played.
pub struct InPlay {
    /// Its games.
    pub games: Vec<Game>,
    told: Mutex<(Vec<Option<Told>>, usize)>,
    began: Mutex<Option<Instant>>,
    done: Mutex<Option<oneshot::Sender<Outcome>>>,
}

impl Batches<'_> {
    /// Begins to take batches.
    pub fn begin(&self) {
        self.shared.is_ready.store(true, Ordering::SeqCst);
    }

    /// The next batch; none if it has ended, or, unless it `may_wait`, none at the moment.
    pub fn take(&self, may_wait: bool) -> Option<Arc<InPlay>> {
        let mut queue = lock(&self.shared.queue);
        if may_wait {
            let is_empty = |queue: &mut Queue| queue.batches.is_empty() && queue.ended.is_none();
            queue = self.shared.changed.wait_while(queue, is_empty).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.ended.is_some() {
            return None;
        }
        queue.batches.pop_front()
    }

    /// The end, if it has ended.
    pub fn ended(&self) -> Option<Ended> {
        lock(&self.shared.queue).ended.clone()
    }

    /// Stops: nothing more is taken, and the batches that are not done are given back.
    pub fn stop(&self) {
        self.shared.end(Ended::Stopped);
    }

    /// The number of games that it holds.
    pub fn games_held(&self) -> u64 {
        self.shared.held.load(Ordering::SeqCst)
    }
}

impl Drop for Batches<'_> {
    /// Waits until what is not done has been given back.
    fn drop(&mut self) {
        self.shared.end(Ended::Stopped);
        let tasks = std::mem::take(&mut self.tasks);
        let given_back = async {
            let all = async {
                for task in &tasks {
                    while !task.is_finished() {
                        sleep(Duration::from_millis(5)).await;
                    }
                }
                // A message that was sent is on its way.
                let _ = self.shared.me.link.client.flush().await;
            };
            let _ = timeout(LAST_WORDS, all).await;
        };
        self.worker.handle.block_on(given_back);
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

impl InPlay {
    /// Notes that its first game begins.
    pub fn begin(&self) {
        lock(&self.began).get_or_insert_with(Instant::now);
    }

    /// Brings a game by its place. Each is brought once.
    pub fn tell(&self, place: usize, told: Told) {
        let mut all = lock(&self.told);
        let (told_of, count) = &mut *all;
        told_of[place] = Some(told);
        *count += 1;
        if *count == told_of.len() {
            let took = lock(&self.began).map_or(Duration::ZERO, |began| began.elapsed());
            let keys = self.games.iter().map(|game| game.key);
            let games = keys.zip(told_of.drain(..).flatten()).collect();
            if let Some(done) = lock(&self.done).take() {
                // Nobody waits for it any more if it was given back.
                let _ = done.send(Outcome::Played { took, games });
            }
        }
    }
}

impl Shared {
    fn end(&self, ended: Ended) {
        lock(&self.queue).ended.get_or_insert(ended);
        self.changed.notify_all();
        self.is_stopping.notify_waiters();
    }

    fn has_ended(&self) -> bool {
        lock(&self.queue).ended.is_some()
    }

    /// Waits until it has ended.
    async fn stopping(&self) {
        loop {
            let notified = self.is_stopping.notified();
            if self.has_ended() {
                return;
            }
            notified.await;
        }
    }

    /// Takes one batch after the other.
    async fn take_batches(self: Arc<Self>) {
        let mut consumer = None;
        while !self.has_ended() {
            let message = tokio::select! {
                message = self.fetch(&mut consumer) => message,
                () = self.stopping() => return,
            };
            let Some(message) = message else { continue };
            tokio::select! {
                () = self.see_to(&message) => {}
                () = self.stopping() => {
                    // It is delivered to another worker at once.
                    let _ = message.ack_with(AckKind::Nak(None)).await;
                }
            }
        }
    }

    /// The next batch; none if none has come, for whatever reason. A consumer is kept as long as it gives batches.
    async fn fetch(&self, known: &mut Option<PullConsumer>) -> Option<Message> {
        if !self.is_ready.load(Ordering::SeqCst) || !self.may_fetch.load(Ordering::SeqCst) {
            sleep(BEAT_EVERY / 4).await;
            return None;
        }
        let consumer = match known {
            Some(consumer) => consumer,
            None => match self.me.link.consumer(&self.contest).await {
                Some(consumer) => known.insert(consumer),
                None => {
                    sleep(BEAT_EVERY).await;
                    return None;
                }
            },
        };
        let asked = consumer.batch().max_messages(1).expires(BATCH_WAIT).messages().await;
        let next = match asked {
            Ok(mut messages) => tokio::select! {
                next = messages.next() => next,
                // What the server was asked before, it has forgotten.
                () = self.me.connection.back.notified() => return None,
            },
            Err(error) => Some(Err(error.into())),
        };
        match next {
            Some(Ok(message)) => Some(message),
            None => None,
            Some(Err(_)) => {
                // The consumer may be gone, and is made again by the coordinator.
                *known = None;
                sleep(BEAT_EVERY / 4).await;
                None
            }
        }
    }

    /// Plays a batch, brings its result, and acknowledges it.
    async fn see_to(&self, message: &Message) {
        let Ok(word) = postcard::from_bytes::<BatchWord>(&message.payload) else {
            // Nobody can play it, now or later.
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let count = word.games.len() as u64;
        self.held.fetch_add(count, Ordering::SeqCst);
        let held = OnDrop(|| _ = self.held.fetch_sub(count, Ordering::SeqCst));
        let batch = word.batch;
        let done = async {
            let is_suspect = word.is_suspect || deliveries > 1;
            let outcome = self.play(word, is_suspect).await;
            if let Outcome::Played { games, .. } = &outcome {
                self.me.played.fetch_add(games.len() as u64, Ordering::SeqCst);
            }
            self.bring(batch, &outcome).await;
        };
        tokio::select! {
            () = done => {}
            () = keep_alive(message) => {}
        }
        drop(held);
        // If it gets lost, the batch is played again, and the second result is dropped.
        let _ = message.ack().await;
    }

    /// Has a batch played: with nothing else in play if it may end this worker, so that nobody doubts which one it was.
    async fn play(&self, word: BatchWord, is_suspect: bool) -> Outcome {
        let _together;
        let _alone;
        if is_suspect {
            _alone = self.alone.write().await;
            if !self.is_to_play(word.batch).await {
                return Outcome::GivenUp("it has ended each worker that played it".into());
            }
        } else {
            _together = self.alone.read().await;
        }
        let (done, outcome) = oneshot::channel();
        let told = Mutex::new((word.games.iter().map(|_| None).collect(), 0));
        let batch = InPlay { games: word.games, told, began: Mutex::default(), done: Mutex::new(Some(done)) };
        if batch.games.is_empty() {
            return Outcome::Played { took: Duration::ZERO, games: Vec::new() };
        }
        lock(&self.queue).batches.push_back(Arc::new(batch));
        self.changed.notify_one();
        match outcome.await {
            Ok(outcome) => outcome,
            // Its players are gone: it is given back.
            Err(_) => std::future::pending().await,
        }
    }

    /// Asks the coordinator if it is to play a batch that may end it.
    async fn is_to_play(&self, batch: [u64; 2]) -> bool {
        loop {
            match self.me.ask(&Question::Suspect { batch }).await {
                Some(Answer::Play) => return true,
                Some(_) => return false,
                None => sleep(BEAT_EVERY).await,
            }
        }
    }

    /// Sends a result until the server has stored it.
    async fn bring(&self, batch: [u64; 2], outcome: &Outcome) {
        let bytes_max = self.me.link.client.max_payload();
        let encode = |outcome: &Outcome| postcard::to_allocvec(outcome).expect("a result is plain data");
        let mut bytes = encode(outcome);
        if cut(&bytes, bytes_max).is_none() {
            bytes = encode(&Outcome::GivenUp("its result is too large".into()));
        }
        let parts = cut(&bytes, bytes_max).unwrap_or_default();
        let answer = self.me.answers.fetch_add(1, Ordering::SeqCst);
        let session = self.me.session;
        let count = u32::try_from(parts.len()).expect("there are few parts");
        for (part, bytes) in (0..).zip(parts) {
            let word = PartWord { contest: &self.contest, batch, session, answer, part, parts: count, bytes };
            let word: Vec<u8> = postcard::to_allocvec(&word).expect("a part is plain data");
            let id = format!("{:x}-{answer}-{part}", session.0);
            loop {
                let message = PublishMessage::build().payload(word.clone().into()).message_id(&id);
                if let Ok(stored) = self.me.link.context.send_publish(RESULTS_SUBJECT, message).await
                    && stored.await.is_ok()
                {
                    break;
                }
                sleep(BEAT_EVERY).await;
            }
        }
    }

    /// Says that it lives, and does what the coordinator answers.
    async fn beat(self: Arc<Self>) {
        let mut heard = Instant::now();
        let mut ticks = interval(BEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.has_ended() {
            ticks.tick().await;
            let beat = Beat {
                session: self.me.session,
                contest: self.contest.as_str().into(),
                played: self.me.played.load(Ordering::SeqCst),
                in_flight: self.held.load(Ordering::SeqCst),
            };
            let answer = self.me.link.client.request(WORKERS, json(&beat).into()).await;
            let answer = match answer {
                Ok(answer) => serde_json::from_slice(&answer.payload).ok(),
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                    self.may_fetch.store(false, Ordering::SeqCst);
                    if heard.elapsed() > OVER_AFTER && self.held.load(Ordering::SeqCst) == 0 {
                        self.end(Ended::Over);
                    }
                    continue;
                }
                // The server is gone or busy, and nothing is known.
                Err(_) => {
                    heard = Instant::now();
                    continue;
                }
            };
            heard = Instant::now();
            match answer {
                Some(Beaten::Known) => self.may_fetch.store(true, Ordering::SeqCst),
                Some(Beaten::Excluded(why)) => self.end(Ended::Refused(why)),
                Some(Beaten::Unknown) => match self.me.hello().await {
                    Some(Answer::Contest(manifest)) if manifest.id.as_str() == self.contest => {
                        self.may_fetch.store(true, Ordering::SeqCst);
                    }
                    Some(Answer::Contest(_)) => self.end(Ended::Over),
                    Some(Answer::Refused(why)) => self.end(Ended::Refused(why)),
                    Some(_) | None => {}
                },
                None => {}
            }
        }
    }
}

/// Says again and again that a batch is worked on.
async fn keep_alive(message: &Message) {
    loop {
        sleep(BEAT_EVERY).await;
        // If the server does not hear of it, it delivers the batch again.
        let _ = message.ack_with(AckKind::Progress).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
