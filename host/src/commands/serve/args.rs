//! The arguments of `arena serve`.

use crate::args::{CacheArgs, Form, LimitArgs};
use crate::values::{address, form, open_seed, seconds, whole};
use arena_record::Seed;
use clap::{Args, ValueEnum};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `arena serve`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena serve 2000 --bot bots/submarine/sub-tracker.wasm")]
pub struct ServeArgs {
    /// Port to listen on; 0 is any free one
    #[arg(value_parser = whole(0..=u16::MAX))]
    pub port: u16,

    /// Game to serve (only `submarine`)
    #[arg(long, value_name = "NAME", default_value = "submarine")]
    pub rules: String,

    /// Address to listen on; any other than this machine's own accepts everyone who can reach it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    pub listen: IpAddr,

    /// Let each client play against this bot, a .wasm file or `builtin:NAME`, instead of another client
    #[arg(long, value_name = "BOT")]
    pub bot: Option<PathBuf>,

    /// Seat of the bot
    #[arg(long, value_name = "SEAT", value_enum, requires = "bot")]
    #[arg(default_value_t = BotSeat::Second)]
    pub bot_seat: BotSeat,

    /// End after N games [default: 4 billion]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub games: Option<u32>,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = whole(1..=256_u16))]
    pub jobs: u16,

    /// Clients of one address, or of one IPv6 network of 64 bits, at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1..=u16::MAX))]
    pub per_address: u16,

    /// Seconds per client turn
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub turn: Duration,

    /// Random seed of the bot's games [default: a fresh one]
    #[arg(long, value_name = "N|HEX", value_parser = open_seed)]
    pub seed: Option<Seed>,

    /// Folder for a transcript of each game
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,

    /// Form of the results, a line per game
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The limits of the bot.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// The seat of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BotSeat {
    /// Seat 1, which begins
    First,
    /// Seat 2
    Second,
    /// Seat 2 in the first game, then seat 1, and so on
    Alternate,
}

impl From<BotSeat> for arena_net::BotSeat {
    fn from(seat: BotSeat) -> Self {
        match seat {
            BotSeat::First => Self::First,
            BotSeat::Second => Self::Second,
            BotSeat::Alternate => Self::Alternate,
        }
    }
}
