//! The arena: loads bots, plays them against each other, and reports.
//!
//! The data flows one way: arguments → [`plan`] → [`admission`] and [`roster`] (the sandbox admits each component) →
//! [`tournament`] (schedule, workers, the referee) → [`archive`] and [`ledger`] (transcripts, logs, the journal) →
//! [`report`] (table, JSON or CSV). Printing happens in [`console`] and nowhere else.
#![warn(missing_docs)]

pub mod admission;
pub mod archive;
pub mod boards;
pub mod cli;
pub mod console;
pub mod failure;
pub mod game;
pub mod ledger;
pub mod plan;
pub mod recordings;
pub mod report;
pub mod roster;
pub mod rules_file;
pub mod tournament;
pub mod verification;
pub mod workers;

mod bench;
mod check;
mod dashboard;
mod human;
mod interrupt;
mod replay;
mod resume;
mod rules_command;
mod run;
mod saving;
mod screen;
mod serve;
mod sprt;
mod standings;
mod verify;
mod watch;

use clap::Parser;
use cli::{Cli, Command};
use console::Console;
use failure::Failure;
use std::process::ExitCode;

/// Runs the program on the process's arguments, and gives its exit code.
pub fn main() -> ExitCode {
    arena_sandbox::compiler_main_if_asked();
    let cli = Cli::parse();
    let mut console = Console::of_process();
    let ended = match &cli.command {
        Command::Run(args) => run::run(args, &mut console),
        Command::Check(args) => check::check(args, &mut console),
        Command::Watch(args) => watch::watch(args, &mut console),
        Command::Replay(args) => replay::replay(args, &mut console),
        Command::Play(args) => human::play(args, &mut console),
        Command::Standings(args) => standings::standings(args, &mut console),
        Command::Sprt(args) => sprt::sprt(args, &mut console),
        Command::Bench(args) => bench::bench(args, &mut console),
        Command::Verify(args) => verify::verify(args, &mut console),
        Command::Serve(args) => serve::serve(args, &mut console),
        Command::Rules(command) => rules_command::rules(command, &mut console),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has had enough of it: there is nobody left to tell.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            console.failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// A failure that has been told in full already: only its exit code is left to give.
fn told(code: fn(String) -> Failure) -> Failure {
    code(String::new())
}
