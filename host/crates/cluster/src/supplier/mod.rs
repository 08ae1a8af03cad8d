//! The supplier of a run's games that has workers play them.

mod batch_size;
mod batches;
mod recheck;
mod trail;
mod trust;

pub use trust::Trust;

use crate::coordinator::{Coordinator, lock};
use crate::error::ClusterError;
use crate::ledger::WorkerId;
use crate::message::{BotEntry, Key, Manifest, Versions, sha256};
use crate::register::{self, Register};
use crate::server::Server;
use crate::status::Status;
use arena_engine::internals::{builtin, seed};
use arena_engine::{Control, Observer, PlannedRun, RoundQueue, Run, RunOptions, Sandbox, Supplier};
use arena_league::Fixture;
use arena_players::{Processes, Session};
use arena_sandbox::Bot;
use arena_store::TrailEntry;
use arena_text::shown;
use batch_size::BatchSize;
use batches::BatchPlayer;
use recheck::Recheck;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;
use trail::WorkersTrail;
use trust::Record;

/// The options of a contest that workers play.
#[derive(Clone, Debug)]
pub struct RemoteOptions {
    /// The server, with the name of the contest.
    pub server: Server,
    /// The trust in the people who run the workers.
    pub trust: Trust,
    /// The percentage of games that are replayed on this machine; `None` for that of the trust.
    pub recheck: Option<u8>,
    /// The file of admitted workers, which is read again when it changes; `None` to let any worker play.
    pub register: Option<PathBuf>,
}

impl RemoteOptions {
    /// The options for workers of your own at this server.
    pub fn of_own(server: Server) -> Self {
        Self { server, trust: Trust::Own, recheck: None, register: None }
    }
}

/// Plays a run as [`arena_engine::play`] does: by workers with these options, or without options by this machine.
///
/// # Errors
/// As of [`arena_engine::play`], or the workers cannot be used.
pub fn play(
    options: RunOptions,
    bots: &[PathBuf],
    control: &Control,
    observer: &mut dyn Observer,
    workers: Option<&RemoteOptions>,
) -> Result<Run, ClusterError> {
    let Some(workers) = workers else { return Ok(arena_engine::play(options, bots, control, observer)?) };
    let start = |sandbox: &Sandbox, run: &Run| Remote::start(workers, run.planned(), sandbox);
    arena_engine::play_with(options, bots, control, observer, start)
}

/// The connection of a run to workers on other machines.
pub struct Remote {
    coordinator: Coordinator,
    /// The number of threads that publish and referee batches.
    threads: usize,
    /// The number of owners that play each game.
    owners: usize,
    batch_size: Mutex<BatchSize>,
    recheck: Recheck,
    records: Mutex<HashMap<WorkerId, Record>>,
    /// The time at which the user asked to stop.
    withdrawn: Mutex<Option<Instant>>,
    /// The register file, and its text as last read.
    register: Option<(PathBuf, Mutex<String>)>,
    trail: Mutex<WorkersTrail>,
}

/// The changes among a contest's workers since the last call.
pub struct WorkersUpdate {
    /// Messages for the organiser since the last call.
    pub messages: Vec<String>,
    /// The state of the workers.
    pub status: Status,
    /// The number of owners that must play each game, if workers of fewer owners are connected.
    pub owners_wanted: Option<usize>,
}

impl Remote {
    /// Starts coordinating the games of a run, whose bots this sandbox has admitted.
    ///
    /// # Errors
    /// The server is unusable or has another coordinator, the options are invalid, or a file has changed.
    pub fn start(
        options: &RemoteOptions,
        planned: &PlannedRun,
        sandbox: &Sandbox,
    ) -> Result<Self, ClusterError> {
        let RemoteOptions { server, trust, recheck, register: file } = options;
        let register = register_for(*trust, file.as_deref())?;
        let owners = trust.owners();
        let contestants = &planned.roster.contestants;
        let runner = planned.runner();
        let conditions = &runner.plan.conditions;
        let common = Session::of(runner.plan, false);
        let bots: Vec<Bot> = runner.bots();
        let entry = |bot: &Bot| BotEntry { sha256: bot.hash().into(), bytes: bot.size_bytes() as u64 };
        let identity = serde_json::to_vec(&(conditions, &common)).expect("they are plain data");
        let manifest = Manifest::new(
            &identity,
            serde_json::to_value(&common).expect("it is plain data"),
            conditions.limits.memory_bytes,
            bots.iter().map(entry).collect(),
        );
        let game = arena_loaded::bytes(&conditions.rules);
        let manifest = manifest.with_game(
            game.as_ref().map(|it| BotEntry { sha256: sha256(it).as_str().into(), bytes: it.len() as u64 }),
        );
        let bytes_max = sandbox.limits().component_bytes_max as u64;
        let coordinator = Coordinator::start(
            server,
            manifest,
            Versions::with_engine(&conditions.engine),
            seed::fresh_bytes()?,
            register.as_ref().map(|(_, register)| register.clone()),
            // A component that can no longer be read is reported as missing.
            contestants
                .iter()
                .filter_map(|contestant| builtin::read(&contestant.path, bytes_max).ok())
                .chain(game.map(|it| it.to_vec())),
        )?;
        let labels = planned.season.bots.iter().map(|bot| bot.label.clone());
        coordinator.set_bot_labels(labels.collect());
        let mut trail = WorkersTrail::after(planned.trail());
        for (key, name, why) in trail.excluded() {
            coordinator.restore_exclusion(key, name, why.clone());
        }
        if let Some((_, register)) = &register {
            trail.take_register(register);
        }
        // Processes are started when they get a game.
        let Some(processes) = Processes::start(sandbox, bots, &common, 0)? else {
            return Err(ClusterError::Unconfined { task: "coordinating workers" });
        };
        Ok(Self {
            batch_size: Mutex::new(BatchSize::new(coordinator.message_bytes_max())),
            coordinator,
            threads: runner.plan.jobs,
            owners,
            recheck: Recheck::new(recheck.unwrap_or_else(|| trust.recheck()), processes),
            records: Mutex::default(),
            withdrawn: Mutex::default(),
            register: file.clone().zip(register.map(|(text, _)| Mutex::new(text))),
            trail: Mutex::new(trail),
        })
    }

    /// Returns what has changed since the last call, and the state of the workers.
    pub fn update(&self) -> WorkersUpdate {
        let status = self.coordinator.status();
        let mut messages = self.read_register();
        messages.extend(self.coordinator.notes());
        let connected = status.workers.iter().filter(|worker| worker.silent_ms.is_some());
        let owners: HashSet<_> = connected.map(|worker| worker.owner.as_str()).collect();
        let owners_wanted = (self.owners > 1 && owners.len() < self.owners).then_some(self.owners);
        WorkersUpdate { messages, status, owners_wanted }
    }

    /// Reads the register again if its file has changed. Returns a message if it was read or is invalid.
    fn read_register(&self) -> Vec<String> {
        let Some((path, text)) = &self.register else { return Vec::new() };
        let mut text = lock(text);
        match register::read_if_changed(path, &text) {
            Ok(None) => Vec::new(),
            Ok(Some((now, register))) => {
                lock(&self.trail).take_register(&register);
                self.coordinator.set_register(register);
                *text = now;
                vec![format!("{}: read again", shown(path))]
            }
            Err((now, problem)) => {
                // The problem is printed once.
                *text = now;
                vec![format!("{problem}; the previous register stays in force")]
            }
        }
    }

    /// Stops handing out batches. Returns the time of the first call.
    fn withdrawn(&self) -> Instant {
        *lock(&self.withdrawn).get_or_insert_with(|| {
            self.coordinator.withdraw();
            Instant::now()
        })
    }
}

impl Supplier for Remote {
    fn supply(&self, games: &RoundQueue<'_, '_>) {
        BatchPlayer::new(self, games).work();
    }

    fn lead(&self) -> usize {
        lock(&self.batch_size).lead(self.coordinator.jobs(), self.threads)
    }

    fn kept(&self, number: usize) {
        self.coordinator.acknowledge_up_to(number);
    }

    /// Purges the results of workers, which are no longer needed.
    fn over(&self) {
        self.coordinator.over();
    }

    fn trail(&self) -> Vec<TrailEntry> {
        let mut trail = lock(&self.trail);
        trail.add_events(self.coordinator.take_events());
        trail.take_pending()
    }
}

/// The key of a game.
fn key(fixture: Fixture) -> Key {
    let seats = fixture.seats.map(|bot| u32::try_from(bot).expect("there are fewer bots"));
    Key { seats, pair: fixture.pair, game: fixture.game }
}

/// Reads the register of admitted workers, if there is one. It has to be enough for this trust.
fn register_for(trust: Trust, file: Option<&Path>) -> Result<Option<(String, Register)>, ClusterError> {
    if file.is_none() && trust.needs_register() {
        return Err(ClusterError::NoRegister);
    }
    let register = file.map(register::read).transpose()?;
    let wanted = trust.owners();
    match register.as_ref().map(|(_, register)| register.owners()) {
        Some(has) if wanted > 1 && has < wanted => Err(ClusterError::TooFewOwners { wanted, has }),
        _ => Ok(register),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorkerKey;

    #[test]
    fn strangers_need_a_register_with_workers_of_two_owners() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("workers.toml");
        let of =
            |trust, file: bool| register_for(trust, file.then_some(path.as_path())).map(|it| it.is_some());
        assert!(matches!((of(Trust::Full, false), of(Trust::Own, false)), (Ok(false), Ok(false))));
        for trust in [Trust::Known, Trust::Strangers] {
            assert!(matches!(of(trust, false), Err(ClusterError::NoRegister)));
        }
        for (owner, has) in [("ann", 1), ("ann", 1), ("ben", 2)] {
            let key = WorkerKey::fresh().public();
            register::admit(&path, &key, &key.to_string(), owner).unwrap();
            assert!(matches!((of(Trust::Full, true), of(Trust::Known, true)), (Ok(true), Ok(true))));
            match of(Trust::Strangers, true) {
                Ok(is_there) => assert!(is_there && has == 2),
                Err(error) => {
                    assert!(matches!(error, ClusterError::TooFewOwners { wanted: 2, has: 1 }) && has == 1)
                }
            }
        }
    }
}
