//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The referee you can hand untrusted bots.
#[derive(Debug, Parser)]
#[command(name = "arena", version, about, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done; 1 the arena failed; 2 bad usage or input; 3 a bot was refused; 130 interrupted."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play bots against each other: two play a match, more play a tournament
    Run(RunArgs),
    /// Look at a bot: what it is, what it imports, whether it may play
    Check(CheckArgs),
    /// Play recorded games again, and compare
    Verify(VerifyArgs),
    /// Serve a game over TCP, for clients that speak its lines
    Serve(ServeArgs),
    /// Show the rules, or write them to a file to begin your own from
    #[command(subcommand)]
    Rules(RulesCommand),
}

/// What to do with rules.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// List the rules that have a name
    List,
    /// Print rules as a file with comments, which `--rules FILE` loads
    Show {
        /// A name, or a file of your own
        #[arg(default_value = "guide")]
        rules: String,
    },
}

/// Arguments of `arena run`.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// Components of the bots, two or more
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<PathBuf>,

    /// Games for each two bots, in pairs with the seats swapped
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,

    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,

    /// Write a transcript of each game into this folder
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,

    /// Write what the bots print, a file for each bot and game, into this folder
    #[arg(long, value_name = "DIR")]
    pub logs: Option<PathBuf>,

    /// Stop if any bot is refused, instead of playing the others
    #[arg(long)]
    pub strict: bool,

    /// How to print the results
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// Arguments of `arena check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// The component of the bot
    #[arg(value_name = "BOT")]
    pub bot: PathBuf,

    /// How to print the findings
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// Arguments of `arena verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The transcript, or several that end in .jsonl, then the bots: components, or folders of them
    #[arg(required = true, value_names = ["TRANSCRIPT", "BOT"])]
    pub paths: Vec<PathBuf>,

    /// Games played at the same time [default: the machine's cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// The watchdog: wall-clock seconds for a turn [default: ten times the rules' turn budget]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// How to print the findings
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// Arguments of `arena serve`.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// The port to listen on; 0 is any that is free
    pub port: u16,

    /// The game; so far there is submarine
    #[arg(long, default_value = "submarine")]
    pub rules: String,

    /// The address to listen on; others than this machine's own let everyone in who reaches them
    #[arg(long, default_value = "127.0.0.1")]
    pub listen: IpAddr,

    /// Let each client play against this component, instead of against each other
    #[arg(long)]
    pub bot: Option<PathBuf>,

    /// End after so many games [default: go on for ever]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,

    /// Games played at the same time
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// Seconds that a client has for a turn
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub turn: Duration,

    /// The seed that the bot's games are counted from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// What the bot may use.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Write a transcript of each game into this folder
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,

    /// How to print the results: a line for each game, as text or as JSON
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// What to play, and how.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// The rules to play by: a name, or a file (see `arena rules`) [default: guide, or submarine, as the bots are]
    #[arg(long, value_name = "NAME|FILE")]
    pub rules: Option<String>,

    /// Columns of the board, 1 to 32 [default: as the rules say]
    #[arg(long)]
    pub width: Option<u8>,

    /// Rows of the board, 1 to 32 [default: as the rules say]
    #[arg(long)]
    pub height: Option<u8>,

    /// The seed of everything random: the same seed plays the same games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Games played at the same time [default: the machine's cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// What a bot may use.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What a bot may use.
#[derive(Args, Clone, Debug)]
pub struct LimitArgs {
    /// Fuel for a turn with all its retries, and for a deployment [default: the rules' turn budget]
    #[arg(long, value_name = "UNITS", value_parser = clap::value_parser!(u64).range(1..))]
    pub fuel: Option<u64>,

    /// Memory of a bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4_096))]
    pub memory: u32,

    /// The watchdog: wall-clock seconds for a turn [default: ten times the rules' turn budget]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// A line for each game and a table at the end
    Table,
    /// One JSON document
    Json,
}

/// The longest watchdog. Chosen: a turn of an hour is no game.
const TIMEOUT_SECONDS_MAX: f64 = 3_600.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "it must be a number of seconds".to_owned())?;
    // Written so that a NaN fails.
    if !(number > 0.0 && number <= TIMEOUT_SECONDS_MAX) {
        return Err(format!("it must be more than 0 and at most {TIMEOUT_SECONDS_MAX} seconds"));
    }
    Ok(Duration::from_secs_f64(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_timeout_is_a_positive_number_of_seconds() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["0", "-1", "NaN", "inf", "3601", "soon", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
