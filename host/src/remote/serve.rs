//! A worker: plays the games of a contest's coordinator, in confined processes on this machine.

use super::WorkerArgs;
use super::coordinate::{address_of, unusable, versions};
use crate::admission;
use crate::args::CacheArgs;
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use arena_cluster::{
    Batches, BotEntry, Contest, Ended, GameReport, HeldBatch, Introduction, Manifest, Name, Worker,
    WorkerKey, WorkerLimits,
};
use arena_players::{
    Connection, Order, Processes, Queue, RemotePlayer, Seats, Service, Session as Common, Silent, play_out,
    worker_pool,
};
use arena_referee::HostError;
use arena_rules::{GameRules, with_game};
use arena_sandbox::{AdmitError, Bot, Sandbox};
use arena_system::{Fewer, NewThread, note_fewer};
use arena_text::{counted, shown};
use std::cell::RefCell;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// The largest number of bots in a contest. Chosen: each process has the code of all bots in memory.
const BOTS_MAX: usize = 4_096;

/// The largest memory limit of a bot, in bytes: the maximum of `--memory`.
const MEMORY_BYTES_MAX: u64 = 4_096 << 20;

/// The interval between two polls. Chosen: too short to be noticed.
const POLL_EVERY: Duration = Duration::from_millis(50);

/// The interval between two lines about the games played. Chosen: the log of a night has a thousand lines.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// The size limit of a key file, in bytes. Chosen: a seed has 58.
const KEY_BYTES_MAX: u64 = 1_024;

/// The worker on this machine.
struct LocalWorker<'a> {
    worker: Worker,
    interrupt: Interrupt,
    jobs: usize,
    cache: &'a CacheArgs,
}

/// Plays one contest after another, until Ctrl-C.
///
/// # Errors
/// The server is unusable, or the coordinator refuses this worker.
pub fn serve(args: &WorkerArgs, console: &mut Console) -> Result<(), Failure> {
    let server = address_of(&args.server, args.contest.as_deref())?;
    let key = args.key.as_deref().map_or_else(|| Ok(WorkerKey::fresh()), key)?;
    let public = key.public();
    let interrupt = Interrupt::listen()?;
    let jobs = arena_players::jobs(args.jobs);
    let engine = sandbox(jobs, u64::from(arena_players::MEMORY_MIB) << 20, &args.cache)?.engine_hash();
    let name = args.name.clone().unwrap_or_else(machine);
    let introduction = Introduction {
        name: Name::from(name.as_str()),
        machine: machine(),
        jobs: u16::try_from(jobs).unwrap_or(u16::MAX),
        versions: versions(&engine),
        limits: limits(args),
    };
    let worker = Worker::connect(&server, key, introduction).map_err(unusable)?;
    console.note(format!("{server}: waiting for a contest, with {}", counted(jobs, "job")));
    if args.key.is_some() {
        console.note(format!("its key is {public}: an organiser admits it with this key"));
    }
    let here = LocalWorker { worker, interrupt, jobs, cache: &args.cache };
    while let Some(contest) =
        here.worker.contest(|| here.interrupt.requested()).map_err(|why| refused(&why))?
    {
        match here.play(&contest, console)? {
            Ended::Over => console.note("the contest is over: waiting for the next one"),
            Ended::Stopped => break,
            Ended::Refused(why) => return Err(refused(&why)),
        }
    }
    console.note(format!("stopped: {} played", counted(games(here.worker.games_played()), "game")));
    Ok(())
}

fn refused(why: &str) -> Failure {
    Failure::machine(
        "the coordinator refuses this worker",
        anyhow::anyhow!("{why}"),
        "ask the organiser; change a limit only for people you trust; if versions differ, run the coordinator's version of the arena, on the same kind of processor",
    )
}

/// Reads the key from a file. Creates the file with a new key if it does not exist.
fn key(path: &Path) -> Result<WorkerKey, Failure> {
    let next = "name another file, or delete it for a new key";
    let problem = |problem: &dyn Display| {
        Failure::usage(format!("{}: {}", shown(path), arena_text::line(&problem.to_string(), 200)), next)
    };
    // Only the user may read a new key file.
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => {
            let key = WorkerKey::fresh();
            file.write_all(format!("{}\n", key.seed()).as_bytes()).map_err(|error| problem(&error))?;
            Ok(key)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let seed = arena_files::read_text(path, KEY_BYTES_MAX).map_err(|error| problem(&error))?;
            WorkerKey::from_seed(&seed).map_err(|error| problem(&error))
        }
        Err(error) => Err(problem(&error)),
    }
}

fn sandbox(jobs: usize, memory_bytes: u64, cache: &CacheArgs) -> Result<Sandbox, Failure> {
    cache.sandbox(arena_players::sandbox_limits(jobs, memory_bytes))
}

/// The memory that all bots get where that of the machine is unknown, in bytes. Chosen: half of a small machine's.
const USUAL_MEMORY_BYTES: u64 = 2 << 30;

/// The limits of the worker, by its options and its machine.
fn limits(args: &WorkerArgs) -> WorkerLimits {
    let bytes = |mib: u32| u64::from(mib) << 20;
    let half = || {
        let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        memory_of_machine(&text).map_or(USUAL_MEMORY_BYTES, |all| all / 2)
    };
    WorkerLimits {
        bot_memory_bytes: bytes(args.bot_memory),
        memory_bytes: args.memory.map_or_else(half, bytes),
        component_bytes: bytes(args.components),
    }
}

/// The memory of the machine in bytes, in the text of `/proc/meminfo`.
fn memory_of_machine(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1_024)
}

/// The name of this machine.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "worker".into() } else { name.trim().into() }
}

fn games(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl LocalWorker<'_> {
    /// Plays the games of a contest until it ends.
    fn play(&self, contest: &Contest, console: &mut Console) -> Result<Ended, Failure> {
        let manifest = &contest.manifest;
        let unplayable = |problem: String| {
            Failure::machine(
                "the coordinator's contest cannot be played here",
                anyhow::anyhow!(problem),
                "run the coordinator's version of the arena here",
            )
        };
        let mut common = common(manifest).map_err(unplayable)?;
        let batches = self.worker.begin(contest);
        console.note(format!(
            "a contest with {} under the rules `{}`",
            counted(manifest.bots.len(), "bot"),
            arena_text::line(common.rules.name(), 64)
        ));
        let sandbox = sandbox(self.jobs, manifest.memory_bytes, self.cache)?;
        if let (GameRules::Loaded(rules), Some(game)) = (&mut common.rules, &manifest.game) {
            let bytes = self.worker.component(game).map_err(unplayable)?;
            let of_game = sandbox.clone();
            *rules = std::mem::take(rules)
                .with_code(arena_game_component::code(bytes, move || Ok(of_game.clone())));
        }
        let Some(bots) = self.admit(&sandbox, &manifest.bots, console)? else { return Ok(Ended::Stopped) };
        admission::note_gaps(&sandbox, console);
        let processes = Processes::start(&sandbox, bots, &common, self.jobs)?;
        let Some(processes) = processes else {
            return Err(Failure::usage(
                "a worker requires confined processes, which need Linux",
                "run it on Linux",
            ));
        };
        self.interrupt.answer(console::note_interrupt);
        batches.begin();
        self.play_batches(&batches, &processes, &common, console)?;
        Ok(batches.ended().unwrap_or(Ended::Stopped))
    }

    fn play_batches(
        &self,
        batches: &Batches<'_>,
        processes: &Processes,
        common: &Common,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let mut last_report = Instant::now();
        let mut games_reported = self.worker.games_played();
        thread::scope(|scope| {
            let mut jobs = Vec::new();
            for number in 0..self.jobs {
                let take = move |may_wait| batches.take(may_wait);
                let stop = move || batches.ended().is_some();
                let job = move || {
                    let has_played = play(processes, common, &take, &stop);
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
                if self.interrupt.requested() || jobs.iter().any(thread::ScopedJoinHandle::is_finished) {
                    batches.stop();
                }
                self.worker.notes().into_iter().for_each(|line| console.note(line));
                let played = self.worker.games_played();
                if last_report.elapsed() >= REPORT_EVERY && played > games_reported {
                    console.note(format!("{} played so far", counted(games(played), "game")));
                    (last_report, games_reported) = (Instant::now(), played);
                }
            }
            Ok(())
        })
    }

    /// Admits the bots of a contest; `None` when the user asks to stop.
    fn admit(
        &self,
        sandbox: &Sandbox,
        entries: &[BotEntry],
        console: &mut Console,
    ) -> Result<Option<Vec<Bot>>, Failure> {
        let stopping = sandbox.clone();
        self.interrupt.answer(move || stopping.stop_compiling());
        let mut bots = Vec::new();
        let mut failed = None;
        console.begin_progress(entries.len(), "bots ready");
        worker_pool::in_order(
            self.jobs,
            entries.len(),
            || self.interrupt.requested(),
            |index| {
                let bytes =
                    self.worker.component(&entries[index]).map_err(|why| HostError::Worker(why.into()))?;
                sandbox.admit(&bytes)
            },
            |index, admitted| {
                console.advance();
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
        console.end_progress();
        if self.interrupt.requested() {
            return Ok(None);
        }
        match failed {
            Some(why) => Err(Failure::machine(
                "a bot of the contest cannot be admitted here",
                anyhow::anyhow!(why),
                "run the coordinator's version of the arena here, on the same kind of processor",
            )),
            None => Ok(Some(bots)),
        }
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

/// Plays batches on one job until `stop` returns true. `take` returns the next batch: `None` when there are no more or, unless it may
/// wait, when there is no batch at the moment.
///
/// Returns false without having played if the system has no room for a process of this job, while other jobs have theirs.
pub fn play(
    processes: &Processes,
    common: &Common,
    take: &dyn Fn(bool) -> Option<Arc<HeldBatch>>,
    stop: &dyn Fn() -> bool,
) -> bool {
    processes.work_if_there_is_room(&Games {
        take,
        stop,
        common,
        bots: processes.bots(),
        current: RefCell::default(),
    })
}

/// The batches for one job.
struct Games<'a> {
    take: &'a dyn Fn(bool) -> Option<Arc<HeldBatch>>,
    stop: &'a dyn Fn() -> bool,
    common: &'a Common,
    /// The number of bots.
    bots: usize,
    /// The batch in play, and the index of its next game.
    current: RefCell<Option<(Arc<HeldBatch>, usize)>>,
}

impl Games<'_> {
    /// Decodes the order of a game.
    ///
    /// # Errors
    /// The bytes are not a valid order.
    fn order(&self, batch: &HeldBatch, place: usize) -> Result<Order, HostError> {
        let order = Order::from_bytes(&batch.games[place].order).ok();
        let is_of_these = |order: &Order| order.seats.iter().all(|&seat| (seat as usize) < self.bots);
        order
            .filter(is_of_these)
            .ok_or_else(|| HostError::Worker("the coordinator sent an invalid order".into()))
    }
}

impl Queue for Games<'_> {
    type Item = (Arc<HeldBatch>, usize);
    type Game = Vec<u8>;

    fn take(&self, may_wait: bool) -> Option<(Self::Item, Vec<Order>)> {
        loop {
            if (self.stop)() {
                return None;
            }
            let mut current = self.current.borrow_mut();
            let Some((batch, next)) = current.as_mut().filter(|(batch, next)| *next < batch.games.len())
            else {
                let batch = (self.take)(may_wait)?;
                batch.begin();
                *current = Some((batch, 0));
                continue;
            };
            let item = (Arc::clone(batch), *next);
            *next += 1;
            match self.order(&item.0, item.1) {
                Ok(order) => return Some((item, vec![order])),
                Err(error) => item.0.report(item.1, failed(&error)),
            }
        }
    }

    fn referee(
        &self,
        (batch, place): &Self::Item,
        _: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Vec<u8>, HostError> {
        connection.borrow_mut().record();
        let order = self.order(batch, *place)?;
        let foreseen = arena_players::foreseeing(&self.common.rules, connection)?;
        let foreseen = foreseen.map(|rules| Common { rules, ..self.common.clone() });
        let common = foreseen.as_ref().unwrap_or(self.common);
        with_game!(common.rules.kind(), G => {
        let plan = common.game_plan::<G>(&order);
        let plan = plan.ok_or_else(|| HostError::Worker("the contest's rules are for another game".into()))?;
        play_out(&plan, || Ok([RemotePlayer(connection), RemotePlayer(connection)]), &mut Silent)?;
        let mut connection = connection.borrow_mut();
        connection.logs::<G>(Some(order))?;
        Ok(connection.take_recorded())
        })
    }

    fn is_by_clock(&self, _: &Vec<u8>) -> bool {
        // The coordinator rechecks such a game itself.
        false
    }

    fn play_by_calls(&self, _: &Self::Item, _: usize, _: &Seats) -> Result<Vec<u8>, HostError> {
        Err(HostError::Defect("a worker does not play games call by call".into()))
    }

    fn put(&self, (batch, place): Self::Item, messages: Result<Vec<Vec<u8>>, HostError>) {
        let messages = messages.map(|games| games.into_iter().next().unwrap_or_default());
        batch.report(place, messages.map_or_else(|error| failed(&error), GameReport::Played));
    }
}

fn failed(error: &HostError) -> GameReport {
    GameReport::Failed(error.to_string().as_str().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_read_where_the_kernel_tells_it() {
        let text = "MemTotal:        8000000 kB\nMemFree:          100 kB\n";
        assert_eq!(memory_of_machine(text), Some(8_192_000_000));
        for other in ["", "MemFree: 100 kB\n", "MemTotal: soon\n", "MemTotal: 18446744073709551615 kB\n"] {
            assert_eq!(memory_of_machine(other), None, "{other}");
        }
    }
}
