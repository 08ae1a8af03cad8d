//! The program `arena`: the first front end of the engine.
//!
//! The data flows one way: arguments ([`args`], [`cli`], [`commands`]) become plain options, `arena_engine` and `arena_experiments`
//! do the work, and their results become text ([`output`]), a screen (`screen`) or pages (`arena_pages`). Only [`console`] prints.
#![warn(missing_docs)]

pub mod admission;
pub mod args;
pub mod cli;
pub mod commands;
pub mod console;
pub mod failure;
pub mod output;
pub mod values;

mod dashboard;
mod dev;
mod help;
mod interrupt;
mod log;
mod playing;
mod resume;
mod saving;
mod screen;
mod usage;

use clap::CommandFactory;
use cli::{Cli, Command};
use console::Console;
use failure::Failure;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program on the process's arguments, and gives its exit code.
pub fn main() -> ExitCode {
    arena_engine::start();
    arena_resources::share_memory_if_limited();
    console::hook_panics();
    let mut console = Console::of_process();
    let args: Vec<OsString> = wild::args_os().collect();
    let ended = match cli::parse(&args) {
        Ok(cli) => {
            console.set_quiet(cli.quiet);
            let ended = run(&cli.command, &mut console);
            console.note_fewer();
            ended
        }
        Err(error) => usage::end(&error, &args, &mut console),
    };
    let ended = match ended {
        // Lost output overrides success.
        Ok(()) | Err(Failure::Reported(_)) if console.has_lost_results() => Err(Failure::Closed),
        ended => ended,
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: &Command, console: &mut Console) -> Result<(), Failure> {
    match command {
        Command::New(args) => commands::new::new(args, console),
        Command::Build(args) => commands::build::build(args, console),
        Command::Run(args) => commands::run::run(args, console),
        Command::Check(args) => commands::check::check(args, console),
        Command::Dev(args) => commands::dev::dev(args, console),
        Command::Watch(args) => commands::watch::watch(args, console),
        Command::Replay(args) => commands::replay::replay(args, console),
        Command::Rerun(args) => commands::rerun::rerun(args, console),
        Command::Play(args) => commands::play::play(args, console),
        Command::Standings(args) => commands::standings::standings(args, console),
        Command::Games(args) => commands::games::games(args, console),
        Command::Report(args) => commands::report::report(args, console),
        Command::Journal(command) => commands::journal::journal(command, console),
        Command::Sprt(args) => commands::sprt::sprt(args, console),
        Command::Bench(args) => commands::bench::bench(args, console),
        Command::Profile(args) => commands::profile::profile(args, console),
        Command::Cache(command) => commands::cache::cache(command, console),
        Command::Verify(args) => commands::verify::verify(args, console),
        Command::Serve(args) => commands::serve::serve(args, console),
        Command::Club(command) => commands::club::club(command, console),
        Command::Submit(args) => commands::submit::submit(args, console),
        Command::Mine(args) => commands::mine::mine(args, console),
        Command::Worker(args) => commands::worker::worker(args, console),
        Command::Workers(args) => commands::workers::workers(args, console),
        Command::Rules(command) => commands::rules::rules(command, console),
        Command::Wit(args) => commands::wit::wit(args, console),
        Command::Completions(args) => commands::completions::completions(args, Cli::command(), console),
        Command::Man(args) => commands::man::man(args, Cli::command()),
    }
}
