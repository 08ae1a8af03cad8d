//! The chores of this project: `cargo xtask help` lists them.
//!
//! Each runs on a clean clone with nothing but stable Rust, a C compiler and, where rustup is not to install
//! anything, Debian's apt. What is missing is installed; what is built is built once.

mod arena;
mod args;
mod bots;
mod checks;
mod component;
mod debian;
mod deny;
mod environment;
mod step;
mod sysroot;
mod toolchain;
mod tools;
mod version;

use std::process::ExitCode;
use std::time::Instant;

use args::Task;

/// The exit code for a command line that makes no sense.
const EXIT_USAGE: u8 = 2;

fn main() -> ExitCode {
    let task = match args::parse(std::env::args_os().skip(1)) {
        Ok(task) => task,
        Err(message) => {
            step::say(&format!("{message}\n`cargo xtask help` says more"));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let started = Instant::now();
    if let Err(error) = run(&task) {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        step::say(&format!("error: {}", causes.join("\n")));
        return ExitCode::FAILURE;
    }
    if !matches!(task, Task::Help(_)) {
        step::say(&format!("all done in {}", step::time_taken(started.elapsed())));
    }
    ExitCode::SUCCESS
}

fn run(task: &Task) -> anyhow::Result<()> {
    match task {
        Task::Demo { arena_args } => match arena::run_demo(arena_args)? {},
        Task::Test => checks::run(),
        Task::Bots => bots::build().map(drop),
        Task::Bench { bench_args } => arena::run_benches(bench_args),
        Task::Component => component::run(),
        Task::Deny { fetch } => deny::run(*fetch),
        Task::Help(topic) => {
            println!("{}", args::help(*topic));
            Ok(())
        }
    }
}
