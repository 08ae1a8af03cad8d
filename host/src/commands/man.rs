//! `arena man`: the manual pages, one for the program and one for each command.

use crate::failure::Failure;
use arena_text::shown;
use clap::{Args, Command};
use std::path::PathBuf;

/// The arguments of `arena man`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder to write the pages to; it is made if it is missing
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// Writes the pages of the command line of this program, and replaces files of the same names.
pub fn man(args: &ManArgs, program: Command) -> Result<(), Failure> {
    let written =
        arena_files::make_folder(&args.dir).and_then(|()| clap_mangen::generate_to(program, &args.dir));
    written.map_err(|error| {
        let what = format!("cannot write manual pages to {}", shown(&args.dir));
        Failure::machine(what, error, "name a folder that you can create and write to")
    })
}
