//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The keys of a game's screen, as far as one has to know them before it is there.
const GAME_KEYS: &str = "Keys: space pauses, ← → step, + - set the speed, g goes to a turn, n p to the faults, b shows \
                         what a bot sees, l what it prints, w saves the game, ? helps, q quits.";

/// The keys of a person who plays.
const PLAY_KEYS: &str = "Place the ships with arrows, r to turn and Enter, or x for a random fleet. Shoot with arrows and \
                         Enter, or type a spot: b7, or row,column: 7,1. ? helps, q leaves. Nothing illegal is ever sent.";

/// The referee you can hand untrusted bots.
#[derive(Debug, Parser)]
#[command(name = "arena", version, about, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done; 1 the arena failed; 2 bad usage or input; 3 a bot was refused, or a recording is not \
                  verified; 4 and 5 `sprt` found no difference, or nothing; 130 interrupted."
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
    /// Watch a game between two bots while it is played
    #[command(after_help = GAME_KEYS)]
    Watch(WatchArgs),
    /// Look at a recorded game
    #[command(after_help = GAME_KEYS)]
    Replay(ReplayArgs),
    /// Play against a bot yourself
    #[command(after_help = PLAY_KEYS)]
    Play(PlayArgs),
    /// Show where everyone stands in a journal: ratings, points, faults
    Standings(StandingsArgs),
    /// Find out whether a new bot is better than an old one, in as few games as that takes
    Sprt(SprtArgs),
    /// Let a bot clear boards alone, and show how many shots it needs
    Bench(BenchArgs),
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
    /// Components of the bots, two or more, or folders of them
    #[arg(required = true, value_name = "BOT")]
    pub bots: Vec<PathBuf>,

    /// Who plays whom.
    #[command(flatten)]
    pub course: CourseArgs,

    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,

    /// Keep every game in this journal, and take from it those that it has already
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Go on with the journal's tournament; it has to be there
    #[arg(long, requires = "journal")]
    pub resume: bool,

    /// Write a transcript of each game into this folder
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,

    /// Write what the bots print, a file for each bot and game, into this folder
    #[arg(long, value_name = "DIR")]
    pub logs: Option<PathBuf>,

    /// Show the tournament on the whole terminal while it is played
    #[arg(long)]
    pub watch: bool,

    /// Stop if any bot is refused, instead of playing the others
    #[arg(long)]
    pub strict: bool,

    /// How to print the results
    #[arg(short, long, value_enum, default_value_t = TableOutput::Table)]
    pub output: TableOutput,
}

/// Arguments of `arena check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// The component of the bot
    #[arg(value_name = "BOT")]
    pub bot: PathBuf,

    /// Where compiled bots are kept.
    #[command(flatten)]
    pub cache: CacheArgs,

    /// How to print the findings
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// Arguments of `arena watch`.
#[derive(Args, Clone, Debug)]
pub struct WatchArgs {
    /// The bot in seat 1 of the first game
    pub first: PathBuf,

    /// The other bot
    pub second: PathBuf,

    /// Which game of their match to watch: the seats swap from game to game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub number: u32,

    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Arguments of `arena replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The transcript; with --journal, the number of a game
    #[arg(value_name = "TRANSCRIPT|GAME")]
    pub recording: PathBuf,

    /// Look at a game of this journal
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Print the boards turn by turn as text, for a pipe
    #[arg(long)]
    pub headless: bool,
}

/// Arguments of `arena play`.
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    /// The bot to play against
    pub bot: PathBuf,

    /// The seat you take; seat 1 begins, where the rules do not draw it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub seat: u8,

    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Arguments of `arena standings`.
#[derive(Args, Clone, Debug)]
pub struct StandingsArgs {
    /// The journal of a tournament, which may still be running
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// How to print them
    #[arg(short, long, value_enum, default_value_t = TableOutput::Table)]
    pub output: TableOutput,
}

/// Arguments of `arena sprt`.
#[derive(Args, Clone, Debug)]
pub struct SprtArgs {
    /// The bot that may be better
    pub new: PathBuf,

    /// The bot that it may be better than
    pub old: PathBuf,

    /// What `new` is better by, in Elo, if it is of no use (the hypothesis H0)
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,

    /// What `new` is better by, in Elo, if it is what you hope for (the hypothesis H1)
    #[arg(long, value_name = "ELO", default_value_t = 10.0, allow_negative_numbers = true)]
    pub elo1: f64,

    /// How often to accept H1, at most, where H0 is true
    #[arg(long, default_value_t = 0.05)]
    pub alpha: f64,

    /// How often to accept H0, at most, where H1 is true
    #[arg(long, default_value_t = 0.05)]
    pub beta: f64,

    /// What Elo means here: of the score, or of the score by its spread
    #[arg(long, value_enum, default_value_t = EloModel::Logistic)]
    pub model: EloModel,

    /// Give up undecided after so many pairs of games
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=500_000))]
    pub max_pairs: u32,

    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,

    /// How to print the result
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// What Elo means in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EloModel {
    /// By the score alone, as in a rating list
    Logistic,
    /// By the score in units of its spread: a test takes as long for every pair of bots
    Normalized,
}

/// Arguments of `arena bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// The component of the bot
    #[arg(value_name = "BOT")]
    pub bot: PathBuf,

    /// Boards to clear, the same ones for every bot
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub boards: u32,

    /// What to play.
    #[command(flatten)]
    pub game: GameArgs,

    /// How to print the figures
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// Arguments of `arena verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The transcript, or several that end in .jsonl, then the bots: components, or folders of them
    #[arg(required = true, value_names = ["TRANSCRIPT", "BOT"])]
    pub paths: Vec<PathBuf>,

    /// Verify the games of this journal; then only the bots are named
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Verify so many games of the journal, drawn at random [default: all]
    #[arg(long, value_name = "N", requires = "journal", value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: Option<u32>,

    /// What the sample is drawn by: another seed draws other games
    #[arg(long, default_value_t = 1, requires = "journal")]
    pub seed: u64,

    /// Games played at the same time [default: the machine's cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// The watchdog: wall-clock seconds for a turn [default: ten times the rules' turn budget]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Where compiled bots are kept.
    #[command(flatten)]
    pub cache: CacheArgs,

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

    /// Where compiled bots are kept.
    #[command(flatten)]
    pub cache: CacheArgs,

    /// Write a transcript of each game into this folder
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,

    /// How to print the results: a line for each game, as text or as JSON
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub output: Output,
}

/// Who plays whom, and how often.
#[derive(Args, Clone, Debug)]
pub struct CourseArgs {
    /// Games for each two bots that meet, in pairs with the seats swapped
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,

    /// Who plays whom
    #[arg(long, value_enum, default_value_t = FormatName::RoundRobin)]
    pub format: FormatName,

    /// In a gauntlet, how many of the bots named first play all the others [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub seeds: Option<u32>,

    /// In a swiss, how many rounds [default: as many as a knockout of these bots would have]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,

    /// Bench a bot after faults in so many games: it plays no more, and loses the games it has left
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_faults: Option<u32>,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// Everyone plays everyone
    RoundRobin,
    /// The bots named first play all the others
    Gauntlet,
    /// Rounds between bots of about the same points
    Swiss,
    /// Whoever loses a match is out
    Knockout,
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

    /// Where compiled bots are kept.
    #[command(flatten)]
    pub cache: CacheArgs,
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

/// Where compiled bots are kept.
#[derive(Args, Clone, Debug)]
pub struct CacheArgs {
    /// Keep compiled bots in this folder, for the next run [default: arena in $XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Compile all bots anew, and keep nothing of it
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// A line for each game and a table at the end
    Table,
    /// One JSON document
    Json,
}

/// How to print tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableOutput {
    /// For a reader
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values: a line for each bot
    Csv,
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
