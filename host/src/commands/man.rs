//! `arena man`: the manual pages, one for the program and one for each command.

use crate::cli::Cli;
use crate::failure::Failure;
use arena_text::shown;
use clap::{Args, CommandFactory};
use std::path::PathBuf;

/// The arguments of `arena man`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder to write the pages to; it is made if it is missing
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// Writes the pages, and replaces files of the same names.
pub fn man(args: &ManArgs) -> Result<(), Failure> {
    let written = arena_files::make_folder(&args.dir)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.dir));
    written.map_err(|error| {
        let what = format!("cannot write manual pages to {}", shown(&args.dir));
        Failure::machine(what, error, "name a folder that you can create and write to")
    })
}
