//! Workers that lie, send nonsense or crash. Each is this test program, started again.

use crate::setting::Setting;
use arena_cluster::{
    Batches, GameReport, HeldBatch, Introduction, Manifest, Server, Versions, Worker, WorkerKey, WorkerLimits,
};
use arena_players::{Order, Processes, Session, WATCHDOG_TRIES_MAX};
use arena_referee::FaultClass;
use arena_sandbox::{Bot, CompileOptions, Compiler, Sandbox, SandboxLimits};
use std::env;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// The environment variables with the kind of a worker, its key, and its server.
const KIND: &str = "ARENA_TEST_WORKER";
const KEY: &str = "ARENA_TEST_KEY";
const SERVER: &str = "ARENA_TEST_SERVER";

/// The number of the game in its match that crashes a worker of kind [`Kind::Ends`].
const DEADLY_GAME: u32 = 7;

/// The fault of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It swaps the bots' seats.
    SwapsBots,
    /// It sends nonsense as the messages of its games.
    SendsNonsense,
    /// It reports that each game is over before it begins.
    EndsGamesEarly,
    /// It crashes at a certain game.
    Ends,
    /// It has another engine.
    IsOfAnotherEngine,
    /// It lies about the last game of each larger batch, and takes a new key for each batch.
    ChangesKeys,
    /// It reports of each game that the watchdog stopped the side asked first, in all attempts.
    ClaimsTheClock,
    /// Its results are too large for the server.
    SendsTooMuch,
    /// It swaps the bots' seats in every fifth game.
    LiesNowAndThen,
}

/// A length above the size limit of a result, in bytes.
const TOO_MANY_BYTES: usize = 65 << 20;

const KINDS: [Kind; 9] = [
    Kind::SwapsBots,
    Kind::SendsNonsense,
    Kind::EndsGamesEarly,
    Kind::Ends,
    Kind::IsOfAnotherEngine,
    Kind::ChangesKeys,
    Kind::ClaimsTheClock,
    Kind::SendsTooMuch,
    Kind::LiesNowAndThen,
];

/// A worker process, killed at the end of the test.
pub struct BadWorker(Child);

impl BadWorker {
    /// Starts a bad worker with a new key.
    pub fn start(setting: &Setting, kind: Kind) -> Self {
        Self::start_with(setting, kind, &WorkerKey::fresh())
    }

    pub fn start_with(setting: &Setting, kind: Kind, key: &WorkerKey) -> Self {
        let mut command = Command::new(env::current_exe().expect("it runs"));
        command.args(["--exact", "bad_workers::this_is_a_bad_worker", "--ignored", "--nocapture"]);
        command.env(KIND, format!("{kind:?}")).env(SERVER, setting.server.url()).env(KEY, key.seed());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Self(command.spawn().expect("it starts"))
    }

    /// True once it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("it is a child").is_some()
    }
}

impl Drop for BadWorker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "other tests start it as a worker"]
fn this_is_a_bad_worker() {
    let (Ok(kind), Ok(server)) = (env::var(KIND), env::var(SERVER)) else { return };
    let kind = *KINDS.iter().find(|known| format!("{known:?}") == kind).expect("it is a kind");
    let sandbox = sandbox();
    let engine = match kind {
        Kind::IsOfAnotherEngine => "0".repeat(64),
        _ => sandbox.engine_hash(),
    };
    let versions = Versions::with_engine(&engine);
    let server = Server::new(&server).expect("it is an address");
    let connect = |key| {
        let versions = versions.clone();
        let limits =
            WorkerLimits { bot_memory_bytes: u64::MAX, memory_bytes: u64::MAX, component_bytes: u64::MAX };
        let of = Introduction { name: "bad".into(), machine: "elsewhere".into(), jobs: 1, versions, limits };
        Worker::connect(&server, key, of).expect("the server is there")
    };
    let seed = env::var(KEY).expect("it has a key");
    let worker = connect(WorkerKey::from_seed(&seed).expect("it is a seed"));
    let Ok(Some(contest)) = worker.contest(|| false) else { return };
    let manifest = &contest.manifest;
    let common: Session = serde_json::from_value(manifest.common.clone()).expect("it is a session");
    let batches = worker.begin(&contest);
    match kind {
        Kind::SwapsBots | Kind::Ends | Kind::LiesNowAndThen => {
            let mut bots = bots(&worker, &sandbox, manifest);
            if kind == Kind::SwapsBots {
                bots.reverse();
            }
            let processes = Processes::start(&sandbox, bots, &common, 1).expect("they start");
            batches.begin();
            let take = |may_wait| take(&batches, kind, may_wait);
            let stop = || batches.ended().is_some();
            arena_cluster::play_batches(&processes.expect("it has some"), &common, &take, &stop);
        }
        Kind::ChangesKeys => {
            let bots = bots(&worker, &sandbox, manifest);
            let processes = Processes::start(&sandbox, bots, &common, 1).expect("they start");
            let processes = processes.expect("it has some");
            drop(batches);
            loop {
                let another = connect(WorkerKey::fresh());
                let Ok(Some(contest)) = another.contest(|| false) else { return };
                let batches = another.begin(&contest);
                batches.begin();
                let taken = std::cell::Cell::new(false);
                let take = |_| match taken.replace(true) {
                    false => batches.take(true).map(lie_about_the_last),
                    true => None,
                };
                arena_cluster::play_batches(&processes, &common, &take, &|| batches.ended().is_some());
                // Let its result reach the server.
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
        }
        Kind::SendsNonsense
        | Kind::EndsGamesEarly
        | Kind::IsOfAnotherEngine
        | Kind::ClaimsTheClock
        | Kind::SendsTooMuch => {
            batches.begin();
            while let Some(batch) = batches.take(true) {
                let messages = match kind {
                    // Not a message.
                    Kind::SendsNonsense => vec![0xff; 64],
                    Kind::ClaimsTheClock => stopped_by_the_clock(),
                    Kind::SendsTooMuch => vec![0xff; TOO_MANY_BYTES],
                    // The fifth kind of message: the game is over, with two empty logs.
                    _ => vec![4, 0, 0],
                };
                batch.begin();
                (0..batch.games.len())
                    .for_each(|place| batch.report(place, GameReport::Played(messages.clone())));
            }
        }
    }
}

fn take(batches: &Batches<'_>, kind: Kind, may_wait: bool) -> Option<Arc<HeldBatch>> {
    let batch = batches.take(may_wait)?;
    if kind == Kind::Ends && batch.games.iter().any(|game| game.key.game == DEADLY_GAME) {
        std::process::abort();
    }
    match kind {
        Kind::LiesNowAndThen => Some(lie_about(batch, |place, _| place % 5 == 4)),
        _ => Some(batch),
    }
}

/// Falsifies the last game of a batch of more than two.
fn lie_about_the_last(batch: Arc<HeldBatch>) -> Arc<HeldBatch> {
    lie_about(batch, |place, games| games > 2 && place + 1 == games)
}

/// Falsifies games of a batch by swapping the seats. `is_lie` gets the index of a game and the number of games.
fn lie_about(mut batch: Arc<HeldBatch>, is_lie: impl Fn(usize, usize) -> bool) -> Arc<HeldBatch> {
    let games = &mut Arc::get_mut(&mut batch).expect("it is the only reference").games;
    let count = games.len();
    for (_, game) in games.iter_mut().enumerate().filter(|(place, _)| is_lie(*place, count)) {
        let mut order = Order::from_bytes(&game.order).expect("it is an order");
        order.seats.reverse();
        game.order = order.to_bytes();
    }
    batch
}

/// The messages of a game in which the clock stops the side asked first, in all attempts. The third kind of message is a fault, the
/// fifth the end.
fn stopped_by_the_clock() -> Vec<u8> {
    let fault = (2_u32, FaultClass::WallClock, "it took 30.0 s", [0_u8; 0].as_slice());
    let fault = postcard::to_allocvec(&fault).expect("it is plain data");
    // The first kind of message: the other side's fleet under the `guide` rules, with no fuel.
    let fleet =
        [&[0, 5][..], &[[0, 0, 1], [2, 0, 1], [4, 0, 1], [6, 0, 1], [8, 0, 1]].concat(), &[0]].concat();
    [&fault.repeat(WATCHDOG_TRIES_MAX as usize)[..], &fleet, &[4, 0, 0]].concat()
}

fn sandbox() -> Sandbox {
    let program = env!("CARGO_BIN_EXE_arena").into();
    let compiling = CompileOptions { compiler: Compiler::Child { program, args: Vec::new() }, cache: None };
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    Sandbox::with_processes(limits, compiling).expect("there is room")
}

fn bots(worker: &Worker, sandbox: &Sandbox, manifest: &Manifest) -> Vec<Bot> {
    let bot = |entry| {
        let bytes = worker.component(entry).expect("the store has it");
        sandbox.admit(&bytes).expect("it is a bot")
    };
    manifest.bots.iter().map(bot).collect()
}
