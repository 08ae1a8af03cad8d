//! `arena run`: a match or a tournament.

use crate::archive::Archive;
use crate::cli::{Output, RunArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::game::Table;
use crate::interrupt::Interrupt;
use crate::plan::Plan;
use crate::report::{self, Report};
use crate::roster::{self, Roster};
use crate::{told, tournament};
use arena_sandbox::Sandbox;

/// Plays what the arguments say and reports it.
pub fn run(args: &RunArgs, console: &mut Console) -> Result<(), Failure> {
    let plan = Plan::new(&args.game)?;
    args.bots.iter().try_for_each(|path| roster::check_path(path))?;
    if args.bots.len() < 2 {
        return Err(Failure::input(
            "a match needs two bots, and one is named",
            "name another; for self-play, name the same one twice",
        ));
    }
    let sandbox = Sandbox::new(plan.sandbox_limits.clone())?;
    let roster = Roster::admit(&sandbox, &args.bots, plan.jobs)?;
    for refused in &roster.refused {
        console.note(&report::refusal(refused));
    }
    require_a_match(&roster, args.strict)?;
    let plan = plan.for_bots(&args.game, &roster.contestants)?;
    let fixtures: Vec<_> = arena_league::round_robin(roster.contestants.len(), args.games).collect();
    let archive = Archive::open(args.transcripts.as_deref(), args.logs.as_deref(), fixtures.len())?;
    let interrupt = Interrupt::listen(console::note_interrupt)?;

    let engine = sandbox.engine_hash();
    let table = Table { plan: &plan, engine: &engine, contestants: &roster.contestants };
    let lines = report::Lines::new(&roster.contestants, fixtures.len());
    console.begin_progress(fixtures.len());
    let (results, delivered) = tournament::play(
        &table,
        &fixtures,
        || interrupt.requested(),
        |game, played| -> Result<(), Failure> {
            if let Some(played) = played {
                archive.keep(game, played)?;
            }
            if args.output == Output::Table {
                console.line(&lines.game(game))?;
            }
            console.advance();
            Ok(())
        },
    );
    console.end_progress();
    let report = Report { plan: &plan, roster: &roster, results: &results, games_planned: fixtures.len() };
    match args.output {
        Output::Table => console.line(&report.table())?,
        Output::Json => console.line(&report.json())?,
    }
    delivered?;
    verdict(&report, interrupt.requested())
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
fn verdict(report: &Report<'_>, interrupted: bool) -> Result<(), Failure> {
    let games = &report.results.games;
    let unplayed = report.games_planned - games.len();
    if interrupted && unplayed > 0 {
        return Err(Failure::Interrupted(format!(
            "interrupted: {} of {} games were played; the table counts those",
            games.len(),
            report.games_planned
        )));
    }
    let failed = games.iter().filter(|game| game.result.is_err()).count();
    if failed > 0 {
        return Err(Failure::Host(anyhow::anyhow!(
            "{failed} games have no result; the table does not count them"
        )));
    }
    if !report.roster.refused.is_empty() {
        return Err(told(Failure::Refused));
    }
    Ok(())
}
