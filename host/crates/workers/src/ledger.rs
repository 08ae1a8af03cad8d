//! The ledger of a coordinator: the batches that are open, the workers that hold them, and the results that have come.
//!
//! It speaks with no server and looks at no clock: the moment is an argument, so that a test has a thousand workers. Every number and
//! every byte of a worker is hostile.

mod handing_out;
mod news;
mod rate_limits;
mod runs;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use handing_out::{HELD_PER_JOB, JOBS_MAX};
pub use news::{Happened, News};
use rate_limits::RateLimits;
pub use rate_limits::{Sender, sender};

use crate::keys::{PublicKey, Sealed};
use crate::message::{Game, Games, Key, Name, Outcome, PartMessage, Session, Told, Why};
use crate::parts::{Assembly, Made};
use crate::register::Register;
use crate::residual::{BotResidual, Residuals};
use crate::status::BotLabel;
use async_nats::jetstream::message::Acker;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What a worker signs when it asks.
pub const ASK: &str = "ask";

/// What it signs when it brings a part of a result.
pub const RESULT: &str = "result";

/// The results that a coordinator takes over from one before it, in bytes. Chosen: those that were in flight.
const LEFT_BYTES_MAX: usize = 64 << 20;

/// The number of such results with a wrong signature after which no others are looked at: they are played again. Chosen: a fraction of a
/// second.
const FORGED_MAX: usize = 1_000;

/// A worker, by its key: the number of its identity in this run of the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerId(pub(crate) usize);

/// The number of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchNumber(pub(crate) u64);

/// The owner of workers: a person or a group, who may agree with others on a lie.
pub type Owner = arena_text::Line<64>;

/// A batch that is to be played.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The games.
    pub games: Vec<Game>,
    /// The number of owners of workers of which each has to play it.
    pub owners: usize,
    /// True if it is part of one that was given up: it is played with nothing else in play from the beginning.
    pub is_suspect: bool,
    /// The number of times that a worker plays it with nothing else in play before it is given up. It does so after a worker that held
    /// it has fallen silent.
    pub tries_alone: u32,
}

/// The messages of a result, to be acknowledged when each of its games is in the journal. There is one receipt for each game.
pub struct Receipt<T = Acker>(Arc<Vec<T>>);

impl<T> Clone for Receipt<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Receipt<T> {
    fn new(tokens: Vec<T>) -> Self {
        Self(Arc::new(tokens))
    }

    /// The messages, if this was the last game.
    pub(crate) fn released(self) -> Vec<T> {
        Arc::into_inner(self.0).unwrap_or_default()
    }
}

/// The answers to a batch.
pub struct Answered<T = Acker> {
    /// The batch.
    pub batch: BatchNumber,
    /// What came of it.
    pub answers: Answers<T>,
}

/// What came of a batch.
pub enum Answers<T = Acker> {
    /// The answers of workers, one for each owner that was asked for. The games of each are those that were asked for, in that order.
    Played(Vec<Brought<T>>),
    /// It is given up, because it has ended enough workers.
    GivenUp(Why),
    /// Its result is too large, as this worker says.
    TooLarge(WorkerId),
}

/// An answer of a worker.
pub struct Brought<T = Acker> {
    /// The worker.
    pub worker: WorkerId,
    /// The time that one job took for it, as the worker says.
    pub took: Duration,
    /// The games.
    pub games: Games,
    /// The receipt, of which each game needs a copy.
    pub receipt: Receipt<T>,
}

/// A game that an earlier coordinator asked for.
pub struct Left<T = Acker> {
    /// The worker.
    pub worker: WorkerId,
    /// The messages of its process.
    pub told: Vec<u8>,
    /// The receipt.
    pub receipt: Receipt<T>,
}

/// An identity: a key that a worker has, and everything that is known of it.
struct Identity {
    key: PublicKey,
    name: Name,
    owner: Owner,
    machine: arena_text::Line<64>,
    arena: arena_text::Line<64>,
    excluded: Option<Why>,
    /// The number of games that it has brought.
    games: u64,
    /// The number of its games that were played again, and were the same or others.
    checks: [u64; 2],
    /// The number of its games that failed.
    failures: u64,
    /// The number of its batches that another worker got, too, because they were late or it had fallen silent.
    late: u64,
}

/// A run of a worker.
struct Run {
    worker: WorkerId,
    jobs: u16,
    /// The moment of its last sign of life.
    heard: Instant,
    is_silent: bool,
    /// The number of games that it says it has played; `None` before its first sign of life.
    played: Option<u64>,
    /// Games a second, averaged over the last seconds.
    rate: f64,
    /// The batches that it holds.
    held: BTreeSet<u64>,
    /// The number of batches that it has brought.
    brought: u64,
    /// The time from a batch to its result, averaged over the last ones.
    turnaround: Option<Duration>,
}

/// A batch that has not been answered by enough workers.
struct Open<T> {
    answers: mpsc::Sender<Answered<T>>,
    games: Vec<Game>,
    /// The number of owners of which each has to play it.
    owners: usize,
    holders: Vec<Holder>,
    brought: Vec<Brought<T>>,
    /// True if it may have ended a worker.
    is_alone: bool,
    /// The number of times that a worker may still begin to play it with nothing else in play.
    tries_alone: u32,
}

/// A worker that has a batch.
struct Holder {
    session: Session,
    worker: WorkerId,
    secret: u64,
    since: Instant,
    /// True once it has asked if it is to play it with nothing else in play.
    has_asked: bool,
    /// True once another worker is to get it, too, because this one is late or has fallen silent.
    is_doubted: bool,
}

/// The ledger.
pub struct Ledger<T = Acker> {
    /// The secret that all others follow from.
    secret: [u8; 32],
    secrets: u64,
    next: u64,
    register: Option<Register>,
    identities: Vec<Identity>,
    by_key: HashMap<PublicKey, WorkerId>,
    runs: BTreeMap<Session, Run>,
    open: BTreeMap<u64, Open<T>>,
    /// The open batches that further workers are to get.
    queue: BTreeSet<u64>,
    /// The time after which a batch is late; `None` before the first results.
    late_after: Option<Duration>,
    /// True once no batch is given out any more.
    is_withdrawn: bool,
    /// The number of batches that were given out.
    given_out: u64,
    assembly: Assembly<T>,
    left: HashMap<Key, Left<T>>,
    left_bytes: usize,
    /// The results of games that the journal does not have yet, by the number of the game.
    waiting: BTreeMap<usize, Vec<Receipt<T>>>,
    /// The messages without a sender that were dropped.
    dropped: u64,
    rate_limits: RateLimits,
    /// The number of questions whose signature was looked at.
    checks: u64,
    /// The number of unsigned results of an earlier coordinator.
    forged: usize,
    /// What has happened to workers since this was asked.
    news: Vec<News>,
    /// The labels of the bots, by their numbers.
    bots: Vec<BotLabel>,
    residuals: Residuals,
    /// The residuals as they were worked out last, and when.
    worked_out: Option<(Instant, HashMap<WorkerId, BotResidual>)>,
}

/// The tasks that follow from a message.
pub struct Todo<T> {
    /// Messages that are not needed any more.
    pub ack: Vec<T>,
    /// Lines for the user.
    pub notes: Vec<String>,
    /// True if there is a batch for a worker that waits for one.
    pub has_work: bool,
}

impl<T> Default for Todo<T> {
    fn default() -> Self {
        Self { ack: Vec::new(), notes: Vec::new(), has_work: false }
    }
}

impl<T> Ledger<T> {
    /// A ledger without batches and workers. Its secrets follow from a random one.
    pub fn new(secret: [u8; 32], register: Option<Register>) -> Self {
        Self {
            secret,
            secrets: 0,
            next: 0,
            register,
            identities: Vec::new(),
            by_key: HashMap::new(),
            runs: BTreeMap::new(),
            open: BTreeMap::new(),
            queue: BTreeSet::new(),
            late_after: None,
            is_withdrawn: false,
            given_out: 0,
            assembly: Assembly::default(),
            left: HashMap::new(),
            left_bytes: 0,
            waiting: BTreeMap::new(),
            dropped: 0,
            rate_limits: RateLimits::default(),
            checks: 0,
            forged: 0,
            news: Vec::new(),
            bots: Vec::new(),
            residuals: Residuals::default(),
            worked_out: None,
        }
    }

    /// A number that only this ledger knows.
    fn draw(&mut self) -> u64 {
        self.secrets += 1;
        let digest =
            Sha256::new().chain_update(self.secret).chain_update(self.secrets.to_le_bytes()).finalize();
        u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
    }

    /// Opens a batch.
    pub fn publish(&mut self, batch: Batch, answers: mpsc::Sender<Answered<T>>) -> BatchNumber {
        let Batch { games, owners, is_suspect, tries_alone } = batch;
        let number = self.next;
        self.next += 1;
        let open = Open {
            answers,
            games,
            owners,
            holders: Vec::new(),
            brought: Vec::new(),
            is_alone: is_suspect,
            tries_alone,
        };
        self.open.insert(number, open);
        self.queue.insert(number);
        BatchNumber(number)
    }

    /// True if there is a batch that some worker may get.
    pub fn has_work(&self) -> bool {
        !self.is_withdrawn && !self.queue.is_empty()
    }

    /// Gives out no more batches.
    pub fn withdraw(&mut self) {
        self.is_withdrawn = true;
    }

    /// Forgets a batch.
    pub fn forget(&mut self, BatchNumber(number): BatchNumber) -> Vec<T> {
        let open = self.close(number);
        let mut tokens = self.assembly.forget(number);
        tokens.extend(
            open.into_iter().flat_map(|open| open.brought).flat_map(|brought| brought.receipt.released()),
        );
        tokens
    }

    /// Takes a batch out, from those who hold it, too.
    fn close(&mut self, number: u64) -> Option<Open<T>> {
        let open = self.open.remove(&number)?;
        self.queue.remove(&number);
        for holder in &open.holders {
            if let Some(run) = self.runs.get_mut(&holder.session) {
                run.held.remove(&number);
            }
        }
        Some(open)
    }

    /// Takes a message of the stream of results.
    pub fn take(&mut self, contest: &str, payload: &[u8], token: T, now: Instant) -> Todo<T> {
        let mut todo = Todo::default();
        let Some((sealed, part)) = part_of(payload) else {
            self.dropped += 1;
            todo.ack.push(token);
            // A flood of them is one line.
            if self.dropped == 1 {
                todo.notes.push("a message in the stream of results is no result: it is dropped".into());
            }
            return todo;
        };
        let holder = self.open.get(&part.batch).filter(|_| part.contest == contest).and_then(|open| {
            open.holders.iter().find(|holder| holder.secret == part.secret).map(|holder| holder.worker)
        });
        // The signature is what takes time, so it is looked at last.
        let holder = holder.filter(|&WorkerId(id)| {
            sealed.signer(RESULT).is_some_and(|signer| signer == self.identities[id].key)
        });
        let Some(worker) = holder else {
            self.dropped += 1;
            todo.ack.push(token);
            return todo;
        };
        match self.assembly.add(&part, token) {
            Made::Incomplete => {}
            Made::Nonsense(tokens) => {
                todo.ack = tokens;
                self.exclude_into(worker, "it sent what is no result", Vec::new(), &mut todo);
            }
            Made::TooMuch(tokens) => {
                todo.ack = tokens;
                self.take_back(part.batch, part.secret);
                todo.has_work = true;
            }
            Made::Whole(outcome, tokens) => {
                self.answer(part.batch, part.secret, outcome, tokens, now, &mut todo)
            }
        }
        todo
    }

    /// Takes a result of a worker that holds its batch.
    fn answer(
        &mut self,
        number: u64,
        secret: u64,
        outcome: Outcome,
        tokens: Vec<T>,
        now: Instant,
        todo: &mut Todo<T>,
    ) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let Some(place) = open.holders.iter().position(|holder| holder.secret == secret) else { return };
        let Holder { session, worker, since, .. } = open.holders.remove(place);
        if let Some(run) = self.runs.get_mut(&session) {
            run.held.remove(&number);
            run.brought += 1;
            let took = now.saturating_duration_since(since);
            run.turnaround = Some(run.turnaround.map_or(took, |before| (before * 3 + took) / 4));
        }
        let Outcome::Played { took, games } = outcome else {
            // It may be a lie. Each half of a batch is one game in the end, which the coordinator's own machine plays.
            self.identities[worker.0].failures += 1;
            todo.ack.extend(tokens);
            self.give_up(number, Answers::TooLarge(worker), todo);
            return;
        };
        if !games.iter().map(|(key, _)| key).eq(open.games.iter().map(|game| &game.key)) {
            todo.ack.extend(tokens);
            self.line_up(number);
            self.exclude_into(worker, "it sent other games than it was asked for", Vec::new(), todo);
            return;
        }
        let identity = &mut self.identities[worker.0];
        identity.games += games.len() as u64;
        identity.failures += games.iter().filter(|(_, told)| matches!(told, Told::Failed(_))).count() as u64;
        let owner = &self.identities[worker.0].owner;
        if open.brought.iter().any(|brought| self.identities[brought.worker.0].owner == *owner) {
            todo.ack.extend(tokens);
            self.line_up(number);
            return;
        }
        open.brought.push(Brought { worker, took, games, receipt: Receipt::new(tokens) });
        if open.brought.len() < open.owners {
            self.line_up(number);
            return;
        }
        todo.has_work = self.has_work();
        let Open { answers, brought, .. } = self.close(number).expect("it is open");
        // The parts of other answers to it are of no use any more.
        todo.ack.extend(self.assembly.forget(number));
        // A thread that is gone needs nothing.
        let _ = answers.send(Answered { batch: BatchNumber(number), answers: Answers::Played(brought) });
    }

    /// Gives a batch up.
    fn give_up(&mut self, number: u64, why: Answers<T>, todo: &mut Todo<T>) {
        let Some(Open { answers, brought, .. }) = self.close(number) else { return };
        todo.ack.extend(self.assembly.forget(number));
        todo.ack.extend(brought.into_iter().flat_map(|brought| brought.receipt.released()));
        let _ = answers.send(Answered { batch: BatchNumber(number), answers: why });
    }

    /// Keeps a result that an earlier coordinator asked for, if the one who has signed it may play here.
    pub fn take_over(&mut self, contest: &str, payload: &[u8], token: T) -> Vec<T> {
        let Some((sealed, part)) = part_of(payload) else { return vec![token] };
        let may_count = part.contest == contest && self.admitted(&sealed.claimed()).is_ok();
        if !may_count || self.forged >= FORGED_MAX {
            return vec![token];
        }
        let Some(signer) = sealed.signer(RESULT) else {
            self.forged += 1;
            return vec![token];
        };
        let (outcome, tokens) = match self.assembly.add(&part, token) {
            Made::Whole(outcome, tokens) => (outcome, tokens),
            Made::Incomplete => return Vec::new(),
            Made::Nonsense(tokens) | Made::TooMuch(tokens) => return tokens,
        };
        let receipt = Receipt::new(tokens);
        if let Outcome::Played { games, .. } = outcome {
            let worker = self.identity(&signer, &"of an earlier run".into());
            for (key, told) in games {
                let Told::Played(told) = told else { continue };
                if self.left_bytes + told.len() <= LEFT_BYTES_MAX {
                    self.left_bytes += told.len();
                    self.left.insert(key, Left { worker, told, receipt: receipt.clone() });
                }
            }
        }
        receipt.released()
    }

    /// Ends the time in which results of an earlier coordinator are taken. Returns the messages of those that are incomplete.
    pub fn taken_over(&mut self) -> Vec<T> {
        self.assembly.clear()
    }

    /// Takes a game that was played for an earlier coordinator, unless its worker is excluded.
    pub fn left(&mut self, key: &Key) -> Option<Left<T>> {
        let left = self.left.remove(key)?;
        self.identities[left.worker.0].excluded.is_none().then_some(left)
    }

    /// Has a result wait until the journal has the game of this number.
    pub fn hold(&mut self, number: usize, receipt: Receipt<T>) {
        self.waiting.entry(number).or_default().push(receipt);
    }

    /// Returns the messages of the results all of whose games are in the journal, which has those up to this number.
    pub fn kept(&mut self, number: usize) -> Vec<T> {
        let later = self.waiting.split_off(&number.saturating_add(1));
        let kept = std::mem::replace(&mut self.waiting, later);
        kept.into_values().flatten().flat_map(Receipt::released).collect()
    }
}

/// A signed part of a result, whose signature has not been looked at; `None` if the bytes are no such message.
fn part_of(payload: &[u8]) -> Option<(Sealed<'_>, PartMessage<'_>)> {
    let sealed = Sealed::parse(payload)?;
    let part = postcard::from_bytes(sealed.body).ok()?;
    Some((sealed, part))
}
