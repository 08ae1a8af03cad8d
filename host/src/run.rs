//! `arena run`: a match or a tournament.

use crate::admission;
use crate::archive::Archive;
use crate::cli::{RunArgs, TableOutput};
use crate::console::{self, Console};
use crate::dashboard::Dashboard;
use crate::failure::Failure;
use crate::game::Table;
use crate::interrupt::Interrupt;
use crate::ledger::Ledger;
use crate::plan::{self, Plan};
use crate::report::{self, Entrant, Report, Terms};
use crate::roster::{self, Roster};
use crate::tournament::{self, Source};
use crate::{resume, told};
use std::io::IsTerminal;
use std::panic::resume_unwind;
use std::thread;

/// Plays what the arguments say and reports it.
pub fn run(args: &RunArgs, console: &mut Console) -> Result<(), Failure> {
    let plan = Plan::new(&args.game)?;
    plan::check_course(&args.course)?;
    let bots = roster::components(&args.bots)?;
    if bots.len() < 2 {
        return Err(Failure::input(
            "a match needs two bots, and one is there",
            "name another; for self-play, name the same one twice",
        ));
    }
    if args.watch && !std::io::stdout().is_terminal() {
        return Err(Failure::input(
            "--watch shows the tournament on a terminal, and standard output is none",
            "leave out --watch",
        ));
    }
    let interrupt = Interrupt::listen()?;
    let sandbox = admission::sandbox(plan.sandbox_limits.clone(), &args.game.cache)?;
    let roster = admission::admit(&sandbox, &bots, plan.jobs, &interrupt, console)?;
    for refused in &roster.refused {
        console.note(&report::refusal(refused));
    }
    require_a_match(&roster, args.strict)?;
    let plan = plan.for_bots(&args.game, &roster.contestants)?;
    let (course, schedule) = plan::course(&args.course, roster.contestants.len())?;
    let engine = sandbox.engine_hash();
    let table = Table { plan: &plan, engine: &engine, contestants: &roster.contestants };

    let mut ledger = Ledger::open(args.journal.as_deref(), args.resume, &table, &course)?;
    let games_planned = tournament::planned(&schedule);
    let archive = Archive::open(args.transcripts.as_deref(), args.logs.as_deref(), games_planned)?;
    if let Some(note) = ledger.note(&course, &schedule, roster.contestants.len()) {
        console.note(&note);
    }
    interrupt.answer(console::note_interrupt);
    let lines = report::Lines::new(&roster.contestants, games_planned);
    let dashboard = args.watch.then(|| Dashboard::new(&plan, &roster, games_planned));
    if dashboard.is_none() {
        console.begin_progress(games_planned, "games");
    }
    let (known, keeper) = ledger.split();
    let (results, delivered, shown) = thread::scope(|scope| {
        let screen = dashboard.as_ref().map(|dashboard| dashboard.show(scope, &interrupt));
        let (results, delivered) = tournament::play(
            &course,
            schedule,
            roster.contestants.len(),
            plan.jobs,
            || interrupt.requested(),
            |number, fixture| match (known.get(&fixture), &dashboard) {
                (Some(result), _) => Ok(Source::Taken(result.clone())),
                (None, None) => table.play(fixture).map(|played| Source::Played(Box::new(played))),
                (None, Some(dashboard)) => {
                    let played = table.play_before(fixture, &mut dashboard.onlooker(number));
                    played.map(|played| Source::Played(Box::new(played)))
                }
            },
            |game, played, results| -> Result<(), Failure> {
                if let (Some(played), Ok(result)) = (played, &game.result) {
                    archive.keep(game, played)?;
                    keeper.keep(game.fixture, result, &played.transcript)?;
                }
                if args.output == TableOutput::Table && !arena_tui::is_on() {
                    console.line(&lines.game(game))?;
                }
                if let Some(dashboard) = &dashboard {
                    dashboard.game(game, played.is_some(), results);
                }
                console.advance_to(game.number, results.games_planned);
                Ok(())
            },
        );
        if let Some(dashboard) = &dashboard {
            dashboard.end(&results);
        }
        // The screen stays until the user has seen enough of it.
        let shown =
            screen.map_or(Ok(()), |screen| screen.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (results, delivered, shown)
    });
    console.end_progress();
    shown?;

    let terms = Terms::here(&plan.rules, plan.limits, plan.seed, &course);
    let entrants = roster.contestants.iter().map(Entrant::of).collect();
    let locate = |number: usize, labels: [&str; 2]| archive.transcript_of(number, labels);
    let report = Report::new(terms, entrants, &results)
        .with_refused(&roster.refused)
        .with_recordings(args.transcripts.is_some().then_some(&locate));
    match args.output {
        TableOutput::Table => console.line(&report.table())?,
        TableOutput::Json => console.line(&report.json())?,
        TableOutput::Csv => console.line(&report.csv())?,
    }
    if !results.complete && args.journal.is_some() {
        console.note(&format!("to go on:\n  {}", resume::command()));
    }
    delivered?;
    verdict(&results, &roster, interrupt.requested())
}

/// Whether enough bots are left, and whether the user wants to go on without the others.
fn require_a_match(roster: &Roster, strict: bool) -> Result<(), Failure> {
    let (playing, refused) = (roster.contestants.len(), roster.refused.len());
    if strict && refused > 0 {
        return Err(Failure::Refused(format!("{refused} refused: with --strict nothing is played")));
    }
    if playing < 2 {
        let left = if playing == 1 { "one bot is" } else { "no bots are" };
        return Err(Failure::Refused(format!("{left} left, and a match needs two: nothing is played")));
    }
    Ok(())
}

/// How the program ends after a run that has been reported.
fn verdict(results: &tournament::Results, roster: &Roster, interrupted: bool) -> Result<(), Failure> {
    if interrupted && !results.complete {
        return Err(Failure::Interrupted(format!(
            "interrupted: {} of {} games were played; the table counts those",
            results.games.len(),
            results.games_planned
        )));
    }
    let failed = results.games.iter().filter(|game| game.result.is_err()).count();
    if failed > 0 {
        return Err(Failure::Host(anyhow::anyhow!(
            "{failed} games have no result; the table does not count them"
        )));
    }
    if !roster.refused.is_empty() {
        return Err(told(Failure::Refused));
    }
    Ok(())
}
