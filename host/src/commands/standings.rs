//! `arena standings`: the standings of a journal.

use crate::args::{TableArgs, TableOutput};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::StandingsOutput;
use crate::values::at;
use arena_engine::labels;
use arena_engine::stored::{At, StoredSeason};
use arena_engine::union::Union;
use arena_record::Label;
use arena_text::shown;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena standings`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  arena standings arena.db -o csv\n  arena standings league.db --at 2026-11-23\n  arena standings north.db south.db"
)]
pub struct StandingsArgs {
    /// The journals, also of a running contest; several are counted together
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,

    /// Show the standings at the end of stage N, or of a day or time in UTC
    #[arg(long, value_name = "N|TIME", value_parser = at)]
    pub at: Option<At>,

    /// Form of the results
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = TableOutput::Table)]
    pub output: TableOutput,

    /// The form of the standings.
    #[command(flatten)]
    pub table: TableArgs,

    /// Show head-to-head results
    #[arg(long)]
    pub pairings: bool,
}

/// Reads the journal and prints its standings.
pub fn standings(args: &StandingsArgs, console: &mut Console) -> Result<(), Failure> {
    if args.pairings && args.output == TableOutput::Csv {
        return Err(Failure::usage(
            "--pairings is a table, and -o csv has a line for each bot",
            "use -o json, which has the pairings in `crosstable`",
        ));
    }
    if let [_, _, ..] = args.journals[..] {
        return together(args, console);
    }
    let journal = &args.journals[0];
    let (kept, _) = StoredSeason::read_at(journal, args.at.as_ref())?;
    let name = shown(journal);
    let bots = &kept.tournament.bots;
    let anchor = args.table.anchor.as_deref().map(|label| labels::find(label, bots)).transpose()?;
    kept.notes.iter().for_each(|note| console.tell(note.as_str()));
    let locate = |number: usize, _: [&Label; 2]| format!("game {number} of {}", name.as_str()).into();
    let report = StandingsOutput::new(&kept.tournament.conditions, kept.ranking().with_anchor(anchor))
        .with_revealed_seed(kept.revealed())
        .with_top(args.table.rows_max())
        .with_head(kept.head.clone())
        .with_recordings(Some(&locate));
    print(args, &report, console)
}

/// Prints the standings of several journals together.
fn together(args: &StandingsArgs, console: &mut Console) -> Result<(), Failure> {
    let union = Union::read(&args.journals, args.at.as_ref())?;
    let anchor = args.table.anchor.as_deref().map(|label| labels::find(label, &union.bots)).transpose()?;
    union.notes.iter().for_each(|note| console.tell(note.as_str()));
    let locate = |number: usize, _: [&Label; 2]| {
        let place = union.place_of(number).map(|(name, there)| format!("game {there} of {}", name.as_str()));
        place.unwrap_or_default().into()
    };
    let report = StandingsOutput::new(&union.conditions, union.ranking().with_anchor(anchor))
        .with_revealed_seed(union.revealed)
        .with_top(args.table.rows_max())
        .with_journals(&union.journals)
        .with_recordings(Some(&locate));
    print(args, &report, console)
}

fn print(args: &StandingsArgs, report: &StandingsOutput<'_>, console: &mut Console) -> Result<(), Failure> {
    match args.output {
        TableOutput::Table if args.pairings => console.line(report.pairings())?,
        TableOutput::Table => console.line(report.table())?,
        TableOutput::Json => console.document(&report.standings_json())?,
        TableOutput::Csv => console.line(report.csv())?,
    }
    Ok(())
}
