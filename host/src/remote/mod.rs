//! Workers on other machines: they play the games of a run, and this machine referees the games again.
//!
//! A worker's confined process referees a game and reports the bots' answers. The worker passes on those messages unchanged. So a worker
//! can lie about answers, fuel, faults and output, as a process on this machine could, and about nothing else. Games that this machine
//! replays and games that several owners play reveal lies: see [`Trust`].

mod batch_size;
mod batches;
mod coordinate;
mod manage;
mod recheck;
mod register;
mod serve;
mod trail;
mod trust;

pub use coordinate::{Remote, WorkersUpdate, check};
pub use manage::workers;
pub use serve::{play, serve};

use crate::args::CacheArgs;
use crate::values::whole;
use arena_engine::run::Planned;
use arena_sandbox::Sandbox;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The options of `arena run` and `arena club serve` for workers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Workers")]
pub struct RemoteArgs {
    /// Play on workers connected to this NATS server
    ///
    /// The address is nats://HOST:4222 or tls://HOST:4222.
    #[arg(long, value_name = "URL")]
    pub workers: Option<String>,

    /// Percentage of games to replay here, to detect lying workers [default: set by --trust, otherwise 0]
    #[arg(long, value_name = "PERCENT", requires = "workers", hide_short_help = true)]
    #[arg(value_parser = whole(0..=100_u8))]
    pub recheck: Option<u8>,

    /// Trust in the people who run the workers
    #[arg(long, value_name = "LEVEL", requires = "workers", hide_short_help = true)]
    pub trust: Option<Trust>,

    /// Register file of admitted workers; reloaded when it changes
    #[arg(long, value_name = "FILE", requires = "workers", hide_short_help = true)]
    pub admit: Option<PathBuf>,

    /// Name of the contest on the server [default: arena]
    #[arg(long, value_name = "NAME", requires = "workers", hide_short_help = true)]
    pub contest: Option<String>,
}

/// The trust in the people who run the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Trust {
    /// Your own machines: 1 % of the games are replayed
    Own,
    /// People you know: 5 % are replayed; needs --admit
    Known,
    /// Strangers: 5 %, and two owners play each game; needs --admit
    Strangers,
}

impl Trust {
    /// The default percentage of games that are replayed on this machine.
    pub fn recheck(self) -> u8 {
        match self {
            Self::Own => 1,
            Self::Known | Self::Strangers => 5,
        }
    }

    /// The number of owners that must play each game.
    pub fn owners(self) -> usize {
        if self == Self::Strangers { 2 } else { 1 }
    }

    /// True if a register of admitted workers is required.
    pub fn needs_register(self) -> bool {
        self != Self::Own
    }
}

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

/// The arguments of `arena workers`.
#[derive(Args, Clone, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples: arena workers nats://10.0.0.1:4222\n          \
                  arena workers block north --why \"it is slow\" --admit workers.toml"
)]
pub struct WorkersArgs {
    /// Address of the NATS server of a running contest
    #[arg(value_name = "URL")]
    pub server: Option<String>,

    /// Name of the contest on the server [default: arena]
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = WorkersOutputForm::Table)]
    pub output: WorkersOutputForm,

    /// A change of the register.
    #[command(subcommand)]
    pub action: Option<WorkersAction>,
}

/// The output format of `arena workers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WorkersOutputForm {
    /// Text for a reader
    Table,
    /// One JSON document
    Json,
}

/// The changes of the register.
#[derive(Clone, Debug, Subcommand)]
pub enum WorkersAction {
    /// Add a worker to the register of `arena run --admit`
    #[command(
        after_help = "Example: arena workers admit UAB… --name north --owner alice --admit workers.toml"
    )]
    Admit {
        /// The worker's key, as `arena worker --key FILE` prints it
        key: String,
        /// The worker's name
        #[arg(long)]
        name: String,
        /// The worker's owner
        #[arg(long)]
        owner: String,
        /// The register, created if missing
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
    /// Block a worker, also in a running contest
    #[command(after_help = "Example: arena workers block north --why \"it is slow\" --admit workers.toml")]
    Block {
        /// The worker's name in the register
        name: String,
        /// The reason, shown to the worker
        #[arg(long, value_name = "TEXT")]
        why: String,
        /// The register
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
    /// Unblock a worker
    #[command(after_help = "Example: arena workers unblock north --admit workers.toml")]
    Unblock {
        /// The worker's name in the register
        name: String,
        /// The register
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
}

/// The parts of a run that a coordinator needs.
pub struct Setting<'a> {
    /// The address of the server.
    pub server: &'a str,
    /// The other options.
    pub args: &'a RemoteArgs,
    /// The run.
    pub planned: &'a Planned,
    /// The sandbox.
    pub sandbox: &'a Sandbox,
}
