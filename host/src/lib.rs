//! The arena: loads bots, plays them against each other, and reports.
//!
//! The data flows one way: arguments ([`cli`], [`commands`]) → [`admission`] and [`roster`] (the sandbox admits each
//! component) → [`plan`] → [`season`] and [`tournament`] (schedule, workers, the referee) → [`archive`] and [`journal`] (transcripts, logs,
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
pub mod games;
pub mod hints;
pub mod journal;
pub mod labels;
pub mod logs;
pub mod merge;
pub mod plan;
pub mod processes;
pub mod recordings;
pub mod remote;
pub mod report;
pub mod rerun;
pub mod roster;
pub mod rules_file;
pub mod season;
pub mod seed;
pub mod site;
pub mod tournament;
pub mod trial;
pub mod values;
pub mod verification;
pub mod workers;

mod dashboard;
mod desk;
mod interrupt;
mod ranking;
mod resume;
mod saving;
mod screen;
mod seeding;
mod usage;

use cli::Command;
use console::Console;
use failure::Failure;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program on the process's arguments, and gives its exit code.
pub fn main() -> ExitCode {
    arena_sandbox::compiler_main_if_asked();
    arena_sandbox::player_main_if_asked(processes::serve);
    console::hook_panics();
    let mut console = Console::of_process();
    let words: Vec<OsString> = std::env::args_os().collect();
    let ended = match cli::parse(&words) {
        Ok(cli) => {
            console.set_quiet(cli.quiet);
            run(&cli.command, &mut console)
        }
        Err(error) => usage::end(&error, &words, &mut console),
    };
    let ended = match ended {
        // A verdict that nobody has read is none.
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
        Command::Run(args) => commands::run::run(args, console),
        Command::Check(args) => commands::check::check(args, console),
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
        Command::Verify(args) => commands::verify::verify(args, console),
        Command::Serve(args) => commands::serve::serve(args, console),
        Command::Worker(args) => remote::serve(args, console),
        Command::Rules(command) => commands::rules::rules(command, console),
        Command::Wit(args) => commands::wit::wit(args, console),
        Command::Completions(args) => commands::completions::completions(args, console),
        Command::Man(args) => commands::man::man(args),
    }
}
