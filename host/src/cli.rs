//! The command line: the commands, and the groups of options that several of them have.

use crate::commands::{
    bench, check, completions, games, journal, man, new, play, replay, report, rerun, rules, run, serve,
    sprt, standings, verify, watch, wit,
};
use crate::remote;
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

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
    Run(Box<run::RunArgs>),
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
    /// List the workers of a contest, or admit and block them
    Workers(remote::WorkersArgs),
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
