//! `arena worker`: plays the games of a contest's coordinator on this machine.

use crate::admission;
use crate::args::CacheArgs;
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::values::whole;
use arena_cluster::{LocalWorker, Server, WorkerKey, WorkerLimits, WorkerProgress};
use arena_engine::Control;
use arena_text::{counted, line};
use clap::Args;
use std::path::PathBuf;

/// The arguments of `arena worker`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena worker nats://10.0.0.1:4222 --jobs 8\n\n\
                        Put a user and password, or a token, into the address. These environment variables name credential files: \
                        NATS_CREDS, NATS_CA, NATS_CERT, NATS_KEY.")]
pub struct WorkerArgs {
    /// Address of the NATS server: nats://HOST:4222 or tls://…
    #[arg(value_name = "URL")]
    pub server: String,

    /// Games at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u16))]
    pub jobs: Option<u16>,

    /// MiB of memory that a bot may have; a contest with more is refused
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = whole(1..=4_096_u32))]
    pub bot_memory: u32,

    /// MiB of memory that all bots may have at the same time [default: half of this machine's]
    ///
    /// Two bots play in each of the --jobs games.
    #[arg(long, value_name = "MIB", value_parser = whole(1..=16_777_216_u32))]
    pub memory: Option<u32>,

    /// MiB of components, of all bots and the game together, that a contest may have
    #[arg(long, value_name = "MIB", default_value_t = 1_024, value_parser = whole(1..=16_777_216_u32))]
    pub components: u32,

    /// Name in messages [default: the host name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// File with the worker's key, created if missing [default: a new key]
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,

    /// Name of the contest on the server [default: arena]
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Plays one contest after another, until Ctrl-C.
///
/// # Errors
/// The server is unusable, or the coordinator refuses this worker.
pub fn worker(args: &WorkerArgs, console: &mut Console) -> Result<(), Failure> {
    let server = Server::of(&args.server, args.contest.as_deref())?;
    let key = args.key.as_deref().map_or_else(|| Ok(WorkerKey::fresh()), WorkerKey::in_file)?;
    let public = key.public();
    let interrupt = Interrupt::listen()?;
    let jobs = arena_players::jobs(args.jobs);
    let address = server.to_string();
    let worker = LocalWorker {
        server,
        key,
        name: args.name.clone(),
        jobs,
        limits: args.limits(),
        cache: args.cache.options(),
    };
    let control = Control::of_flag(interrupt.flag());
    let played = worker.work(&control, &mut |progress| match progress {
        WorkerProgress::Connected => {
            console.note(format!("{address}: waiting for a contest, with {}", counted(jobs, "job")));
            if args.key.is_some() {
                console.note(format!("its key is {public}: an organiser admits it with this key"));
            }
        }
        WorkerProgress::Admitting { bots, rules, sandbox } => {
            let what = counted(bots, "bot");
            console.note(format!("a contest with {what} under the rules `{}`", line(rules, 64)));
            let stopping = sandbox.clone();
            interrupt.answer(move || stopping.stop_compiling());
            console.begin_progress(bots, "bots ready");
        }
        WorkerProgress::BotAdmitted => console.advance(),
        WorkerProgress::Admitted(sandbox) => {
            console.end_progress();
            admission::note_gaps(sandbox, console);
            interrupt.answer(console::note_interrupt);
        }
        WorkerProgress::Message(message) => console.note(message),
        WorkerProgress::Played(games) => console.note(format!("{} played so far", of_games(games))),
        WorkerProgress::Over => console.note("the contest is over: waiting for the next one"),
    })?;
    console.note(format!("stopped: {} played", of_games(played)));
    Ok(())
}

fn of_games(games: u64) -> String {
    counted(usize::try_from(games).unwrap_or(usize::MAX), "game")
}

impl WorkerArgs {
    fn limits(&self) -> WorkerLimits {
        let bytes = |mib: u32| u64::from(mib) << 20;
        WorkerLimits {
            bot_memory_bytes: bytes(self.bot_memory),
            memory_bytes: self.memory.map_or_else(WorkerLimits::usual_memory_bytes, bytes),
            component_bytes: bytes(self.components),
        }
    }
}
