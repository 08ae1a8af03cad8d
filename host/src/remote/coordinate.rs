//! The coordinator of a run: it has the games of a round played by workers.

use super::Setting;
use super::batch_size::BatchSize;
use super::batches::BatchPlayer;
use super::recheck::Recheck;
use crate::failure::Failure;
use arena_engine::round::RoundQueue;
use arena_engine::run::Supplier;
use arena_engine::seed;
use arena_files::read;
use arena_league::Fixture;
use arena_players::{Played, Processes, Session as Common};
use arena_record::FORMAT;
use arena_sandbox::Bot;
use arena_text::counted;
use arena_workers::{
    BotEntry, ConnectError, Coordinator, Key, Manifest, REVISION, Receipt, Server, Session, Versions,
};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Workers on other machines.
pub struct Remote {
    server: Server,
    pub(super) coordinator: Coordinator,
    /// The number of threads that have games played.
    pub(super) lanes: usize,
    pub(super) batch_size: Mutex<BatchSize>,
    /// None if no game is played again.
    pub(super) recheck: Option<Recheck>,
    pub(super) state: Mutex<State>,
}

/// The state of a run with workers.
#[derive(Default)]
pub(super) struct State {
    /// The number of games of each worker that went to the journal, if any are played again.
    brought: HashMap<Session, usize>,
    /// The workers that lied.
    liars: HashSet<Session>,
    /// The moment at which the user has asked to stop.
    withdrawn: Option<Instant>,
}

/// Checks the address of a server.
///
/// # Errors
/// It is none.
pub fn check(server: &str) -> Result<(), Failure> {
    address(server).map(drop)
}

pub(super) fn address(server: &str) -> Result<Server, Failure> {
    Server::new(server).map_err(|problem| {
        Failure::usage(
            format!("the address of the server {problem}"),
            "name it as nats://HOST:4222 or tls://HOST:4222, with user:password@ or token@ before the host",
        )
    })
}

/// The failure of a server that cannot be used.
pub(super) fn unusable(error: ConnectError) -> Failure {
    Failure::machine("the workers' server cannot be used", anyhow::anyhow!("{}", error.what), error.next)
}

/// The versions that the games of this program depend on.
pub(super) fn versions(engine: &str) -> Versions {
    Versions {
        arena: env!("CARGO_PKG_VERSION").into(),
        revision: REVISION,
        transcript: FORMAT.to_string().as_str().into(),
        engine: engine.into(),
    }
}

impl Remote {
    /// Begins to coordinate a contest.
    ///
    /// # Errors
    /// The server cannot be used, has another coordinator, or a file has changed.
    pub fn start(setting: &Setting<'_>) -> Result<Self, Failure> {
        let Setting { server, recheck, planned, sandbox } = *setting;
        let contestants = &planned.roster.contestants;
        let table = planned.table();
        let server = address(server)?;
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
        let bytes_max = sandbox.limits().component_bytes_max as u64;
        let coordinator = Coordinator::start(
            &server,
            manifest,
            versions(&conditions.engine),
            seed::fresh_number()?,
            // One that cannot be read any more is missing.
            contestants.iter().filter_map(|contestant| read(&contestant.path, bytes_max).ok()),
        )
        .map_err(unusable)?;
        let recheck = match recheck {
            0 => None,
            // A process is started when it has a game.
            percent => {
                Processes::start(sandbox, bots, &common, 0)?.map(|processes| Recheck::new(percent, processes))
            }
        };
        Ok(Self {
            server,
            batch_size: Mutex::new(BatchSize::new(coordinator.message_bytes_max())),
            coordinator,
            lanes: table.plan.jobs,
            recheck,
            state: Mutex::default(),
        })
    }

    /// Notes that the contest is over: no result is of use any more.
    pub fn over(&self) {
        self.coordinator.over();
    }

    /// The line for the user before the first game.
    pub fn begun(&self) -> String {
        format!("{}: waiting for workers, each of which is an `arena worker` with this address", self.server)
    }

    /// The lines for the user since the last call, and the state of the workers in words.
    pub fn news(&self) -> (Vec<String>, String) {
        let status = self.coordinator.status();
        let state = match (status.is_connected, status.workers) {
            (false, _) => "the server is gone".to_owned(),
            (true, 0) => "no workers yet".to_owned(),
            (true, workers) => format!(
                "{} with {}, {:.0} games a second, {} in flight",
                counted(workers, "worker"),
                counted(status.jobs, "job"),
                status.games_per_second,
                status.games_in_flight
            ),
        };
        (self.coordinator.notes(), state)
    }

    /// Takes back what no worker has taken, once. Returns the moment.
    pub(super) fn withdrawn(&self) -> Instant {
        *lock(&self.state).withdrawn.get_or_insert_with(|| {
            self.coordinator.withdraw();
            Instant::now()
        })
    }

    /// Notes a game that a worker has brought, whose result is acknowledged when the journal has it. Returns false if the worker
    /// has lied meanwhile.
    pub(super) fn brought(&self, session: Session, number: usize, receipt: &Receipt) -> bool {
        if self.recheck.is_some() {
            let mut state = lock(&self.state);
            if state.liars.contains(&session) {
                return false;
            }
            *state.brought.entry(session).or_default() += 1;
        }
        self.coordinator.hold(number, receipt.clone());
        true
    }

    /// Excludes a worker that lies about a game. Its other games of the batch are played again; those of earlier batches, whose
    /// share was played again and was true, stay in the journal.
    pub(super) fn lied(&self, session: Session, number: usize) {
        let mut state = lock(&self.state);
        state.liars.insert(session);
        let before = state.brought.remove(&session).unwrap_or_default();
        drop(state);
        let mut why = format!("its game {number} is another one when it is played again");
        if before > 0 {
            why += &format!(
                "; {} of it counted before: `arena verify` plays them again",
                counted(before, "game")
            );
        }
        self.coordinator.exclude(session, why.as_str());
    }
}

impl Supplier for Remote {
    fn supply(&self, games: &RoundQueue<'_, '_>) {
        BatchPlayer::new(self, games).work();
    }

    fn lead(&self) -> usize {
        lock(&self.batch_size).lead(self.coordinator.jobs(), self.lanes)
    }

    fn kept(&self, number: usize) {
        self.coordinator.kept(number);
    }
}

/// True if a game may differ when it is played again, because a clock decided in one of them.
pub(super) fn depends_on_a_clock(games: [&Played; 2]) -> bool {
    games.iter().any(|game| !game.result.reproducible)
}

/// A game as it is sent.
pub(super) fn key(fixture: Fixture) -> Key {
    let seats = fixture.seats.map(|bot| u32::try_from(bot).expect("there are fewer bots"));
    Key { seats, pair: fixture.pair, game: fixture.game }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
