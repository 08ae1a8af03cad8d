//! `arena journal`: what a journal has, and two journals made one.

use crate::args::Output;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::JournalOutput;
use arena_engine::journal::StoredSeason;
use arena_engine::merge::{Merge, Part};
use arena_text::shown;
use clap::{Args, Subcommand};
use std::fs;
use std::path::PathBuf;

/// The commands of `arena journal`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena journal info league.db")]
pub enum JournalCommand {
    /// Print what a journal has: conditions, stages, bots, games
    Info(InfoArgs),
    /// Make one journal of two that were played apart
    Merge(MergeArgs),
}

/// Arguments of `arena journal info`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena journal info league.db")]
pub struct InfoArgs {
    /// The journal, which may still be written
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Result as table or json
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = Output::Table, hide_possible_values = true)]
    pub output: Output,
}

/// Arguments of `arena journal merge`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Example: arena journal merge monday.db tuesday.db -o league.db\n\nThe journals need the same conditions: versions, rules, limits and seed."
)]
pub struct MergeArgs {
    /// The journal whose stages come first
    #[arg(value_name = "FIRST")]
    pub first: PathBuf,

    /// The journal that is added to it
    #[arg(value_name = "SECOND")]
    pub second: PathBuf,

    /// The new journal
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Reads or merges journals.
pub fn journal(command: &JournalCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        JournalCommand::Info(args) => info(args, console),
        JournalCommand::Merge(args) => merge(args, console),
    }
}

fn info(args: &InfoArgs, console: &mut Console) -> Result<(), Failure> {
    let (kept, reader) = StoredSeason::read(&args.journal)?;
    let report = JournalOutput::new(&kept, reader.version());
    match args.output {
        Output::Table => console.line(report.table())?,
        Output::Json => console.document(&report.json())?,
    }
    Ok(())
}

fn merge(args: &MergeArgs, console: &mut Console) -> Result<(), Failure> {
    let parts = [Part::read(&args.first)?, Part::read(&args.second)?];
    let name = shown(&args.output);
    if args.output.exists() {
        return Err(Failure::usage(
            format!("{name}: there is a file of this name, and it is left as it is"),
            "name a new file with -o",
        ));
    }
    let merge = Merge::of(parts)?;
    // Made under another name, so that an incomplete journal never has the one that was asked for.
    let partial = args.output.with_added_extension("part");
    let _ = fs::remove_file(&partial);
    let merged = merge.write(&partial, &name).map_err(Failure::from).and_then(|summary| {
        let moved = fs::rename(&partial, &args.output);
        moved.map_err(|error| {
            Failure::machine(format!("cannot write {name}"), error, "name another file with -o")
        })?;
        Ok(summary)
    });
    if merged.is_err() {
        let _ = fs::remove_file(&partial);
    }
    console.line(format!("{name}: {}", merged?))?;
    StoredSeason::read(&args.output)?.0.uncounted.iter().for_each(|note| console.tell(note.as_str()));
    Ok(())
}
