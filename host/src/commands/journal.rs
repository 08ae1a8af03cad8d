//! `arena journal`: a journal's content, the tables of its stages, its secret seed, and its end.

use crate::args::Form;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::{self, History, JournalOutput};
use crate::values::form;
use arena_engine::internals::seed;
use arena_engine::{StoredSeason, close_season};
use arena_text::shown;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The commands of `arena journal`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena journal info league.db")]
pub enum JournalCommand {
    /// Print a journal's conditions, stages, bots and games
    #[command(after_help = "Example: arena journal info league.db")]
    Info(InfoArgs),
    /// Draw the secret seed of a season before its first run, and print its hash
    Seed(SeedArgs),
    /// Close a season and reveal its seeds; no run can continue it
    Close(CloseArgs),
    /// Print the table after each stage, and so each bot's rating over time
    #[command(after_help = "Example: arena journal history league.db -o json")]
    History(InfoArgs),
}

/// Arguments of `arena journal info` and `arena journal history`.
#[derive(Args, Clone, Debug)]
pub struct InfoArgs {
    /// The journal, which may still be written
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,
}

/// Arguments of `arena journal seed`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Example: arena journal seed league.db\n\nPublish the hash with the beacon that you will use, then: arena run bots/ --journal league.db --seed secret --beacon TEXT"
)]
pub struct SeedArgs {
    /// The journal that the first run will make
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,
}

/// Arguments of `arena journal close`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena journal close league.db")]
pub struct CloseArgs {
    /// The journal
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Close it although games of its schedule are missing
    #[arg(long)]
    pub unfinished: bool,
}

/// Reads a journal, or begins or ends its season.
pub fn journal(command: &JournalCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        JournalCommand::Info(args) => info(args, console),
        JournalCommand::Seed(args) => seed(args, console),
        JournalCommand::Close(args) => close(args, console),
        JournalCommand::History(args) => history(args, console),
    }
}

fn info(args: &InfoArgs, console: &mut Console) -> Result<(), Failure> {
    let (kept, _) = StoredSeason::read(&args.journal)?;
    let report = JournalOutput::new(&kept);
    kept.notes.iter().for_each(|note| console.tell(note.as_str()));
    console.show(&report, args.output)?;
    Ok(())
}

fn seed(args: &SeedArgs, console: &mut Console) -> Result<(), Failure> {
    let hash = seed::commit(&args.journal)?.digits();
    console.line(format!("SHA-256 of the secret seed: {hash}"))?;
    Ok(())
}

fn close(args: &CloseArgs, console: &mut Console) -> Result<(), Failure> {
    let kept = close_season(&args.journal, args.unfinished)?;
    console.line(output::closed(&kept, &shown(&args.journal)))?;
    Ok(())
}

fn history(args: &InfoArgs, console: &mut Console) -> Result<(), Failure> {
    let (note, stages) = StoredSeason::history(&args.journal)?;
    note.into_iter().for_each(|note| console.tell(note));
    Ok(console.show(&History::new(stages), args.output)?)
}
