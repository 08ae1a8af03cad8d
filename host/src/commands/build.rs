//! `arena build`: builds folders of bots and games as components.

use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use arena_experiments::project::{BuildFailure, Native, Project, Steps};
use arena_text::shown;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The arguments of `arena build`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena build\n          arena build my-bot my-game\n          arena build --practice -- --boards 500\n\nThe files of a folder name its language: Cargo.toml Rust, \
                  package.json JavaScript, go.mod Go, app.py Python, and sources C, C++ or Zig. arena.toml may have:\n  \
                  bot = \"my-bot.wasm\"   the component that is built; `game` for a game\n  \
                  build = \"make\"        your own build command, run instead\n  \
                  wit, world            in Python: the folder of the contract, and its world"
)]
pub struct BuildArgs {
    /// Folders of bots or games
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folders: Vec<PathBuf>,

    /// Only install the tools of the build, which are kept in the folder
    #[arg(long)]
    pub tools: bool,

    /// Run the folder's tests, without WebAssembly
    #[arg(long, conflicts_with = "tools")]
    pub test: bool,

    /// Run the folder's practice program, without WebAssembly
    #[arg(long, conflicts_with_all = ["tools", "test"])]
    pub practice: bool,

    /// Arguments for the tests or the practice program
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<OsString>,
}

/// Builds the folders, one after the other.
pub fn build(args: &BuildArgs, console: &mut Console) -> Result<(), Failure> {
    for folder in &args.folders {
        let project = Project::read(folder)?;
        let mut steps = Shown(console);
        if args.test || args.practice {
            let what = if args.test { Native::Tests } else { Native::Practice };
            let ended = project.run_native(what, &args.arguments, &mut steps);
            let ended = ended.map_err(|failure| told(folder, failure))?;
            if !ended.success() {
                let code = ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
                return Err(Failure::Reported(NegativeResult::Native(code)));
            }
            continue;
        }
        let built = match args.tools {
            true => project.install_tools(&mut steps),
            false => project.build(&mut steps),
        };
        built.map_err(|failure| told(folder, failure))?;
        if !args.tools {
            console.line(format!("built {}", shown(&project.component)))?;
        }
    }
    Ok(())
}

/// Why a folder is not built.
fn told(folder: &Path, failure: BuildFailure) -> Failure {
    match failure {
        BuildFailure::Engine(error) => error.into(),
        _ => {
            let next = failure.next_step();
            Failure::usage(format!("cannot build {}: {failure}", shown(folder)), next)
        }
    }
}

/// Commands that print where the program prints.
struct Shown<'a>(&'a Console);

impl Steps for Shown<'_> {
    fn note(&mut self, text: &str) {
        self.0.note(text);
    }

    fn run(&mut self, command: &mut Command) -> Result<ExitStatus, BuildFailure> {
        command.status().map_err(|error| BuildFailure::not_started(command, error))
    }
}
