//! The arena: loads bots, plays them against each other, and reports.
//!
//! The data flows one way: arguments ([`cli`], [`commands`]) → [`admission`] and [`roster`] (the sandbox admits each
//! component) → [`plan`] → [`tournament`] (schedule, workers, the referee) → [`archive`] and [`journal`] (transcripts, logs,
//! the journal) → [`report`] (table, JSON or CSV). Printing happens in [`console`] and nowhere else.
#![warn(missing_docs)]

pub mod admission;
pub mod archive;
pub mod boards;
pub mod cli;
pub mod commands;
pub mod console;
pub mod failure;
pub mod faults;
pub mod game;
pub mod hints;
pub mod journal;
pub mod logs;
pub mod plan;
pub mod recordings;
pub mod report;
pub mod rerun;
pub mod roster;
pub mod rules_file;
pub mod seed;
pub mod tournament;
pub mod trial;
pub mod verification;
pub mod workers;

mod dashboard;
mod interrupt;
mod resume;
mod saving;
mod screen;

use clap::Parser;
use cli::{Cli, Command};
use console::Console;
use failure::EXIT_USAGE;
use std::process::ExitCode;

/// Runs the program on the process's arguments, and gives its exit code.
pub fn main() -> ExitCode {
    arena_sandbox::compiler_main_if_asked();
    console::hook_panics();
    let mut console = Console::of_process();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { EXIT_USAGE } else { 0 };
            console.usage(error);
            return ExitCode::from(code);
        }
    };
    let ended = match &cli.command {
        Command::New(args) => commands::new::new(args, &mut console),
        Command::Run(args) => commands::run::run(args, &mut console),
        Command::Check(args) => commands::check::check(args, &mut console),
        Command::Watch(args) => commands::watch::watch(args, &mut console),
        Command::Replay(args) => commands::replay::replay(args, &mut console),
        Command::Rerun(args) => commands::rerun::rerun(args, &mut console),
        Command::Play(args) => commands::play::play(args, &mut console),
        Command::Standings(args) => commands::standings::standings(args, &mut console),
        Command::Sprt(args) => commands::sprt::sprt(args, &mut console),
        Command::Bench(args) => commands::bench::bench(args, &mut console),
        Command::Verify(args) => commands::verify::verify(args, &mut console),
        Command::Serve(args) => commands::serve::serve(args, &mut console),
        Command::Rules(command) => commands::rules::rules(command, &mut console),
        Command::Wit(args) => commands::wit::wit(args, &mut console),
        Command::Completions(args) => commands::completions::completions(args, &mut console),
        Command::Man(args) => commands::man::man(args),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            console.failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}
