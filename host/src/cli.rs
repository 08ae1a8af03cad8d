//! The command line: the commands, and the groups of options that several of them have.

use crate::commands::{
    bench, check, completions, man, new, play, replay, rerun, rules, run, serve, sprt, standings, verify,
    watch, wit,
};
use crate::seed::open_seed;
use arena_record::Seed;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// The referee you can hand untrusted bots.
#[derive(Debug, Parser)]
#[command(name = "arena", version, about, max_term_width = 100, disable_help_flag = true)]
#[command(
    after_help = "Example: arena run bots/*.wasm --games 20\n\nExit codes: 0 done; 1 the arena or the machine failed; 2 wrong \
                  usage or input; 3 a bot was refused or at fault in `check`, or a recording is not verified; 4 `sprt` accepted H0; 5 `sprt` is \
                  undecided; 6 `check --sandbox` found a measure missing; 130 interrupted."
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,

    /// Print help
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a folder for a new bot, in one of six languages
    New(new::NewArgs),
    /// Play bots against each other: a match of two, a tournament of more
    Run(run::RunArgs),
    /// Check a bot: may it play, and how does it in trial games; or check the sandbox
    Check(check::CheckArgs),
    /// Watch a game between two bots as it is played
    Watch(watch::WatchArgs),
    /// Show a recorded game
    Replay(replay::ReplayArgs),
    /// Ask a bot at the recorded turns of a game, to see where it decides differently
    Rerun(rerun::RerunArgs),
    /// Play against a bot yourself
    Play(play::PlayArgs),
    /// Print the standings of a journal: ratings, points, faults
    Standings(standings::StandingsArgs),
    /// Test if a new bot is better than an old one, in as few games as possible
    Sprt(sprt::SprtArgs),
    /// Measure the number of shots that bots need to clear boards alone
    Bench(bench::BenchArgs),
    /// Verify recorded games by playing them again
    Verify(verify::VerifyArgs),
    /// Serve a game over TCP
    Serve(serve::ServeArgs),
    /// List the built-in rules, or print a rules file
    #[command(subcommand)]
    Rules(rules::RulesCommand),
    /// Print the contract between the arena and a bot, in WIT
    Wit(wit::WitArgs),
    /// Print the completions of a shell
    Completions(completions::CompletionsArgs),
    /// Write the manual pages to a folder
    Man(man::ManArgs),
}

/// The format of a tournament.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct TournamentArgs {
    /// Games per pairing; seats swap each game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,

    /// Format: round-robin, gauntlet, swiss, knockout
    #[arg(long, value_enum, value_name = "NAME", default_value_t = FormatName::RoundRobin, hide_possible_values = true, hide_default_value = true)]
    pub format: FormatName,

    /// Gauntlet: the first N play all others [default: 1]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub challengers: Option<u32>,

    /// Swiss: number of rounds [default: as in a knockout]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,

    /// Disqualify a bot after faults in N games
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub max_faults: Option<u32>,
}

/// The name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// Every bot plays every other
    RoundRobin,
    /// The bots named first play all others
    Gauntlet,
    /// Rounds between bots with about the same points
    Swiss,
    /// The loser of a match is out
    Knockout,
}

/// The game and its rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct GameArgs {
    /// Built-in rules (see `arena rules`), or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub rules: Option<String>,

    /// Columns of the board, 1 to 32, if the rules allow it
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(1..=32))]
    pub width: Option<u8>,

    /// Rows of the board, 1 to 32, if the rules allow it
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(1..=32))]
    pub height: Option<u8>,

    /// Games at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// The limits of a bot.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// The random seed of a command that does not keep it secret.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct SeedArgs {
    /// Random seed, to repeat a run [default: a fresh one]
    #[arg(long, value_name = "N|HEX", value_parser = open_seed)]
    pub seed: Option<Seed>,
}

/// The limits of a bot.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Bots")]
pub struct LimitArgs {
    /// Fuel per turn [default: the rules' budget]
    #[arg(long, value_name = "UNITS", value_parser = value_parser!(u64).range(1..))]
    pub fuel: Option<u64>,

    /// Memory per bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=4_096))]
    pub memory: u32,

    /// The limits of wall-clock time.
    #[command(flatten)]
    pub times: TimeArgs,
}

/// The limits of wall-clock time.
#[derive(Args, Clone, Copy, Debug)]
pub struct TimeArgs {
    /// Watchdog per turn [default: 10 turn budgets]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Watchdog per game [default: 100 turn budgets]
    #[arg(long, value_name = "SECONDS", value_parser = game_seconds)]
    pub game_timeout: Option<Duration>,
}

/// The cache of compiled bots.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Bots")]
pub struct CacheArgs {
    /// Cache (or --no-cache) [default: ~/.cache/arena]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Do not read or write compiled bots
    // The help of `--cache` names it: the help of `run` has no row left.
    #[arg(long, conflicts_with = "cache", hide_short_help = true)]
    pub no_cache: bool,
}

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// Text for a reader
    Table,
    /// One JSON document
    Json,
}

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableOutput {
    /// Text for a reader
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values, a line per bot
    Csv,
}

/// The longest watchdog, in seconds. Chosen: a turn of an hour is no game.
const TIMEOUT_SECONDS_MAX: f64 = 3_600.0;

/// The longest watchdog of a game, in seconds. Chosen: a day, which is as good as none.
const GAME_TIMEOUT_SECONDS_MAX: f64 = 86_400.0;

/// Reads the time of a turn in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    seconds_to(text, TIMEOUT_SECONDS_MAX)
}

/// Reads the time of a game in seconds.
fn game_seconds(text: &str) -> Result<Duration, String> {
    seconds_to(text, GAME_TIMEOUT_SECONDS_MAX)
}

fn seconds_to(text: &str, max: f64) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "it must be a number of seconds".to_owned())?;
    // Written so that a NaN fails.
    if !(number > 0.0 && number <= max) {
        return Err(format!("it must be more than 0 and at most {max} seconds"));
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
        assert_eq!(game_seconds("3601"), Ok(Duration::from_secs(3_601)));
        for text in ["0", "NaN", "86401"] {
            assert!(game_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_help_of_each_command_fits_a_screen_of_40_rows_and_has_an_example() {
        let mut cli = Cli::command().term_width(80);
        cli.build();
        let names: Vec<String> = cli.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        for name in names {
            let command = cli.find_subcommand_mut(&name).unwrap();
            let help = command.render_help().to_string();
            assert!(help.lines().count() <= 40, "{name}: {} rows\n{help}", help.lines().count());
            assert!(name == "help" || help.contains("Example"), "{name}\n{help}");
        }
    }
}
