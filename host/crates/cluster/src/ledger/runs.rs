//! The workers: their identities, their admission, and their state.

use super::{FollowUp, Identity, Ledger, Owner, Run, WorkerEvent, WorkerEventKind, WorkerId};
use crate::keys::PublicKey;
use crate::message::{Hello, Key, Name, Session, Why};
use crate::register::{Register, RegisteredWorker};
use crate::status::{BotLabel, Residual, Status, WorkerStatus};
use arena_text::counted;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// The limit of concurrent runs of workers. Chosen: ten times a thousand; each takes a few kilobytes.
const RUNS_MAX: usize = 10_000;

/// The limit of concurrent runs with one key. Chosen: one key for all machines of a rack, and restarted runs.
const RUNS_OF_KEY_MAX: usize = 64;

/// The limit of identities in a contest, including those that have left. Chosen: as above.
const IDENTITIES_MAX: usize = 100_000;

/// The number of workers in a status message. Chosen: a message has 1 MiB, and a worker takes half a kilobyte.
const STATUS_WORKERS_MAX: usize = 1_000;

/// The interval between two calculations of the residuals. Chosen: with the maximum number of sums, one takes a few milliseconds.
const RESIDUALS_EVERY: Duration = Duration::from_secs(1);

/// The length to which a duplicate name is cut before a number is appended, in characters. Chosen: the number fits.
const NAME_CHARS: usize = 24;

impl<T> Ledger<T> {
    /// Registers a run of the worker with this key. Returns its session, and a line for the user if it is the worker's only run.
    pub fn hello(
        &mut self,
        key: &PublicKey,
        hello: &Hello,
        now: Instant,
    ) -> Result<(Session, Option<String>), Why> {
        let worker = self.admitted(key)?;
        if self.runs.len() >= RUNS_MAX
            || (self.identities.len() >= IDENTITIES_MAX && !self.by_key.contains_key(key))
        {
            return Err("there are too many workers".into());
        }
        let worker = self.identity(key, &worker.map_or_else(|| hello.name.clone(), |worker| worker.name));
        let others = self.runs.values().filter(|run| run.worker == worker).count();
        if others >= RUNS_OF_KEY_MAX {
            return Err("there are too many workers with its key".into());
        }
        let identity = &mut self.identities[worker.0];
        identity.machine = hello.machine.clone();
        identity.arena = hello.versions.arena.clone();
        let line = (others == 0)
            .then(|| format!("worker {} joined with {}", identity.name, counted(hello.jobs, "job")));
        let session = Session(self.draw_secret());
        let run = Run {
            worker,
            jobs: hello.jobs,
            heard: now,
            is_silent: false,
            played: None,
            rate: 0.0,
            held: BTreeSet::new(),
            batches_done: 0,
            turnaround: None,
        };
        self.runs.insert(session, run);
        Ok((session, line))
    }

    /// True if a run belongs to the worker with this key.
    pub fn is_run_of(&self, session: Session, signer: &PublicKey) -> bool {
        self.runs.get(&session).is_some_and(|run| self.identities[run.worker.0].key == *signer)
    }

    /// The worker of a key in the register; `None` without a register.
    ///
    /// # Errors
    /// The reason why the key may not play.
    pub(super) fn admitted(&self, key: &PublicKey) -> Result<Option<RegisteredWorker>, Why> {
        let excluded = self.by_key.get(key).and_then(|id| self.identities[id.0].excluded.clone());
        if let Some(why) = excluded {
            return Err(why);
        }
        match &self.register {
            None => Ok(None),
            Some(register) => register.worker(key).map(Some),
        }
    }

    /// The reason why this key may not play; `None` if it may.
    pub fn refusal(&self, key: &PublicKey) -> Option<Why> {
        self.admitted(key).err()
    }

    /// The identity of a key, created if it does not exist.
    pub(super) fn identity(&mut self, key: &PublicKey, name: &Name) -> WorkerId {
        if let Some(known) = self.by_key.get(key) {
            return *known;
        }
        let id = WorkerId(self.identities.len());
        let worker = self.register.as_ref().and_then(|register| register.worker(key).ok());
        // Without a register, each key is an owner.
        let owner = worker.map_or_else(|| Owner::from(key.to_string().as_str()), |worker| worker.owner);
        self.identities.push(Identity {
            key: key.clone(),
            name: self.unique(name),
            owner,
            machine: "".into(),
            arena: "".into(),
            excluded: None,
            games: 0,
            checks: [0; 2],
            failures: 0,
            late: 0,
        });
        self.by_key.insert(key.clone(), id);
        id
    }

    /// Makes a name unique among the workers.
    fn unique(&self, name: &Name) -> Name {
        if !self.identities.iter().any(|identity| identity.name == *name) {
            return name.clone();
        }
        let short: String = name.as_str().chars().take(NAME_CHARS).collect();
        Name::from(format!("{short}-{}", self.identities.len() + 1).as_str())
    }

    /// True if a worker is excluded.
    pub fn is_excluded(&self, WorkerId(id): WorkerId) -> bool {
        self.identities[id].excluded.is_some()
    }

    /// Takes the events about workers since the last call.
    pub fn take_events(&mut self) -> Vec<WorkerEvent> {
        std::mem::take(&mut self.events)
    }

    /// Sets the labels of the bots, indexed by their numbers.
    pub fn set_bot_labels(&mut self, labels: Vec<BotLabel>) {
        self.bots = labels;
    }

    /// Counts a game that went to the journal: the half points of the bot in the first seat, as these workers report.
    pub fn count(&mut self, key: &Key, half_points: u8, workers: &[WorkerId]) {
        self.residuals.count(key, half_points, workers);
    }

    /// Excludes a key that an earlier coordinator of the contest has excluded.
    pub fn restore_exclusion(&mut self, key: &PublicKey, name: &Name, why: Why) -> FollowUp<T> {
        let mut follow_up = FollowUp::default();
        let worker = self.identity(key, name);
        self.identities[worker.0].excluded = Some(why);
        self.end_runs(worker, &mut follow_up);
        follow_up
    }

    /// Records that games from a worker were discarded because it is excluded.
    pub fn dropped(&mut self, worker: WorkerId, games: Vec<Key>) {
        if !games.is_empty() {
            self.add_event(worker, WorkerEventKind::Dropped, "".into(), games);
        }
    }

    fn add_event(&mut self, WorkerId(id): WorkerId, kind: WorkerEventKind, why: Why, games: Vec<Key>) {
        let Identity { key, name, owner, .. } = &self.identities[id];
        let (key, name, owner) = (key.clone(), name.clone(), owner.clone());
        self.events.push(WorkerEvent { kind, key, name, owner, why, games });
    }

    /// Counts rechecked games from a worker: those that were the same, and those that differed.
    pub fn checked(&mut self, WorkerId(id): WorkerId, [same, others]: [u64; 2]) {
        let checks = &mut self.identities[id].checks;
        checks[0] += same;
        checks[1] += others;
    }

    /// Removes a run that leaves, and takes back its batches.
    pub fn leave(&mut self, session: Session) -> FollowUp<T> {
        let mut follow_up =
            FollowUp { ack: self.take_back_all(session), has_work: true, ..FollowUp::default() };
        if let Some(run) = self.runs.remove(&session) {
            follow_up.notes.push(format!("worker {} has left", self.identities[run.worker.0].name));
        }
        follow_up
    }

    /// Excludes a worker: its unchecked results are dropped, and its runs end. These games from it are also discarded.
    pub fn exclude(&mut self, worker: WorkerId, why: &str, games: Vec<Key>) -> FollowUp<T> {
        let mut follow_up = FollowUp::default();
        self.exclude_into(worker, why, games, &mut follow_up);
        follow_up
    }

    pub(super) fn exclude_into(
        &mut self,
        worker: WorkerId,
        why: &str,
        mut games: Vec<Key>,
        follow_up: &mut FollowUp<T>,
    ) {
        games.extend(self.end_runs(worker, follow_up));
        let identity = &mut self.identities[worker.0];
        if identity.excluded.is_none() {
            follow_up.notes.push(format!("worker {} is excluded: {why}", identity.name));
            identity.excluded = Some(why.into());
            self.add_event(worker, WorkerEventKind::Excluded, why.into(), games);
        } else {
            self.dropped(worker, games);
        }
    }

    /// Ends the runs of a worker, and drops its results for batches that still need other workers. Returns the games of those results.
    fn end_runs(&mut self, worker: WorkerId, follow_up: &mut FollowUp<T>) -> Vec<Key> {
        let sessions: Vec<_> =
            self.runs.iter().filter(|(_, run)| run.worker == worker).map(|(session, _)| *session).collect();
        for session in sessions {
            follow_up.ack.extend(self.take_back_all(session));
            self.runs.remove(&session);
        }
        let (mut changed, mut games) = (Vec::new(), Vec::new());
        for (number, open) in &mut self.open {
            let (dropped, others) =
                std::mem::take(&mut open.results).into_iter().partition(|result| result.worker == worker);
            open.results = others;
            let dropped: Vec<super::BatchResult<T>> = dropped;
            if !dropped.is_empty() {
                games.extend(open.games.iter().map(|game| game.key));
                follow_up.ack.extend(dropped.into_iter().flat_map(|result| result.receipt.released()));
                changed.push(*number);
            }
        }
        for number in changed {
            self.update_queue(number);
        }
        follow_up.has_work = true;
        games
    }

    /// Replaces the register. Workers that it no longer admits are dropped.
    pub fn set_register(&mut self, register: Register) -> FollowUp<T> {
        let mut follow_up = FollowUp::default();
        self.register = Some(register);
        let runs: BTreeSet<WorkerId> = self.runs.values().map(|run| run.worker).collect();
        for worker in runs {
            if let Err(why) = self.admitted(&self.identities[worker.0].key) {
                follow_up
                    .notes
                    .push(format!("worker {} may not play any more: {why}", self.identities[worker.0].name));
                let games = self.end_runs(worker, &mut follow_up);
                self.dropped(worker, games);
            }
        }
        follow_up
    }

    /// The number of games that the workers play at the same time. A claim counts only as far as results confirm it.
    pub fn jobs_at_work(&self) -> usize {
        self.runs.values().map(|run| Self::jobs(run.jobs, run.batches_done)).sum()
    }

    /// The state of the workers at this time, without that of the connection.
    pub fn status(&mut self, now: Instant) -> Status {
        let is_old = |(at, _): &(Instant, _)| now.saturating_duration_since(*at) >= RESIDUALS_EVERY;
        if self.cached_residuals.as_ref().is_none_or(is_old) {
            self.cached_residuals = Some((now, self.residuals.calculate()));
        }
        let residuals = self.cached_residuals.as_ref().map(|(_, residuals)| residuals);
        let residual_of = |worker: &WorkerId| {
            let residual = residuals?.get(worker)?;
            let bot = self.bots.get(residual.bot as usize).cloned().unwrap_or_else(|| "".into());
            Some(Residual { standard_errors: residual.standard_errors, bot })
        };
        let games_of = |number: &u64| self.open.get(number).map_or(0, |open| open.games.len() as u64);
        let mut runs_of: HashMap<WorkerId, Vec<&Run>> = HashMap::new();
        for run in self.runs.values() {
            runs_of.entry(run.worker).or_default().push(run);
        }
        let row = |(id, identity): (usize, &Identity)| {
            let runs = runs_of.get(&WorkerId(id)).map_or(&[][..], Vec::as_slice);
            let heard = runs.iter().map(|run| run.heard).max();
            let refused = self.admitted(&identity.key).err();
            WorkerStatus {
                name: identity.name.clone(),
                owner: identity.owner.clone(),
                key: identity.key.clone(),
                machine: identity.machine.clone(),
                arena: identity.arena.clone(),
                jobs: runs.iter().map(|run| u32::from(run.jobs)).sum(),
                games: identity.games,
                games_per_second: runs.iter().map(|run| run.rate).sum(),
                games_in_flight: runs.iter().flat_map(|run| &run.held).map(games_of).sum(),
                silent_ms: heard.map(|heard| {
                    u64::try_from(now.saturating_duration_since(heard).as_millis()).unwrap_or(u64::MAX)
                }),
                turnaround_ms: runs
                    .iter()
                    .filter_map(|run| run.turnaround)
                    .max()
                    .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
                checks_same: identity.checks[0],
                checks_others: identity.checks[1],
                failures: identity.failures,
                late: identity.late,
                residual: residual_of(&WorkerId(id)),
                refused,
            }
        };
        // Connected workers come first.
        let (here, gone): (Vec<_>, Vec<_>) =
            self.identities.iter().enumerate().partition(|(id, _)| runs_of.contains_key(&WorkerId(*id)));
        let shown = here.into_iter().chain(gone).take(STATUS_WORKERS_MAX);
        Status {
            workers: shown.map(row).collect(),
            workers_left_out: self.identities.len().saturating_sub(STATUS_WORKERS_MAX),
            runs: self.runs.len(),
            jobs: self.runs.values().map(|run| usize::from(run.jobs)).sum(),
            games_per_second: self.runs.values().map(|run| run.rate).sum(),
            games_in_flight: self.runs.values().flat_map(|run| &run.held).map(games_of).sum(),
            batches_given_out: self.given_out,
            messages_dropped: self.dropped,
            is_connected: true,
        }
    }
}
