//! `arena standings`: where everyone stands, by a journal.

use crate::cli::{StandingsArgs, TableOutput};
use crate::console::Console;
use crate::failure::Failure;
use crate::ledger::Told;
use crate::report::Report;
use crate::roster::shown;

/// Reads the journal and shows what it comes to.
pub fn standings(args: &StandingsArgs, console: &mut Console) -> Result<(), Failure> {
    let (told, _) = Told::read(&args.journal)?;
    let name = shown(&args.journal);
    let locate = |number: usize, _: [&str; 2]| format!("game {number} of {name}");
    let report = Report::new(told.terms(), told.entrants(), &told.results).with_recordings(Some(&locate));
    console.line(&match args.output {
        TableOutput::Table => report.table(),
        TableOutput::Json => report.standings_json(),
        TableOutput::Csv => report.csv(),
    })?;
    Ok(())
}
