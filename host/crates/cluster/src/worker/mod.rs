//! A worker: fetches batches and sends reports about their games.

mod batches;

use crate::coordinator::{json, lock};
use crate::error::ConnectError;
use crate::keys::WorkerKey;
use crate::ledger::{ASK, HELD_PER_JOB};
use crate::limits::WorkerLimits;
use crate::message::{
    Answer, BotEntry, Game, GameReport, Hello, Manifest, Name, Outcome, Request, Session, Versions, Why,
};
use crate::server::{Connection, Link, Server, get_component, runtime};
use arena_resources::NewThread;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{Notify, RwLock, oneshot};
use tokio::time::{sleep, timeout};

/// The interval between two heartbeats, and between two attempts to reach a coordinator. Chosen: a worker appears within a second.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(1);

/// The timeout for returning batches at the end. Chosen: as long as a person waits for a prompt.
const LAST_MESSAGES: Duration = Duration::from_secs(2);

/// A worker, connected to a server. A dedicated thread communicates with the server.
pub struct Worker {
    inner: Arc<Inner>,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

/// The shared state of a worker.
struct Inner {
    link: Link,
    key: WorkerKey,
    hello: Hello,
    connection: Arc<Connection>,
    /// The number of games played.
    played: AtomicU64,
    ends: Notify,
}

/// The self-description of a worker.
pub struct Introduction {
    /// Its name.
    pub name: Name,
    /// Its machine.
    pub machine: String,
    /// The number of games that it plays at the same time.
    pub jobs: u16,
    /// Its versions.
    pub versions: Versions,
    /// Its limits.
    pub limits: WorkerLimits,
}

/// The reason why a contest has ended for a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The coordinator is gone, or coordinates another contest.
    Over,
    /// The worker was asked to stop.
    Stopped,
    /// The coordinator refuses the worker, for this reason.
    Refused(Why),
}

impl Worker {
    /// Connects to a server.
    ///
    /// # Errors
    /// The server is unusable.
    pub fn connect(server: &Server, key: WorkerKey, of: Introduction) -> Result<Self, ConnectError> {
        let Introduction { name, machine, jobs, versions, limits } = of;
        let runtime = runtime()?;
        let connection = Arc::<Connection>::default();
        let link =
            runtime.block_on(server.connect(&format!("arena worker {}", name.as_str()), &connection))?;
        let inner = Arc::new(Inner {
            link,
            key,
            hello: Hello { name, machine: machine.as_str().into(), jobs, versions, limits },
            connection,
            played: AtomicU64::new(0),
            ends: Notify::new(),
        });
        let handle = runtime.handle().clone();
        let ends = Arc::clone(&inner);
        let thread = NewThread::named("server").start(move || runtime.block_on(ends.ends.notified()))?;
        Ok(Self { inner, handle, thread: Some(thread) })
    }

    /// Waits for a contest; `None` when `stop` returns true first.
    ///
    /// # Errors
    /// The coordinator refuses the worker, or its contest exceeds the worker's limits, for this reason.
    pub fn contest(&self, stop: impl Fn() -> bool) -> Result<Option<Contest>, Why> {
        while !stop() {
            let asked = Instant::now();
            // Do not wait longer for an unreachable server: the user may want to stop.
            let answer = self.handle.block_on(async { timeout(HEARTBEAT_EVERY, self.inner.hello()).await });
            match answer {
                Ok(Some(Answer::Welcome { session, manifest })) => {
                    // An honest coordinator has checked it.
                    let Hello { jobs, limits, .. } = &self.inner.hello;
                    if let Some(why) = limits.exceeded_by(&manifest, *jobs) {
                        self.leave(session);
                        return Err(why.as_str().into());
                    }
                    return Ok(Some(Contest { manifest, session }));
                }
                Ok(Some(Answer::Refused(why))) => return Err(why),
                Ok(Some(_) | None) | Err(_) => {}
            }
            while asked.elapsed() < HEARTBEAT_EVERY && !stop() {
                thread::sleep(HEARTBEAT_EVERY / 10);
            }
        }
        Ok(None)
    }

    /// Leaves a contest that it does not play.
    fn leave(&self, session: Session) {
        // If the coordinator does not hear it, it hears no heartbeat either.
        let leave = Request::Leave { session };
        self.handle.block_on(async {
            let _ = timeout(LAST_MESSAGES, self.inner.ask(&leave)).await;
        });
    }

    /// Downloads the component of a bot or a game and checks its hash.
    ///
    /// # Errors
    /// The store does not have the component, or the server is unreachable.
    pub fn component(&self, bot: &BotEntry) -> Result<Vec<u8>, String> {
        self.handle.block_on(async {
            let store = self.inner.link.store().await.map_err(|error| error.to_string())?;
            get_component(&store, &bot.sha256, bot.bytes).await
        })
    }

    /// Joins a contest: starts sending heartbeats, and fetches batches after [`Batches::begin`].
    pub fn begin(&self, contest: &Contest) -> Batches<'_> {
        let shared = Arc::new(Shared {
            inner: Arc::clone(&self.inner),
            contest: contest.manifest.id.as_str().to_owned(),
            session: AtomicU64::new(contest.session.0),
            queue: Mutex::default(),
            changed: Condvar::new(),
            exclusive: RwLock::new(()),
            may_fetch: AtomicBool::new(true),
            is_ready: AtomicBool::new(false),
            is_stopping: Notify::new(),
            held: Mutex::default(),
        });
        let slots = usize::from(self.inner.hello.jobs) * HELD_PER_JOB;
        let mut tasks: Vec<_> =
            (0..slots).map(|_| self.handle.spawn(Arc::clone(&shared).take_batches())).collect();
        tasks.push(self.handle.spawn(Arc::clone(&shared).send_heartbeats()));
        Batches { worker: self, shared, tasks }
    }

    /// Takes the lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        self.inner.connection.notes()
    }

    /// The number of games that the worker has played.
    pub fn games_played(&self) -> u64 {
        self.inner.played.load(Ordering::SeqCst)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.inner.ends.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported already.
            let _ = thread.join();
        }
    }
}

impl Inner {
    /// Says hello; `None` when there is no coordinator.
    async fn hello(&self) -> Option<Answer> {
        self.ask(&Request::Hello(self.hello.clone())).await
    }

    /// Encodes and signs a request.
    fn signed(&self, request: &Request) -> Vec<u8> {
        self.key.seal(&format!("{ASK} {}", self.link.contest.as_str()), &json(request))
    }

    /// Sends a request; `None` when there is no coordinator.
    async fn ask(&self, request: &Request) -> Option<Answer> {
        let subject = self.link.contest.ask();
        let answer = self.link.client.request(subject, self.signed(request).into()).await.ok()?;
        serde_json::from_slice(&answer.payload).ok()
    }
}

/// A contest that a worker may join.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The description of the contest.
    pub manifest: Manifest,
    session: Session,
}

/// The batches of a contest, for a worker's jobs.
pub struct Batches<'a> {
    worker: &'a Worker,
    shared: Arc<Shared>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

struct Shared {
    inner: Arc<Inner>,
    contest: String,
    /// The session of its run. A new coordinator changes it.
    session: AtomicU64,
    queue: Mutex<Queue>,
    /// Notified when a batch arrives or the contest ends.
    changed: Condvar,
    /// Locked for writing while a batch is played alone.
    exclusive: RwLock<()>,
    /// False while there is no coordinator, so that no batches are requested.
    may_fetch: AtomicBool,
    /// True once the worker can play batches.
    is_ready: AtomicBool,
    is_stopping: Notify,
    /// The held batches, with the numbers of their games.
    held: Mutex<BTreeMap<u64, u64>>,
}

#[derive(Default)]
struct Queue {
    batches: VecDeque<Arc<HeldBatch>>,
    ended: Option<Ended>,
}

/// A batch in the queue or in play.
pub struct HeldBatch {
    /// Its games.
    pub games: Vec<Game>,
    reports: Mutex<(Vec<Option<GameReport>>, usize)>,
    began: Mutex<Option<Instant>>,
    done: Mutex<Option<oneshot::Sender<Outcome>>>,
}

impl Batches<'_> {
    /// Starts fetching batches.
    pub fn begin(&self) {
        self.shared.is_ready.store(true, Ordering::SeqCst);
    }

    /// Takes the next batch; `None` when the contest has ended or, unless `may_wait` is true, when the queue is empty.
    pub fn take(&self, may_wait: bool) -> Option<Arc<HeldBatch>> {
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

    /// The reason for the end; `None` while the contest goes on.
    pub fn ended(&self) -> Option<Ended> {
        lock(&self.shared.queue).ended.clone()
    }

    /// Stops fetching batches, and returns unfinished ones.
    pub fn stop(&self) {
        self.shared.end(Ended::Stopped);
    }
}

impl Drop for Batches<'_> {
    /// Waits until unfinished batches have been returned.
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
                // Wait until the message has reached the server.
                let _ = self.shared.inner.link.client.flush().await;
            };
            let _ = timeout(LAST_MESSAGES, all).await;
        };
        self.worker.handle.block_on(given_back);
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

impl HeldBatch {
    /// Records the start of the first game.
    pub fn begin(&self) {
        lock(&self.began).get_or_insert_with(Instant::now);
    }

    /// Reports a game by its index. Each game is reported once.
    pub fn report(&self, place: usize, report: GameReport) {
        let mut all = lock(&self.reports);
        let (reports, count) = &mut *all;
        reports[place] = Some(report);
        *count += 1;
        if *count == reports.len() {
            let took = lock(&self.began).map_or(Duration::ZERO, |began| began.elapsed());
            let keys = self.games.iter().map(|game| game.key);
            let games = keys.zip(reports.drain(..).flatten()).collect();
            if let Some(done) = lock(&self.done).take() {
                // The receiver is gone if the batch was returned.
                let _ = done.send(Outcome::Played { took, games });
            }
        }
    }
}
