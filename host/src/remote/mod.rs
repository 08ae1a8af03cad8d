//! Workers on other machines: the games of a run are played there, and refereed again here.
//!
//! A worker's confined process referees a game and tells what the bots answer; the worker passes on those messages as they are. So
//! it can lie about answers, fuel, faults and output as far as a process of this machine could, and about nothing else. Games that
//! this machine plays again, and games that several owners play, show who does: see [`Trust`].

mod batch_size;
mod batches;
mod coordinate;
mod manage;
mod recheck;
mod register;
mod serve;
mod trail;
mod trust;

pub use coordinate::{News, Remote, check};
pub use manage::workers;
pub use serve::{play, serve};

use crate::args::CacheArgs;
use crate::values::whole;
use arena_engine::run::Planned;
use arena_sandbox::Sandbox;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Options of `arena run` for workers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Workers")]
pub struct RemoteArgs {
    /// Play on workers of a NATS server
    ///
    /// Its address is nats://HOST:4222 or tls://HOST:4222.
    #[arg(long, value_name = "URL", requires = "journal")]
    pub workers: Option<String>,

    /// Percentage of games to play again here, to find workers that lie [default: that of --trust, or 0]
    #[arg(
        long,
        value_name = "PERCENT",
        requires = "workers",
        conflicts_with = "watch",
        hide_short_help = true
    )]
    #[arg(value_parser = whole(0..=100_u8))]
    pub recheck: Option<u8>,

    /// Trust in the people who run the workers
    #[arg(long, value_name = "LEVEL", requires = "workers", hide_short_help = true)]
    pub trust: Option<Trust>,

    /// File of the workers that may play, by their keys; read again when it changes
    #[arg(long, value_name = "FILE", requires = "workers", hide_short_help = true)]
    pub admit: Option<PathBuf>,

    /// Name of the contest on the server, if there are several [default: arena]
    #[arg(long, value_name = "NAME", requires = "workers", hide_short_help = true)]
    pub contest: Option<String>,
}

/// The trust in the people who run the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Trust {
    /// Your own machines: 1 % of the games are played again
    Own,
    /// People you know: 5 %; needs --admit
    Known,
    /// Strangers: 5 %, and each game is played by two owners; needs --admit
    Strangers,
}

impl Trust {
    /// The percentage of games that are played again here, unless the user asks for another.
    pub fn recheck(self) -> u8 {
        match self {
            Self::Own => 1,
            Self::Known | Self::Strangers => 5,
        }
    }

    /// The number of owners that play each game.
    pub fn owners(self) -> usize {
        if self == Self::Strangers { 2 } else { 1 }
    }

    /// True if only workers that the organiser has admitted may play.
    pub fn needs_register(self) -> bool {
        self != Self::Own
    }
}

/// Arguments of `arena worker`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena worker nats://10.0.0.1:4222 --jobs 8\n\n\
                        A user and a password, or a token, are part of the address. Files are named by the variables of NATS: \
                        NATS_CREDS, NATS_CA, NATS_CERT, NATS_KEY.")]
pub struct WorkerArgs {
    /// Address of the NATS server: nats://HOST:4222 or tls://…
    #[arg(value_name = "URL")]
    pub server: String,

    /// Games at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u16))]
    pub jobs: Option<u16>,

    /// Name for messages [default: that of the machine]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// File of its key, made if it does not exist [default: a fresh key]
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,

    /// Name of the contest on the server [default: arena]
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Arguments of `arena workers`.
#[derive(Args, Clone, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples: arena workers nats://10.0.0.1:4222\n          \
                  arena workers block north --why \"it is slow\" --admit workers.toml"
)]
pub struct WorkersArgs {
    /// Address of the NATS server on which a contest is played
    #[arg(value_name = "URL")]
    pub server: Option<String>,

    /// Name of the contest on the server [default: arena]
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,

    /// Form of the output
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = WorkersOutputForm::Table)]
    pub output: WorkersOutputForm,

    /// A change of the file of the workers that may play.
    #[command(subcommand)]
    pub action: Option<WorkersAction>,
}

/// The form of the output of `arena workers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WorkersOutputForm {
    /// Text for a reader
    Table,
    /// One JSON document
    Json,
}

/// The changes of the file of the workers that may play.
#[derive(Clone, Debug, Subcommand)]
pub enum WorkersAction {
    /// Add a worker to the file of `arena run --admit`
    #[command(
        after_help = "Example: arena workers admit UAB… --name north --owner alice --admit workers.toml"
    )]
    Admit {
        /// Its key, as `arena worker --key FILE` prints it
        key: String,
        /// Its name
        #[arg(long)]
        name: String,
        /// Its owner
        #[arg(long)]
        owner: String,
        /// The file, made if it does not exist
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
    /// Block a worker, also in a contest that is played
    #[command(after_help = "Example: arena workers block north --why \"it is slow\" --admit workers.toml")]
    Block {
        /// Its name in the file
        name: String,
        /// The reason, shown to the worker
        #[arg(long, value_name = "TEXT")]
        why: String,
        /// The file
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
    /// Let a worker play again
    #[command(after_help = "Example: arena workers unblock north --admit workers.toml")]
    Unblock {
        /// Its name in the file
        name: String,
        /// The file
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
}

/// Everything about a run that workers depend on.
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
