//! A worker on this machine: it plays the games of one contest after another in confined processes.

mod games;

pub use games::play_batches;

use crate::error::ClusterError;
use crate::keys::WorkerKey;
use crate::limits::WorkerLimits;
use crate::message::{BotEntry, Manifest, Name, Versions};
use crate::server::Server;
use crate::worker::{Batches, Contest, Ended, Introduction, Worker};
use arena_engine::{Control, Error};
use arena_players::{Processes, Service, Session as Common, worker_pool};
use arena_referee::HostError;
use arena_resources::{Fewer, NewThread, note_fewer};
use arena_rules::GameRules;
use arena_sandbox::{AdmitError, Bot, CacheOptions, Sandbox};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

/// The largest number of bots in a contest. Chosen: each process has the code of all bots in memory.
const BOTS_MAX: usize = 4_096;

/// The largest memory limit of a bot, in bytes. Chosen: that of a contest's options.
const MEMORY_BYTES_MAX: u64 = 4_096 << 20;

/// The interval between two polls. Chosen: too short to be noticed.
const POLL_EVERY: Duration = Duration::from_millis(50);

/// The interval between two reports about the games played. Chosen: the log of a night has a thousand lines.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// A worker on this machine.
pub struct LocalWorker {
    /// The server, with the name of the contest.
    pub server: Server,
    /// Its key.
    pub key: WorkerKey,
    /// Its name in messages; `None` for that of the machine.
    pub name: Option<String>,
    /// The number of games that it plays at the same time.
    pub jobs: usize,
    /// Its limits.
    pub limits: WorkerLimits,
    /// The cache of compiled bots; `None` to compile the bots of each contest.
    pub cache: Option<CacheOptions>,
}

/// A step in the work of a worker, for its user.
pub enum WorkerProgress<'a> {
    /// It is connected to the server, and waits for a contest.
    Connected,
    /// It admits the bots of a contest.
    Admitting {
        /// The number of bots.
        bots: usize,
        /// The name of the rules.
        rules: &'a str,
        /// The sandbox, whose compiling can be stopped.
        sandbox: &'a Sandbox,
    },
    /// It has admitted a bot.
    BotAdmitted,
    /// It admits no more bots to this sandbox.
    Admitted(&'a Sandbox),
    /// A message about its connection.
    Message(String),
    /// It has played this number of games so far.
    Played(u64),
    /// The contest is over.
    Over,
}

/// The worker of a connection.
struct Playing<'a> {
    worker: Worker,
    jobs: usize,
    cache: Option<&'a CacheOptions>,
    control: &'a Control,
}

/// Takes the progress of a worker.
type Tell<'a> = &'a mut dyn FnMut(WorkerProgress<'_>);

impl LocalWorker {
    /// Plays one contest after another until it is cancelled. Returns the number of games.
    ///
    /// # Errors
    /// The server is unusable, the coordinator refuses this worker, or the contest cannot be played here.
    pub fn work(
        self,
        control: &Control,
        tell: &mut dyn FnMut(WorkerProgress<'_>),
    ) -> Result<u64, ClusterError> {
        let Self { server, key, name, jobs, limits, cache } = self;
        let sandbox = sandbox(jobs, u64::from(arena_players::MEMORY_MIB) << 20, cache.as_ref())?;
        let introduction = Introduction {
            name: Name::from(name.unwrap_or_else(machine).as_str()),
            machine: machine(),
            jobs: u16::try_from(jobs).unwrap_or(u16::MAX),
            versions: Versions::with_engine(&sandbox.engine_hash()),
            limits,
        };
        drop(sandbox);
        let worker = Worker::connect(&server, key, introduction)?;
        tell(WorkerProgress::Connected);
        let playing = Playing { worker, jobs, cache: cache.as_ref(), control };
        let refused = |why| ClusterError::Refused { why };
        while let Some(contest) = playing.worker.contest(|| control.is_cancelled()).map_err(refused)? {
            match playing.play(&contest, tell)? {
                Ended::Over => tell(WorkerProgress::Over),
                Ended::Stopped => break,
                Ended::Refused(why) => return Err(refused(why)),
            }
        }
        Ok(playing.worker.games_played())
    }
}

fn sandbox(jobs: usize, memory_bytes: u64, cache: Option<&CacheOptions>) -> Result<Sandbox, Error> {
    arena_engine::sandbox(arena_players::sandbox_limits(jobs, memory_bytes), cache.cloned())
}

/// The name of this machine.
fn machine() -> String {
    arena_platform::machine::name().unwrap_or_else(|| "worker".into())
}

impl Playing<'_> {
    /// Plays the games of a contest until it ends.
    fn play(&self, contest: &Contest, tell: Tell<'_>) -> Result<Ended, ClusterError> {
        let manifest = &contest.manifest;
        let unplayable = |problem: String| {
            let next = "run the coordinator's version of the arena here";
            Error::machine("the coordinator's contest cannot be played here", problem, next)
        };
        let mut common = common(manifest).map_err(unplayable)?;
        let batches = self.worker.begin(contest);
        let sandbox = sandbox(self.jobs, manifest.memory_bytes, self.cache)?;
        if let (GameRules::Loaded(rules), Some(game)) = (&mut common.rules, &manifest.game) {
            let bytes = self.worker.component(game).map_err(unplayable)?;
            let of_game = sandbox.clone();
            *rules = std::mem::take(rules).with_code(arena_loaded::code(bytes, move || Ok(of_game.clone())));
        }
        let rules = common.rules.name();
        tell(WorkerProgress::Admitting { bots: manifest.bots.len(), rules, sandbox: &sandbox });
        let bots = self.admit(&sandbox, &manifest.bots, tell);
        tell(WorkerProgress::Admitted(&sandbox));
        if self.control.is_cancelled() {
            return Ok(Ended::Stopped);
        }
        let Some(processes) = Processes::start(&sandbox, bots?, &common, self.jobs)? else {
            return Err(ClusterError::Unconfined { task: "a worker" });
        };
        batches.begin();
        self.play_games(&batches, &processes, &common, tell)?;
        Ok(batches.ended().unwrap_or(Ended::Stopped))
    }

    /// Plays the games of batches until the contest ends.
    fn play_games(
        &self,
        batches: &Batches<'_>,
        processes: &Processes,
        common: &Common,
        tell: Tell<'_>,
    ) -> Result<(), Error> {
        let mut last_report = Instant::now();
        let mut games_reported = self.worker.games_played();
        thread::scope(|scope| {
            let mut jobs = Vec::new();
            for number in 0..self.jobs {
                let take = move |may_wait| batches.take(may_wait);
                let stop = move || batches.ended().is_some();
                let job = move || {
                    let has_played = play_batches(processes, common, &take, &stop);
                    // The end of a job ends the contest, and the other jobs go on without this one.
                    while !has_played && !stop() {
                        thread::sleep(POLL_EVERY);
                    }
                };
                match NewThread::named("job").numbered(number as u64 + 1).start_in(scope, job) {
                    Ok(job) => jobs.push(job),
                    Err(why) if jobs.is_empty() => return Err(why.into()),
                    Err(why) => {
                        note_fewer(Fewer { what: "threads", asked: self.jobs, got: jobs.len(), why });
                        break;
                    }
                }
            }
            while !jobs.iter().all(thread::ScopedJoinHandle::is_finished) {
                thread::sleep(POLL_EVERY);
                if self.control.is_cancelled() || jobs.iter().any(thread::ScopedJoinHandle::is_finished) {
                    batches.stop();
                }
                self.worker.notes().into_iter().for_each(|line| tell(WorkerProgress::Message(line)));
                let played = self.worker.games_played();
                if last_report.elapsed() >= REPORT_EVERY && played > games_reported {
                    tell(WorkerProgress::Played(played));
                    (last_report, games_reported) = (Instant::now(), played);
                }
            }
            Ok(())
        })
    }

    /// Admits the bots of a contest. If it is cancelled, some are missing.
    fn admit(&self, sandbox: &Sandbox, entries: &[BotEntry], tell: Tell<'_>) -> Result<Vec<Bot>, Error> {
        let mut bots = Vec::new();
        let mut failed = None;
        worker_pool::in_order(
            self.jobs,
            entries.len(),
            || self.control.is_cancelled(),
            |index| {
                let bytes =
                    self.worker.component(&entries[index]).map_err(|why| HostError::Worker(why.into()))?;
                sandbox.admit(&bytes)
            },
            |index, admitted| {
                tell(WorkerProgress::BotAdmitted);
                match admitted.unwrap_or_else(|panic| Err(HostError::Worker(panic.into()).into())) {
                    Ok(bot) => bots.push(bot),
                    Err(error) => {
                        let why = match error {
                            AdmitError::Refused(refusal) => refusal.message,
                            AdmitError::Unreadable(error) => error.to_string(),
                            AdmitError::Host(error) => error.to_string(),
                        };
                        failed = Some(format!("bot {}: {}", index + 1, arena_text::line(&why, 300)));
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            },
        );
        let next = "run the coordinator's version of the arena here, on the same kind of processor";
        failed.map_or(Ok(bots), |why| {
            Err(Error::machine("a bot of the contest cannot be admitted here", why, next))
        })
    }
}

/// Decodes and validates everything that the games of a contest have in common. It comes from the network.
fn common(manifest: &Manifest) -> Result<Common, String> {
    let common: Common = serde_json::from_value(manifest.common.clone())
        .map_err(|error| format!("its rules are invalid: {}", arena_text::line(&error.to_string(), 200)))?;
    common.rules.validate().map_err(|error| error.to_string())?;
    if common.service != Service::Games {
        return Err("it does not consist of whole games".into());
    }
    if !(2..=BOTS_MAX).contains(&manifest.bots.len()) {
        return Err(format!("it has {} bots", manifest.bots.len()));
    }
    if !(1 << 20..=MEMORY_BYTES_MAX).contains(&manifest.memory_bytes) {
        return Err(format!("its bots have a memory limit of {} bytes", manifest.memory_bytes));
    }
    Ok(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_players::{LimitOptions, Plan};
    use arena_record::Seed;

    /// The reason why a contest with this number of bots and this limit of their memory cannot be played.
    fn problem(service: Service, bots: usize, memory_bytes: u64) -> Option<String> {
        let rules = GameRules::named("guide").expect("they are built in");
        let plan = Plan::of(rules, "engine".into(), Seed::from(1).into(), &LimitOptions::default(), 1);
        let session = Common { service, ..Common::of(&plan, false) };
        let session = serde_json::to_value(session).expect("it is plain data");
        let bots = vec![BotEntry { sha256: "aa".into(), bytes: 1 }; bots];
        common(&Manifest::new(b"", session, memory_bytes, bots)).err()
    }

    #[test]
    fn a_contest_from_the_network_has_whole_games_two_to_4096_bots_and_1_to_4096_mib_for_each() {
        let (mib, games) = (1 << 20, || Service::Games);
        for bots in [2, 4_096] {
            assert_eq!(problem(games(), bots, mib), None);
        }
        for bots in [0, 1, 4_097] {
            assert_eq!(problem(games(), bots, mib), Some(format!("it has {bots} bots")));
        }
        assert_eq!(problem(games(), 2, 4_096 * mib), None);
        for bytes in [0, mib - 1, 4_096 * mib + 1] {
            let why = format!("its bots have a memory limit of {bytes} bytes");
            assert_eq!(problem(games(), 2, bytes), Some(why));
        }
        let boards = problem(Service::Boards, 2, mib);
        assert_eq!(boards.as_deref(), Some("it does not consist of whole games"));
        let other = common(&Manifest::new(b"", serde_json::json!({ "rules": 1 }), mib, Vec::new()));
        assert!(other.is_err_and(|why| why.starts_with("its rules are invalid: ")));
    }
}
