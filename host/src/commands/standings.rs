//! `arena standings`: the standings of a journal.

use crate::args::{TableArgs, TableOutput};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::StandingsOutput;
use arena_engine::journal::StoredSeason;
use arena_engine::labels;
use arena_record::Label;
use arena_text::shown;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena standings`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena standings arena.db -o csv")]
pub struct StandingsArgs {
    /// The journal of a tournament, which may still be running
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Results as table, json or csv
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = TableOutput::Table, hide_possible_values = true)]
    pub output: TableOutput,

    /// The form of the standings.
    #[command(flatten)]
    pub table: TableArgs<true>,

    /// Show each two bots that have met instead
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
    let (kept, _) = StoredSeason::read(&args.journal)?;
    let name = shown(&args.journal);
    let bots = &kept.tournament.bots;
    let anchor = args.table.anchor.as_deref().map(|label| labels::find(label, bots)).transpose()?;
    kept.uncounted.iter().for_each(|note| console.tell(note.as_str()));
    let locate = |number: usize, _: [&Label; 2]| format!("game {number} of {}", name.as_str()).into();
    let report = StandingsOutput::new(&kept.tournament.conditions, kept.ranking().with_anchor(anchor))
        .with_told_seed(kept.told_seed)
        .with_top(args.table.rows_max())
        .with_head(kept.head.clone())
        .with_recordings(Some(&locate));
    match args.output {
        TableOutput::Table if args.pairings => console.line(report.pairings())?,
        TableOutput::Table => console.line(report.table())?,
        TableOutput::Json => console.document(&report.standings_json())?,
        TableOutput::Csv => console.line(report.csv())?,
    }
    Ok(())
}
