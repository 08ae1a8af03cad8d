//! The coordinator of a run: workers play the games of a round.

use super::Setting;
use super::Trust;
use super::batch_size::BatchSize;
use super::batches::BatchPlayer;
use super::recheck::Recheck;
use super::register;
use super::trail::WorkersTrail;
use super::trust::Record;
use crate::failure::Failure;
use arena_cluster::{
    BotEntry, ConnectError, ContestName, Coordinator, Key, Manifest, REVISION, Server, Status, Versions,
    WorkerId, sha256,
};
use arena_engine::builtin;
use arena_engine::round::RoundQueue;
use arena_engine::run::Supplier;
use arena_engine::seed;
use arena_league::Fixture;
use arena_players::{Processes, Session as Common};
use arena_record::FORMAT;
use arena_sandbox::Bot;
use arena_store::TrailEntry;
use arena_text::{counted, grouped, shown};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The connection of a run to workers on other machines.
pub struct Remote {
    server: Server,
    pub(super) coordinator: Coordinator,
    /// The number of threads that publish and referee batches.
    pub(super) threads: usize,
    /// The number of owners that play each game.
    pub(super) owners: usize,
    pub(super) batch_size: Mutex<BatchSize>,
    pub(super) recheck: Recheck,
    pub(super) records: Mutex<HashMap<WorkerId, Record>>,
    /// The time at which the user asked to stop.
    withdrawn: Mutex<Option<Instant>>,
    /// The register file, and its text as last read.
    register: Option<(PathBuf, Mutex<String>)>,
    trail: Mutex<WorkersTrail>,
}

/// An update about a contest's workers, for the user.
pub struct WorkersUpdate {
    /// The lines for the user since the last call.
    pub lines: Vec<String>,
    /// The state of the workers, as one line.
    pub line: String,
    /// The state of each worker.
    pub status: Status,
}

/// Checks the address of a server.
///
/// # Errors
/// The address is invalid.
pub fn check(server: &str) -> Result<(), Failure> {
    address(server).map(drop)
}

pub(super) fn address(server: &str) -> Result<Server, Failure> {
    address_of(server, None)
}

/// The server at an address, with the contest of this name or the default one.
pub(super) fn address_of(server: &str, contest: Option<&str>) -> Result<Server, Failure> {
    let contest =
        contest.map_or_else(|| Ok(ContestName::default()), ContestName::new).map_err(|problem| {
            Failure::usage(problem, "choose another name, the same for `arena run` and its workers")
        })?;
    Server::new(server).map(|server| server.with_contest(contest)).map_err(|problem| {
        Failure::usage(
            format!("the address of the server {problem}"),
            "name it as nats://HOST:4222 or tls://HOST:4222, with user:password@ or token@ before the host",
        )
    })
}

/// The failure for an unusable server.
pub(super) fn unusable(error: ConnectError) -> Failure {
    Failure::machine("the workers' server cannot be used", anyhow::anyhow!("{}", error.what), error.next)
}

/// The versions on which this program's games depend.
pub(super) fn versions(engine: &str) -> Versions {
    Versions {
        arena: env!("CARGO_PKG_VERSION").into(),
        revision: REVISION,
        transcript: FORMAT.to_string().as_str().into(),
        engine: engine.into(),
    }
}

impl Remote {
    /// Starts coordinating a contest.
    ///
    /// # Errors
    /// The server is unusable or has another coordinator, the options are invalid, or a file has changed.
    pub fn start(setting: &Setting<'_>) -> Result<Self, Failure> {
        let Setting { args, server, planned, sandbox } = *setting;
        if args.admit.is_none() && args.trust.is_some_and(Trust::needs_register) {
            return Err(Failure::usage(
                "this trust level requires a register of workers",
                "name the register: --admit FILE",
            ));
        }
        let register = args.admit.as_deref().map(register::read).transpose()?;
        let owners = args.trust.map_or(1, Trust::owners);
        if let (Some((_, register)), true) = (&register, owners > 1)
            && register.owners() < owners
        {
            return Err(Failure::usage(
                format!("{} owners must play each game, and the register has {}", owners, register.owners()),
                "add workers with other owners to the file of --admit",
            ));
        }

        let contestants = &planned.roster.contestants;
        let table = planned.table();
        let server = address_of(server, args.contest.as_deref())?;
        let conditions = &table.plan.conditions;
        let common = Common::of(table.plan, false);
        let bots: Vec<Bot> = table.bots();
        let entry = |bot: &Bot| BotEntry { sha256: bot.hash().into(), bytes: bot.size_bytes() as u64 };
        let identity = serde_json::to_vec(&(conditions, &common)).expect("they are plain data");
        let manifest = Manifest::new(
            &identity,
            serde_json::to_value(&common).expect("it is plain data"),
            conditions.limits.memory_bytes,
            bots.iter().map(entry).collect(),
        );
        let game = arena_game_component::bytes(&conditions.rules);
        let manifest = manifest.with_game(
            game.as_ref().map(|it| BotEntry { sha256: sha256(it).as_str().into(), bytes: it.len() as u64 }),
        );
        let bytes_max = sandbox.limits().component_bytes_max as u64;
        let coordinator = Coordinator::start(
            &server,
            manifest,
            versions(&conditions.engine),
            seed::fresh_bytes()?,
            register.as_ref().map(|(_, register)| register.clone()),
            // A component that can no longer be read is reported as missing.
            contestants
                .iter()
                .filter_map(|contestant| builtin::read(&contestant.path, bytes_max).ok())
                .chain(game.map(|it| it.to_vec())),
        )
        .map_err(unusable)?;
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
            return Err(Failure::usage(
                "coordinating workers requires confined processes, which need Linux",
                "run it on Linux",
            ));
        };
        let percent = args.recheck.unwrap_or_else(|| args.trust.map_or(0, Trust::recheck));
        Ok(Self {
            server,
            batch_size: Mutex::new(BatchSize::new(coordinator.message_bytes_max())),
            coordinator,
            threads: table.plan.jobs,
            owners,
            recheck: Recheck::new(percent, processes),
            records: Mutex::default(),
            withdrawn: Mutex::default(),
            register: args.admit.clone().zip(register.map(|(text, _)| Mutex::new(text))),
            trail: Mutex::new(trail),
        })
    }

    /// Ends the contest: results are no longer needed.
    pub fn over(&self) {
        self.coordinator.over();
    }

    /// The line printed before the first game.
    pub fn start_message(&self) -> String {
        format!("{}: waiting for workers: start `arena worker` with this address", self.server)
    }

    /// Returns what changed since the last call, and the state of the workers.
    pub fn update(&self) -> WorkersUpdate {
        let status = self.coordinator.status();
        let mut lines = self.read_register();
        lines.extend(self.coordinator.notes());
        let line = match (status.is_connected, status.runs) {
            (false, _) => "the server is unreachable".to_owned(),
            (true, 0) => "no workers yet".to_owned(),
            (true, workers) => format!(
                "{} with {}, {} games a second, {} in flight",
                counted(workers, "worker"),
                counted(status.jobs, "job"),
                grouped(status.games_per_second.round() as u64),
                grouped(status.games_in_flight)
            ),
        };
        let mut owners: Vec<_> = status
            .workers
            .iter()
            .filter(|worker| worker.silent_ms.is_some())
            .map(|worker| worker.owner.as_str())
            .collect();
        owners.sort_unstable();
        owners.dedup();
        let line = match self.owners > 1 && owners.len() < self.owners {
            true => format!("{line}: waiting for workers of {} owners", self.owners),
            false => line,
        };
        WorkersUpdate { lines, line, status }
    }

    /// Reads the register again if its file has changed. Returns a line for the user if it was read or is invalid.
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
    pub(super) fn withdrawn(&self) -> Instant {
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

    fn trail(&self) -> Vec<TrailEntry> {
        let mut trail = lock(&self.trail);
        trail.add_events(self.coordinator.take_events());
        trail.take_pending()
    }
}

/// The key of a game.
pub(super) fn key(fixture: Fixture) -> Key {
    let seats = fixture.seats.map(|bot| u32::try_from(bot).expect("there are fewer bots"));
    Key { seats, pair: fixture.pair, game: fixture.game }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
