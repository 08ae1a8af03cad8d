//! The ledger of a coordinator: the open batches, the workers that hold them, and the results received.
//!
//! It uses no network and no clock: the current time is an argument, so that a test can simulate a thousand workers. Every number and
//! every byte from a worker is untrusted.

mod batch;
mod events;
mod handing_out;
mod rate_limits;
mod runs;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use batch::{Answered, Answers, Batch, BatchResult, EarlierGame, Receipt};
pub use events::{WorkerEvent, WorkerEventKind};
pub use handing_out::{HELD_PER_JOB, JOBS_MAX};
use rate_limits::RateLimits;
pub use rate_limits::{Sender, sender};

use crate::keys::{PublicKey, Sealed};
use crate::message::{Game, GameReport, Key, Name, Outcome, PartMessage, Session, Why};
use crate::parts::{Assembled, Assembly};
use crate::register::Register;
use crate::residual::{BotResidual, Residuals};
use crate::status::BotLabel;
use async_nats::jetstream::message::Acker;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The signature purpose of a worker's requests.
pub const ASK: &str = "ask";

/// The signature purpose of the parts of a result.
pub const RESULT: &str = "result";

/// The size limit of the results that a coordinator takes over from an earlier one, in bytes. Chosen: those that were in flight.
const EARLIER_BYTES_MAX: usize = 64 << 20;

/// The number of such results with an invalid signature after which the rest is skipped and replayed. Chosen: verifying them takes a
/// fraction of a second.
const FORGED_MAX: usize = 1_000;

/// A worker, identified by its key: the number of its identity in this run of the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerId(pub(crate) usize);

/// The number of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchNumber(pub(crate) u64);

/// The owner of workers: a person or a group. Owners may collude.
pub type Owner = arena_text::Line<64>;

/// An identity: a worker's key and everything known about the worker.
struct Identity {
    key: PublicKey,
    name: Name,
    owner: Owner,
    machine: arena_text::Line<64>,
    arena: arena_text::Line<64>,
    excluded: Option<Why>,
    /// The number of games in its results.
    games: u64,
    /// The numbers of its rechecked games that were the same and that differed.
    checks: [u64; 2],
    /// The number of its failed games.
    failures: u64,
    /// The number of its batches that were also given to another worker, because they were late or it had fallen silent.
    late: u64,
}

/// A run of a worker.
struct Run {
    worker: WorkerId,
    jobs: u16,
    /// The time of its last heartbeat.
    heard: Instant,
    is_silent: bool,
    /// The number of games that it reports as played; `None` before its first heartbeat.
    played: Option<u64>,
    /// Games per second, averaged over the last seconds.
    rate: f64,
    /// The batches that it holds.
    held: BTreeSet<u64>,
    /// The number of its completed batches.
    batches_done: u64,
    /// The time from handing out a batch to its result, averaged over recent batches.
    turnaround: Option<Duration>,
}

/// A batch still missing results.
struct Open<T> {
    answers: mpsc::Sender<Answered<T>>,
    games: Vec<Game>,
    /// The number of different owners whose workers must play it.
    owners: usize,
    holders: Vec<Holder>,
    results: Vec<BatchResult<T>>,
    /// True if it must be played alone, because it may have ended a worker.
    is_alone: bool,
    /// The number of times that a worker may still start playing it alone.
    tries_alone: u32,
}

/// A worker that holds a batch.
struct Holder {
    session: Session,
    worker: WorkerId,
    secret: u64,
    since: Instant,
    /// True once it has asked whether to play the batch alone.
    has_asked: bool,
    /// True once another worker may get the batch too, because this one is late or has fallen silent.
    is_doubted: bool,
}

/// The ledger.
pub struct Ledger<T = Acker> {
    /// The secret from which all others are derived.
    secret: [u8; 32],
    secrets: u64,
    next: u64,
    register: Option<Register>,
    identities: Vec<Identity>,
    by_key: HashMap<PublicKey, WorkerId>,
    runs: BTreeMap<Session, Run>,
    open: BTreeMap<u64, Open<T>>,
    /// The open batches to be given to more workers.
    queue: BTreeSet<u64>,
    /// The time after which a batch is late; `None` before the first results.
    late_after: Option<Duration>,
    /// True once no more batches are handed out.
    is_withdrawn: bool,
    /// The number of batches handed out.
    given_out: u64,
    assembly: Assembly<T>,
    earlier_games: HashMap<Key, EarlierGame<T>>,
    earlier_bytes: usize,
    /// The receipts of results, by the numbers of their games that the journal does not have yet.
    waiting: BTreeMap<usize, Vec<Receipt<T>>>,
    /// The number of dropped messages without a valid sender.
    dropped: u64,
    rate_limits: RateLimits,
    /// The number of requests whose signature was verified.
    checks: u64,
    /// The number of results for an earlier coordinator with an invalid signature.
    forged: usize,
    /// The events since the last call of `take_events`.
    events: Vec<WorkerEvent>,
    /// The labels of the bots, by their numbers.
    bots: Vec<BotLabel>,
    residuals: Residuals,
    /// The last calculated residuals, and when they were calculated.
    cached_residuals: Option<(Instant, HashMap<WorkerId, BotResidual>)>,
}

/// The actions required after an update of the ledger.
pub struct FollowUp<T> {
    /// Messages to acknowledge, since they are no longer needed.
    pub ack: Vec<T>,
    /// Lines for the user.
    pub notes: Vec<String>,
    /// True if there may be a batch for a waiting worker.
    pub has_work: bool,
}

impl<T> Default for FollowUp<T> {
    fn default() -> Self {
        Self { ack: Vec::new(), notes: Vec::new(), has_work: false }
    }
}

impl<T> Ledger<T> {
    /// Creates a ledger without batches and workers. Its secrets are derived from this random one.
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
            earlier_games: HashMap::new(),
            earlier_bytes: 0,
            waiting: BTreeMap::new(),
            dropped: 0,
            rate_limits: RateLimits::default(),
            checks: 0,
            forged: 0,
            events: Vec::new(),
            bots: Vec::new(),
            residuals: Residuals::default(),
            cached_residuals: None,
        }
    }

    /// Draws a secret number.
    fn draw_secret(&mut self) -> u64 {
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
            results: Vec::new(),
            is_alone: is_suspect,
            tries_alone,
        };
        self.open.insert(number, open);
        self.queue.insert(number);
        BatchNumber(number)
    }

    /// True if there is a batch to hand out.
    pub fn has_work(&self) -> bool {
        !self.is_withdrawn && !self.queue.is_empty()
    }

    /// Stops handing out batches.
    pub fn withdraw(&mut self) {
        self.is_withdrawn = true;
    }

    /// Withdraws a batch. Returns the messages to acknowledge.
    pub fn forget(&mut self, BatchNumber(number): BatchNumber) -> Vec<T> {
        let open = self.close(number);
        let mut tokens = self.assembly.forget(number);
        tokens.extend(
            open.into_iter().flat_map(|open| open.results).flat_map(|result| result.receipt.released()),
        );
        tokens
    }

    /// Removes a batch, also from its holders.
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

    /// Processes a message from the stream of results.
    pub fn take(&mut self, contest: &str, payload: &[u8], token: T, now: Instant) -> FollowUp<T> {
        let mut follow_up = FollowUp::default();
        let Some((sealed, part)) = part_of(payload) else {
            self.dropped += 1;
            follow_up.ack.push(token);
            // Only the first one is printed, so a flood costs one line.
            if self.dropped == 1 {
                follow_up.notes.push("an invalid message in the stream of results was dropped".into());
            }
            return follow_up;
        };
        let holder = self.open.get(&part.batch).filter(|_| part.contest == contest).and_then(|open| {
            open.holders.iter().find(|holder| holder.secret == part.secret).map(|holder| holder.worker)
        });
        // Verifying the signature is slow, so it comes last.
        let holder = holder.filter(|&WorkerId(id)| {
            sealed.signer(RESULT).is_some_and(|signer| signer == self.identities[id].key)
        });
        let Some(worker) = holder else {
            self.dropped += 1;
            follow_up.ack.push(token);
            return follow_up;
        };
        match self.assembly.add(&part, token) {
            Assembled::Incomplete => {}
            Assembled::Invalid(tokens) => {
                follow_up.ack = tokens;
                self.exclude_into(worker, "it sent an invalid result", Vec::new(), &mut follow_up);
            }
            Assembled::NoRoom(tokens) => {
                follow_up.ack = tokens;
                self.take_back(part.batch, part.secret);
                follow_up.has_work = true;
            }
            Assembled::Complete(outcome, tokens) => {
                self.answer(part.batch, part.secret, outcome, tokens, now, &mut follow_up)
            }
        }
        follow_up
    }

    /// Processes a result from a worker that holds the batch.
    fn answer(
        &mut self,
        number: u64,
        secret: u64,
        outcome: Outcome,
        tokens: Vec<T>,
        now: Instant,
        follow_up: &mut FollowUp<T>,
    ) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let Some(place) = open.holders.iter().position(|holder| holder.secret == secret) else { return };
        let Holder { session, worker, since, .. } = open.holders.remove(place);
        if let Some(run) = self.runs.get_mut(&session) {
            run.held.remove(&number);
            run.batches_done += 1;
            let took = now.saturating_duration_since(since);
            run.turnaround = Some(run.turnaround.map_or(took, |before| (before * 3 + took) / 4));
        }
        let Outcome::Played { took, games } = outcome else {
            // It may be a lie. The batch is halved until one game is left, and the coordinator's own machine plays that game.
            self.identities[worker.0].failures += 1;
            follow_up.ack.extend(tokens);
            self.give_up(number, Answers::TooLarge(worker), follow_up);
            return;
        };
        if !games.iter().map(|(key, _)| key).eq(open.games.iter().map(|game| &game.key)) {
            follow_up.ack.extend(tokens);
            self.update_queue(number);
            self.exclude_into(worker, "it sent other games than the requested ones", Vec::new(), follow_up);
            return;
        }
        let identity = &mut self.identities[worker.0];
        identity.games += games.len() as u64;
        identity.failures +=
            games.iter().filter(|(_, report)| matches!(report, GameReport::Failed(_))).count() as u64;
        let owner = &self.identities[worker.0].owner;
        if open.results.iter().any(|result| self.identities[result.worker.0].owner == *owner) {
            follow_up.ack.extend(tokens);
            self.update_queue(number);
            return;
        }
        open.results.push(BatchResult { worker, took, games, receipt: Receipt::new(tokens) });
        if open.results.len() < open.owners {
            self.update_queue(number);
            return;
        }
        follow_up.has_work = self.has_work();
        let Open { answers, results, .. } = self.close(number).expect("it is open");
        // The parts of further results for it are not needed any more.
        follow_up.ack.extend(self.assembly.forget(number));
        // A send fails only if the thread has ended and needs no answer.
        let _ = answers.send(Answered { batch: BatchNumber(number), answers: Answers::Played(results) });
    }

    /// Abandons a batch.
    fn give_up(&mut self, number: u64, why: Answers<T>, follow_up: &mut FollowUp<T>) {
        let Some(Open { answers, results, .. }) = self.close(number) else { return };
        follow_up.ack.extend(self.assembly.forget(number));
        follow_up.ack.extend(results.into_iter().flat_map(|result| result.receipt.released()));
        let _ = answers.send(Answered { batch: BatchNumber(number), answers: why });
    }

    /// Keeps a result requested by an earlier coordinator, if its signer may play here. Returns the messages to acknowledge.
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
            Assembled::Complete(outcome, tokens) => (outcome, tokens),
            Assembled::Incomplete => return Vec::new(),
            Assembled::Invalid(tokens) | Assembled::NoRoom(tokens) => return tokens,
        };
        let receipt = Receipt::new(tokens);
        if let Outcome::Played { games, .. } = outcome {
            let worker = self.identity(&signer, &"of an earlier run".into());
            for (key, report) in games {
                let GameReport::Played(messages) = report else { continue };
                if self.earlier_bytes + messages.len() <= EARLIER_BYTES_MAX {
                    self.earlier_bytes += messages.len();
                    self.earlier_games
                        .insert(key, EarlierGame { worker, messages, receipt: receipt.clone() });
                }
            }
        }
        receipt.released()
    }

    /// Stops taking results for an earlier coordinator. Returns the messages of the incomplete ones.
    pub fn end_take_over(&mut self) -> Vec<T> {
        self.assembly.clear()
    }

    /// Takes a game that was played for an earlier coordinator, unless its worker is excluded.
    pub fn take_earlier_game(&mut self, key: &Key) -> Option<EarlierGame<T>> {
        let game = self.earlier_games.remove(key)?;
        self.identities[game.worker.0].excluded.is_none().then_some(game)
    }

    /// Keeps a result unacknowledged until the journal has the game with this number.
    pub fn hold(&mut self, number: usize, receipt: Receipt<T>) {
        self.waiting.entry(number).or_default().push(receipt);
    }

    /// Returns the messages of the results whose games are all in the journal. The journal has every game up to this number.
    pub fn acknowledge_up_to(&mut self, number: usize) -> Vec<T> {
        let later = self.waiting.split_off(&number.saturating_add(1));
        let kept = std::mem::replace(&mut self.waiting, later);
        kept.into_values().flatten().flat_map(Receipt::released).collect()
    }
}

/// Parses a signed part of a result without verifying the signature; `None` when the bytes are invalid.
fn part_of(payload: &[u8]) -> Option<(Sealed<'_>, PartMessage<'_>)> {
    let sealed = Sealed::parse(payload)?;
    let part = postcard::from_bytes(sealed.body).ok()?;
    Some((sealed, part))
}
