//! `arena run`: a match or a tournament.

mod args;

pub use args::RunArgs;

use crate::args::Form;
use crate::console::{self, Console};
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::{self, StandingsOutput};
use crate::playing::{self, PlayedBy, Shown};
use crate::{admission, resume};
use arena_cluster::Remote;
use arena_engine::internals::labels;
use arena_engine::internals::ranking::OrderBy;
use arena_engine::{
    Error, Local, PlannedRun, PreparedRun, Results, Roster, Run, SeedChoice, Supplier, components,
};
use arena_record::{Label, RecordedSeed};
use arena_referee::HostError;
use arena_text::{counted, shown};
use std::path::PathBuf;

/// Plays a match or a tournament, and reports it.
pub fn run(args: &RunArgs, console: &mut Console) -> Result<(), Failure> {
    let workers = args.remote.options()?;
    if workers.is_some() && args.journal.is_none() {
        return Err(Failure::usage("--workers requires --journal", "add --journal FILE"));
    }
    let prepared = PreparedRun::new(args.options())?;
    let bots = prepared.paths(components(&args.bots)?);
    check_count(&bots, args.watch)?;
    if let Some(SeedChoice::Given(seed)) = args.seed {
        admission::note_small_seed(Some(seed), console);
    }
    let interrupt = Interrupt::listen()?;
    let sandbox = args.game.cache.sandbox(prepared.sandbox_limits())?;
    let mut roster = admission::admit(&sandbox, &bots, prepared.jobs(), &interrupt, console)?;
    prepared.refuse_other_types(&mut roster)?;
    for refused in &roster.refused {
        console.tell(output::refusal(refused));
    }
    for failed in &roster.failed {
        console.tell(output::failed(failed));
    }
    prepared.restore(&sandbox, &mut roster)?.iter().for_each(|note| console.note(note.as_str()));
    roster.require_a_match(args.strict)?;
    let planned = prepared.plan(&sandbox, roster)?;
    let anchor = args.table.anchor.as_deref();
    let anchor = anchor.map(|label| labels::find(label, &planned.season.bots)).transpose()?;
    let by = args.table.order_by(&planned.plan.conditions.rules)?;
    // Before the journal is made: it is not needed if the server is missing.
    let start = |options| Remote::start(options, &planned, &sandbox);
    let remote = workers.as_ref().map(start).transpose()?;
    let run = planned.open()?;
    run.planned().notes.iter().for_each(|note| console.note(note.as_str()));
    if let (RecordedSeed::Secret(commitment), Some(journal)) = (run.planned().seed.season, &args.journal) {
        let hash = commitment.digits();
        console.note(format!(
            "the seed is secret until `arena journal close {}`; its SHA-256 is {hash}",
            shown(journal)
        ));
    }
    interrupt.answer(console::note_interrupt);
    if args.journal.is_some() {
        // All games are in it, even if the lines are not read.
        console.outlive_reader();
    }
    if let Some(workers) = &workers {
        let server = &workers.server;
        console.note(format!("{server}: waiting for workers: start `arena worker` with this address"));
    }
    let place = match remote {
        Some(remote) => PlayedBy::Elsewhere(Box::new(remote)),
        None => PlayedBy::Here(Box::new(Local::start(&sandbox, &run, args.watch)?)),
    };
    admission::note_gaps(&sandbox, console);
    Tournament { args, interrupt, run, anchor, by, place }.play(console)
}

/// A tournament that is ready to be played.
struct Tournament<'a> {
    args: &'a RunArgs,
    interrupt: Interrupt,
    run: Run,
    anchor: Option<usize>,
    by: OrderBy,
    place: PlayedBy,
}

impl Tournament<'_> {
    /// Plays the games, and reports them.
    fn play(mut self, console: &mut Console) -> Result<(), Failure> {
        let Self { args, interrupt, run, place, .. } = &mut self;
        let shown = Shown {
            dashboard: args.watch.then_some(args.dashboard),
            journal: args.journal.as_deref(),
            has_lines: args.output == Form::Table,
        };
        let played = playing::play(run, place, &shown, interrupt, console);
        console.end_progress();
        self.report(played, console)
    }

    /// Reports the games, after the last one and after the screen.
    fn report(self, played: Result<(), Failure>, console: &mut Console) -> Result<(), Failure> {
        if let (Some(remote), true) = (self.place.remote(), self.run.is_over()) {
            remote.over();
        }
        let run = &self.run;
        let PlannedRun { plan, roster, .. } = run.planned();
        let locate = |number: usize, labels: [&Label; 2]| run.transcript_of(number, labels);
        let report = StandingsOutput {
            head: run.head(),
            refused: &roster.refused,
            failed: &roster.failed,
            has_games: true,
            top: self.args.table.rows_max(),
            locate: if self.args.transcripts.is_some() { Some(&locate) } else { None },
            ..StandingsOutput::new(&plan.conditions, run.ranking().with_anchor(self.anchor).by(self.by))
        };
        console.show(&report, self.args.output)?;
        // The other forms have the seed themselves.
        if let (Form::Csv, Some(seed)) = (self.args.output, report.seed()) {
            console.tell(format!("seed {seed}"));
        }
        if let Some(note) = run.note_on_faults() {
            console.note(note);
        }
        // A game that has failed fails again.
        let has_game_failed = matches!(&played, Err(Failure::Engine(Error::Host(HostError::Game(_)))));
        if !run.results().complete && self.args.journal.is_some() && !has_game_failed {
            console.tell(format!("to continue:\n  {}", resume::command()));
        }
        played?;
        verdict(run.results(), roster, self.interrupt.requested())
    }
}

fn check_count(bots: &[PathBuf], watch: bool) -> Result<(), Failure> {
    if bots.len() < 2 {
        return Err(Failure::usage(
            "a match needs two bots, and one is named",
            "name another; for self-play, name the same one twice",
        ));
    }
    if watch && !console::is_terminal() {
        return Err(Failure::usage(
            "--watch needs a terminal, and standard output is not one",
            "leave out --watch",
        ));
    }
    Ok(())
}

/// The end of the program after a run that has been reported.
fn verdict(results: &Results, roster: &Roster, interrupted: bool) -> Result<(), Failure> {
    if interrupted && !results.complete {
        return Err(Failure::Interrupted(format!(
            "interrupted: played {} of {}; the table counts those",
            results.sums.delivered,
            counted(results.games_planned, "game")
        )));
    }
    let failed = results.games.iter().filter(|game| game.result.is_err()).count();
    if failed > 0 {
        return Err(Failure::host(format!(
            "games without a result, which the table does not count: {failed}"
        )));
    }
    let without = roster.failed.len();
    if without > 0 {
        return Err(Failure::host(format!(
            "bots that were not admitted: {without}; the results are without these files"
        )));
    }
    if !roster.refused.is_empty() {
        return Err(Failure::Reported(NegativeResult::Refused));
    }
    Ok(())
}
