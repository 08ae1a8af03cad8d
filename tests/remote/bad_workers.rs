//! Workers that lie, talk nonsense or end: this program, started again as one of them.

use crate::setting::Setting;
use arena_players::{Processes, Session};
use arena_record::FORMAT;
use arena_sandbox::{Bot, CompileOptions, Compiler, Sandbox, SandboxLimits};
use arena_workers::{Batches, InPlay, Manifest, REVISION, Server, Told, Versions, Worker};
use std::env;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// The variables that say which worker this is, and for which server.
const KIND: &str = "ARENA_TEST_WORKER";
const SERVER: &str = "ARENA_TEST_SERVER";

/// The game, of its match, that ends a worker of the kind [`Kind::Ends`].
pub const DEADLY_GAME: u32 = 7;

/// The fault of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It seats each bot in the place of the other.
    SwapsBots,
    /// It says that games were played of which it tells nonsense.
    TellsNonsense,
    /// It says that each game is over before it begins.
    EndsGamesEarly,
    /// A game ends it.
    Ends,
    /// It is of another engine.
    IsOfAnotherEngine,
}

const KINDS: [Kind; 5] =
    [Kind::SwapsBots, Kind::TellsNonsense, Kind::EndsGamesEarly, Kind::Ends, Kind::IsOfAnotherEngine];

/// A worker that is ended with the test.
pub struct BadWorker(Child);

impl BadWorker {
    pub fn start(setting: &Setting, kind: Kind) -> Self {
        let mut command = Command::new(env::current_exe().expect("it runs"));
        command.args(["--exact", "bad_workers::this_is_a_bad_worker", "--ignored", "--nocapture"]);
        command.env(KIND, format!("{kind:?}")).env(SERVER, setting.server.url());
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
#[ignore = "it is a worker, which other tests start"]
fn this_is_a_bad_worker() {
    let (Ok(kind), Ok(server)) = (env::var(KIND), env::var(SERVER)) else { return };
    let kind = *KINDS.iter().find(|known| format!("{known:?}") == kind).expect("it is a kind");
    let sandbox = sandbox();
    let engine = match kind {
        Kind::IsOfAnotherEngine => "0".repeat(64),
        _ => sandbox.engine_hash(),
    };
    let versions = Versions {
        arena: env!("CARGO_PKG_VERSION").into(),
        revision: REVISION,
        transcript: FORMAT.to_string().as_str().into(),
        engine: engine.as_str().into(),
    };
    let server = Server::new(&server).expect("it is an address");
    let session = std::process::id().into();
    let worker = Worker::connect(&server, "bad".into(), 1, versions, session).expect("the server is there");
    let Ok(Some(manifest)) = worker.contest(|| false) else { return };
    let common: Session = serde_json::from_value(manifest.common.clone()).expect("it is a session");
    let batches = worker.begin(&manifest);
    match kind {
        Kind::SwapsBots | Kind::Ends => {
            let mut bots = bots(&worker, &sandbox, &manifest);
            if kind == Kind::SwapsBots {
                bots.reverse();
            }
            let processes = Processes::start(&sandbox, bots, &common, 1).expect("they start");
            batches.begin();
            let take = |may_wait| take(&batches, kind, may_wait);
            let stop = || batches.ended().is_some();
            arena::remote::play(&processes.expect("it has some"), &common, &take, &stop);
        }
        Kind::TellsNonsense | Kind::EndsGamesEarly | Kind::IsOfAnotherEngine => {
            batches.begin();
            while let Some(batch) = batches.take(true) {
                // No word at all, or the fifth kind of word: the game is over, with two empty logs.
                let words = if kind == Kind::TellsNonsense { vec![0xff; 64] } else { vec![4, 0, 0] };
                batch.begin();
                (0..batch.games.len()).for_each(|place| batch.tell(place, Told::Played(words.clone())));
            }
        }
    }
}

fn take(batches: &Batches<'_>, kind: Kind, may_wait: bool) -> Option<Arc<InPlay>> {
    let batch = batches.take(may_wait)?;
    if kind == Kind::Ends && batch.games.iter().any(|game| game.key.game == DEADLY_GAME) {
        std::process::abort();
    }
    Some(batch)
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
