//! The command line: the commands, and the groups of options that several of them have.

use crate::commands::{
    bench, check, completions, games, journal, man, new, play, replay, report, rerun, rules, run, serve,
    sprt, standings, verify, watch, wit,
};
use crate::remote;
use crate::seed::open_seed;
use crate::values::{game_seconds, seconds, whole};
use arena_record::Seed;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The referee you can hand untrusted bots.
#[derive(Debug, Parser)]
#[command(name = "arena", version, about, max_term_width = 100, disable_help_flag = true)]
#[command(
    after_help = "Example: arena run bots/*.wasm --games 20\n\nExit codes: 0 done; 1 the arena or the machine failed; 2 wrong \
                  usage or input; 3 a bot was refused or at fault in `check`, or a recording is not verified; 4 `sprt` accepted H0; 5 `sprt` is \
                  undecided; 6 `check --sandbox` found a measure missing; 130 interrupted; 141 nobody read the results."
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,

    /// Print results and errors only
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Print help
    // Whoever reads the list has found it, and the help of `run` has no row left.
    #[arg(short, long, global = true, action = ArgAction::HelpShort, hide_short_help = true)]
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
    /// List the games of a journal: lost ones, upsets, faults, the longest
    Games(games::GamesArgs),
    /// Write a static site of a journal: standings, bots, replays
    Report(report::ReportArgs),
    /// Print what a journal has, or make one of two
    #[command(subcommand)]
    Journal(journal::JournalCommand),
    /// Test if a new bot is better than an old one, in as few games as possible
    Sprt(sprt::SprtArgs),
    /// Measure the number of shots that bots need to clear boards alone
    Bench(bench::BenchArgs),
    /// Verify recorded games by playing them again
    Verify(verify::VerifyArgs),
    /// Serve a game over TCP
    Serve(serve::ServeArgs),
    /// Play the games of an `arena run --workers` on another machine
    Worker(remote::WorkerArgs),
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
    /// Games per pairing; seats swap each game [default: 10]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_u32))]
    pub games: Option<u32>,

    /// Format: round-robin, gauntlet, swiss, knockout
    #[arg(long, value_enum, value_name = "NAME", hide_possible_values = true)]
    pub format: Option<FormatName>,

    /// Gauntlet: the first N play all others [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub challengers: Option<u32>,

    /// Swiss: number of rounds [default: as in a knockout]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub rounds: Option<u32>,

    /// Swiss, knockout: order by a journal's ratings
    #[arg(long, value_name = "JOURNAL")]
    pub seeding: Option<PathBuf>,

    /// Disqualify a bot after faults in N games; 0: never
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    pub max_faults: Option<u32>,
}

/// The form of the standings. The help shows it if the command has a row left.
#[derive(Args, Clone, Debug)]
pub struct TableArgs<const IS_SHOWN: bool> {
    /// Bot whose rating is 0 [default: the middle one]
    #[arg(long, value_name = "BOT", hide_short_help = !IS_SHOWN)]
    pub anchor: Option<String>,

    /// Show the first N bots of the table
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), hide_short_help = !IS_SHOWN)]
    pub top: Option<u32>,
}

impl<const IS_SHOWN: bool> TableArgs<IS_SHOWN> {
    /// The number of rows to show.
    pub fn rows_max(&self) -> Option<usize> {
        self.top.map(|top| usize::try_from(top).unwrap_or(usize::MAX))
    }
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

    /// Columns of the board, 1 to 32 (also --height)
    #[arg(long, value_name = "N", value_parser = whole(1..=32_u8))]
    pub width: Option<u8>,

    /// Rows of the board, 1 to 32, if the rules allow it
    // The help of `--width` names it: the help of `run` has no row left.
    #[arg(long, value_name = "N", value_parser = whole(1..=32_u8), hide_short_help = true)]
    pub height: Option<u8>,

    /// Games at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u16))]
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
    #[arg(long, value_name = "UNITS", value_parser = whole(1..=u64::MAX))]
    pub fuel: Option<u64>,

    /// Memory per bot, in MiB [default: 64]
    #[arg(long, value_name = "MIB", value_parser = whole(1..=4_096_u32))]
    pub memory: Option<u32>,

    /// The limits of wall-clock time.
    #[command(flatten)]
    pub times: TimeArgs,
}

/// The limits of wall-clock time.
#[derive(Args, Clone, Copy, Debug)]
pub struct TimeArgs {
    /// Watchdog per turn (also --game-timeout)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Watchdog per game [default: 100 turn budgets]
    // The help of `--timeout` names it: the help of `run` has no row left.
    #[arg(long, value_name = "SECONDS", value_parser = game_seconds, hide_short_help = true)]
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

/// The looks of a screen. The help shows them if the command has a row left.
#[derive(Args, Clone, Copy, Debug)]
pub struct ScreenArgs<const IS_SHOWN: bool> {
    /// Do not animate shots and sinkings
    #[arg(long, hide_short_help = !IS_SHOWN)]
    pub no_animation: bool,
}

/// The dashboard of `run`. The help of `--watch` names its options: the help of `run` has no row left.
#[derive(Args, Clone, Copy, Debug)]
pub struct DashboardArgs {
    /// The looks of the screen.
    #[command(flatten)]
    pub screen: ScreenArgs<false>,

    /// End the screen this long after the last game, if nobody presses a key
    #[arg(long, value_name = "SECONDS", requires = "watch", value_parser = seconds, hide_short_help = true)]
    pub linger: Option<Duration>,
}

/// The place where bots play.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Bots")]
pub struct PlaceArgs {
    /// Run bots in this process, not in confined ones
    // The help of `run` has no row left, and nobody needs it who does not read SECURITY.md.
    #[arg(long, hide_short_help = true)]
    pub in_process: bool,
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

/// Reads the command line.
///
/// # Errors
/// Words that are no command, or a request for help.
pub fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    // A number below zero is a value, which has a parser that refuses it, and no option.
    let numbers = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    let command = Cli::command().mut_subcommands(move |command| command.mut_args(numbers));
    Cli::from_arg_matches(&command.try_get_matches_from(words)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
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
