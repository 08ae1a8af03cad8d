//! The tasks of this project: `cargo xtask help` lists them.
//!
//! Each task runs on a clean clone with stable Rust and a C compiler. It installs missing tools itself, with rustup or,
//! if rustup may not install anything, with Debian's apt.

mod arena;
mod benches;
mod book;
mod bots;
mod browser;
mod checks;
mod cli;
mod component;
mod debian;
mod deny;
mod dist;
mod edit;
mod environment;
mod languages;
mod laws;
mod mistakes;
mod package;
mod passed;
mod platforms;
mod python;
mod quick;
mod step;
mod sysroot;
mod term;
mod test_programs;
mod toolchain;
mod tools;
mod workspace;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::{CommandFactory, Parser};

use cli::{Cli, Task};

fn main() -> ExitCode {
    let started = Instant::now();
    let result = match Cli::parse().task {
        Some(task) => {
            let result = run(task);
            step::say_times();
            result.map(|()| step::say(&format!("all done in {}", step::show_time(started.elapsed()))))
        }
        None => {
            // A closed pipe is not an error: the reader has seen enough.
            let _ = Cli::command().print_help();
            Ok(())
        }
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    step::say(&format!("error: {}", causes.join("\n")));
    ExitCode::FAILURE
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Demo { arena_args } => match arena::run_demo(&arena_args)? {},
        Task::Test => checks::run(false, true),
        Task::All { choice } => checks::run(true, choice.changed),
        Task::Quick { crates } => quick::run(&crates),
        Task::Browsers { choice } => browser::test(choice.changed),
        Task::Languages { choice, languages } => languages::run(&languages, choice.changed),
        Task::Bots => bots::build_with_specimen().map(drop),
        Task::Bench { quick, bench_args } => benches::run(quick, &bench_args),
        Task::Laws { minutes, laws } => laws::run(minutes, &laws),
        Task::ClubTerm => term::run(),
        Task::Component => component::run(),
        Task::Book => {
            book::build().map(|pages| step::say(&format!("the book: {}", pages.join("index.html").display())))
        }
        Task::Dist { target: Some(target), no_test, .. } => dist::run_for(&target, !no_test),
        Task::Dist { target: None, no_test, release_profile, choice } => {
            dist::run(!no_test, !release_profile, choice.changed)
        }
        Task::Platforms { check: true, choice, targets } => platforms::check(&targets, choice.changed),
        Task::Platforms { check: false, targets, .. } => platforms::run(&targets),
        Task::Deny { fetch } => deny::run(fetch),
    }
}
