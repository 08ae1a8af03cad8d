//! A worker: it takes batches and brings what was told of their games.

mod batches;

use crate::coordinator::{json, lock, no_thread, runtime};
use crate::keys::WorkerKey;
use crate::ledger::{ASK, HELD_PER_JOB};
use crate::message::{
    Answer, BotEntry, Game, Hello, Manifest, Name, Outcome, Question, Session, Told, Versions, Why,
};
use crate::server::{ConnectError, Connection, Link, Server, get_component};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{Notify, RwLock, oneshot};
use tokio::time::{sleep, timeout};

/// The time between two signs of life, and between two tries to reach a coordinator. Chosen: a person sees a worker come at once.
const BEAT_EVERY: Duration = Duration::from_secs(1);

/// The longest time that the batches that are given back take. Chosen: as long as a person waits for a prompt.
const LAST_MESSAGES: Duration = Duration::from_secs(2);

/// A worker, connected to a server. A thread of its own speaks with it.
pub struct Worker {
    me: Arc<Me>,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

/// Everything that a worker says of itself.
struct Me {
    link: Link,
    key: WorkerKey,
    hello: Hello,
    connection: Arc<Connection>,
    /// The number of games that were played.
    played: AtomicU64,
    ends: Notify,
}

/// What a worker says of itself.
pub struct Introduction {
    /// Its name.
    pub name: Name,
    /// Its machine.
    pub machine: String,
    /// The number of games that it plays at the same time.
    pub jobs: u16,
    /// Its versions.
    pub versions: Versions,
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
    /// Connects to a server.
    ///
    /// # Errors
    /// The server cannot be used.
    pub fn connect(server: &Server, key: WorkerKey, of: Introduction) -> Result<Self, ConnectError> {
        let Introduction { name, machine, jobs, versions } = of;
        let runtime = runtime()?;
        let connection = Arc::<Connection>::default();
        let link =
            runtime.block_on(server.connect(&format!("arena worker {}", name.as_str()), &connection))?;
        let me = Arc::new(Me {
            link,
            key,
            hello: Hello { name, machine: machine.as_str().into(), jobs, versions },
            connection,
            played: AtomicU64::new(0),
            ends: Notify::new(),
        });
        let handle = runtime.handle().clone();
        let ends = Arc::clone(&me);
        let thread = thread::Builder::new().name("server".into());
        let thread = thread.spawn(move || runtime.block_on(ends.ends.notified())).map_err(no_thread)?;
        Ok(Self { me, handle, thread: Some(thread) })
    }

    /// Waits for a contest; `None` if it is to stop before there is one.
    ///
    /// # Errors
    /// The coordinator does not let it play, for this reason.
    pub fn contest(&self, stop: impl Fn() -> bool) -> Result<Option<Contest>, Why> {
        while !stop() {
            let asked = Instant::now();
            // A server that is gone is not waited for: the user may want to stop.
            let answer = self.handle.block_on(async { timeout(BEAT_EVERY, self.me.hello()).await });
            match answer {
                Ok(Some(Answer::Welcome { session, manifest })) => {
                    return Ok(Some(Contest { manifest, session }));
                }
                Ok(Some(Answer::Refused(why))) => return Err(why),
                Ok(Some(_) | None) | Err(_) => {}
            }
            while asked.elapsed() < BEAT_EVERY && !stop() {
                thread::sleep(BEAT_EVERY / 10);
            }
        }
        Ok(None)
    }

    /// The component of a bot. Its hash has been checked.
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
    pub fn begin(&self, contest: &Contest) -> Batches<'_> {
        let shared = Arc::new(Shared {
            me: Arc::clone(&self.me),
            contest: contest.manifest.id.as_str().to_owned(),
            session: AtomicU64::new(contest.session.0),
            queue: Mutex::default(),
            changed: Condvar::new(),
            alone: RwLock::new(()),
            may_fetch: AtomicBool::new(true),
            is_ready: AtomicBool::new(false),
            is_stopping: Notify::new(),
            held: Mutex::default(),
        });
        let slots = usize::from(self.me.hello.jobs) * HELD_PER_JOB;
        let mut tasks: Vec<_> =
            (0..slots).map(|_| self.handle.spawn(Arc::clone(&shared).take_batches())).collect();
        tasks.push(self.handle.spawn(Arc::clone(&shared).live()));
        Batches { worker: self, shared, tasks }
    }

    /// The lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        self.me.connection.notes()
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

impl Me {
    /// Says hello; `None` if there is no coordinator.
    async fn hello(&self) -> Option<Answer> {
        self.ask(&Question::Hello(self.hello.clone())).await
    }

    /// A question, signed.
    fn signed(&self, question: &Question) -> Vec<u8> {
        self.key.seal(&format!("{ASK} {}", self.link.contest.as_str()), &json(question))
    }

    /// Asks a question; `None` if there is no coordinator.
    async fn ask(&self, question: &Question) -> Option<Answer> {
        let subject = self.link.contest.ask();
        let answer = self.link.client.request(subject, self.signed(question).into()).await.ok()?;
        serde_json::from_slice(&answer.payload).ok()
    }
}

/// A contest in which a worker may play.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Everything that its games have in common.
    pub manifest: Manifest,
    session: Session,
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
    /// The number of its run, which another coordinator changes.
    session: AtomicU64,
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
    /// The batches that it holds, with the number of their games.
    held: Mutex<BTreeMap<u64, u64>>,
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

    /// The next batch; `None` if the contest has ended, or, unless it `may_wait`, if there is no batch at the moment.
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
        lock(&self.shared.held).values().sum()
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
                self.shared.leave().await;
                // A message that was sent is on its way.
                let _ = self.shared.me.link.client.flush().await;
            };
            let _ = timeout(LAST_MESSAGES, all).await;
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
