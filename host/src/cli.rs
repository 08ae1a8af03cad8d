//! The command line: the commands, and the groups of options that several of them have.

use crate::commands::{
    bench, build, cache, check, club, completions, dev, games, journal, man, mine, new, play, profile,
    replay, report, rerun, rules, run, serve, sprt, standings, submit, verify, watch, wit, worker, workers,
};
use crate::help;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

/// The referee you can hand untrusted bots.
#[derive(Debug, Parser)]
#[command(name = "arena", version, about, max_term_width = 100)]
#[command(
    after_help = "Example: arena run bots/*.wasm --games 20\n\nExit codes: 0 done; 1 the arena or the machine failed; 2 wrong \
                  usage or input; 3 a bot was refused or at fault in `check`, a game failed, or a recording is not verified; 4 `sprt` accepted H0; 5 `sprt` is \
                  undecided; 6 `check --sandbox` found a confinement measure unavailable; 130 interrupted; 141 standard output was closed early."
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,

    /// Print results and errors only
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a folder for a new bot, in one of six languages
    New(new::NewArgs),
    /// Build a bot or a game in its folder, in any language
    Build(build::BuildArgs),
    /// Play bots against each other: a match or a tournament
    Run(Box<run::RunArgs>),
    /// Check a bot, with trial games, or check the sandbox
    Check(check::CheckArgs),
    /// Build a bot or a game after each save, and show what has changed
    Dev(dev::DevArgs),
    /// Watch a game between two bots as it is played
    Watch(watch::WatchArgs),
    /// Show a recorded game
    Replay(replay::ReplayArgs),
    /// Replay a game's turns against a new build, to see where it decides differently
    Rerun(rerun::RerunArgs),
    /// Play against a bot yourself
    Play(play::PlayArgs),
    /// Print the standings of a journal: ratings, points, faults
    Standings(standings::StandingsArgs),
    /// List the games of a journal: lost ones, upsets, faults, the longest
    Games(games::GamesArgs),
    /// Write a static site of a journal: standings, bots, replays
    Report(report::ReportArgs),
    /// Inspect a journal, or begin or close its season
    #[command(subcommand)]
    Journal(journal::JournalCommand),
    /// Test if a new bot is better than an old one, in as few games as possible
    Sprt(sprt::SprtArgs),
    /// Measure the shots that bots need to clear boards alone, or what a game costs
    Bench(bench::BenchArgs),
    /// Show which functions of a bot use its fuel
    Profile(profile::ProfileArgs),
    /// Show or clear the cache of compiled bots
    #[command(subcommand)]
    Cache(cache::CacheCommand),
    /// Verify recorded games by playing them again
    Verify(verify::VerifyArgs),
    /// Serve a game over TCP
    Serve(serve::ServeArgs),
    /// Run a standing contest to which authors submit bots
    #[command(subcommand)]
    Club(Box<club::ClubCommand>),
    /// Submit a bot to a club
    Submit(submit::SubmitArgs),
    /// List your versions in a club, with their ratings
    Mine(mine::MineArgs),
    /// Play the games of an `arena run --workers` on another machine
    Worker(worker::WorkerArgs),
    /// List the workers of a contest, or admit and block them
    Workers(workers::WorkersArgs),
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

/// Reads the command line.
///
/// # Errors
/// Arguments that name no command, or a request for help.
pub fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    // A negative number is a value, not an option; its parser refuses it.
    let numbers = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    let command = Cli::command().mut_subcommands(move |command| command.mut_args(numbers));
    let command = if help::is_asked(words) { help::complete(command) } else { help::short(command) };
    Cli::from_arg_matches(&command.try_get_matches_from(words)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    /// All commands, with those inside them.
    fn all_commands() -> Vec<clap::Command> {
        let mut cli = Cli::command().term_width(80);
        cli.build();
        let mut commands = vec![cli];
        let mut next = 0;
        while next < commands.len() {
            let inner: Vec<clap::Command> = commands[next].get_subcommands().cloned().collect();
            commands.extend(inner.into_iter().filter(|command| command.get_name() != "help"));
            next += 1;
        }
        commands
    }

    #[test]
    fn the_help_of_each_command_has_an_example_and_fits_52_rows_if_it_is_the_short_one() {
        for mut command in all_commands() {
            let help = command.render_help().to_string();
            assert!(help.lines().count() <= 52, "{} rows\n{help}", help.lines().count());
            assert!(help.contains("Example"), "{help}");
        }
    }

    #[test]
    fn no_option_and_no_value_is_hidden_from_the_long_help() {
        for command in all_commands() {
            for arg in command.get_arguments() {
                let is_hidden = arg.is_hide_set() || arg.is_hide_long_help_set();
                assert!(!is_hidden && !arg.is_hide_possible_values_set(), "{}: {arg}", command.get_name());
            }
        }
    }
}
