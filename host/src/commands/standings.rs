//! `arena standings`: the standings of a journal.

use crate::args::{Form, TableArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::StandingsOutput;
use crate::values::{at, form};
use arena_engine::StoredStandings;
use arena_engine::internals::labels;
use arena_engine::internals::stored::At;
use arena_record::Label;
use arena_text::shown;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `arena standings`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  arena standings arena.db -o csv\n  arena standings league.db --at 2026-11-23"
)]
pub struct StandingsArgs {
    /// The journal, also of a running contest
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Show the standings at the end of stage N, or of a day or time in UTC
    #[arg(long, value_name = "N|TIME", value_parser = at)]
    pub at: Option<At>,

    /// Form of the results; csv has a line for each bot
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json, Form::Csv]))]
    pub output: Form,

    /// The form of the standings.
    #[command(flatten)]
    pub table: TableArgs,

    /// Show head-to-head results
    #[arg(long)]
    pub pairings: bool,
}

/// Reads the journal and prints its standings.
pub fn standings(args: &StandingsArgs, console: &mut Console) -> Result<(), Failure> {
    if args.pairings && args.output == Form::Csv {
        return Err(Failure::usage(
            "--pairings is a table, and -o csv has a line for each bot",
            "use -o json, which has the pairings in `crosstable`",
        ));
    }
    let kept = StoredStandings::read(&args.journal, args.at.as_ref())?;
    let name = shown(&args.journal);
    let bots = &kept.tournament.bots;
    let anchor = args.table.anchor.as_deref().map(|label| labels::find(label, bots)).transpose()?;
    let by = args.table.order_by(&kept.tournament.conditions.rules)?;
    kept.notes.iter().for_each(|note| console.tell(note.as_str()));
    let locate = |number: usize, _: [&Label; 2]| format!("game {number} of {}", name.as_str()).into();
    let report = StandingsOutput {
        revealed_seed: kept.revealed,
        top: args.table.rows_max(),
        head: kept.head.clone(),
        locate: Some(&locate),
        is_of_pairings: args.pairings,
        ..StandingsOutput::new(&kept.tournament.conditions, kept.ranking().with_anchor(anchor).by(by))
    };
    Ok(console.show(&report, args.output)?)
}
