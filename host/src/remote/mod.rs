//! Workers on other machines: the games of a run are played there, and refereed again here.
//!
//! A worker's confined process referees a game and tells what the bots answer; the worker passes on those words as they are. So
//! it can lie about answers, fuel, faults and output as far as a process of this machine could, and about nothing else. Games that
//! this machine plays again, with `--recheck`, show who does.

mod batch_size;
mod batches;
mod coordinate;
mod recheck;
mod serve;

pub use coordinate::{Remote, check};
pub use serve::{play, serve};

use crate::args::CacheArgs;
use crate::values::whole;
use arena_engine::run::Planned;
use arena_sandbox::Sandbox;
use clap::Args;

/// Options of `arena run` for workers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Workers")]
pub struct RemoteArgs {
    /// Play on workers of a NATS server
    ///
    /// Its address is nats://HOST:4222 or tls://HOST:4222.
    #[arg(long, value_name = "URL", requires = "journal")]
    pub workers: Option<String>,

    /// Percentage of games to play again here, to find workers that lie
    #[arg(
        long,
        value_name = "PERCENT",
        requires = "workers",
        conflicts_with = "watch",
        hide_short_help = true
    )]
    #[arg(default_value_t = 0, value_parser = whole(0..=100_u8))]
    pub recheck: u8,
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

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Everything about a run that workers depend on.
pub struct Setting<'a> {
    /// The address of the server.
    pub server: &'a str,
    /// The percentage of games that are played again here.
    pub recheck: u8,
    /// The run.
    pub planned: &'a Planned,
    /// The sandbox.
    pub sandbox: &'a Sandbox,
}
