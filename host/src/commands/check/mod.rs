//! `arena check`: the identity, imports and size of a bot, if it may play, and how it plays trial games; the same of a game, which
//! plays by itself; or the measures of the sandbox.

mod args;
mod game;

pub use args::CheckArgs;

use crate::args::trial_rules;
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::{admission, output};
use arena_engine::internals::faults::Faults;
use arena_engine::internals::{builtin, plan, roster};
use arena_experiments::finding::Finding;
use arena_experiments::project::Project;
use arena_experiments::trial::{self, TrialGame, TrialOptions};
use arena_players::Contestant;
use arena_rules::{GameKind, GameRules};
use arena_sandbox::{RefusalKind, Sandbox, SandboxLimits};
use arena_text::shown;
use std::path::Path;
use std::slice;

/// Reports on a bot, or on the sandbox.
pub fn check(args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    match &args.bot {
        Some(bot) => check_bot(bot, limits, args, console),
        None => check_sandbox(limits, args, console),
    }
}

/// Confines a compiler as for a bot, and reports the measures.
fn check_sandbox(limits: SandboxLimits, args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    let sandbox = args.cache.sandbox(limits)?;
    let confinement = sandbox.check_confinement()?;
    let report = output::SandboxOutput::new(confinement, sandbox.limits());
    console.show(&report, args.output())?;
    if report.missing() == 0 { Ok(()) } else { Err(Failure::Reported(NegativeResult::Unconfined)) }
}

/// Admits the bot as a match would, lets it play trial games, and reports the finding.
fn check_bot(
    bot: &Path,
    limits: SandboxLimits,
    args: &CheckArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    let options = TrialOptions {
        rules: trial_rules(args.game.as_ref(), &args.set, &args.rules, &args.cache)?,
        fuel_per_turn: args.fuel,
        is_quick: args.quick,
        turns_of_fuel: None,
    };
    roster::check_path(bot)?;
    if let Some(source) = Project::newer_source(bot) {
        let (source, bot) = (shown(&source), shown(bot));
        console.note(format!("note: {source} is newer than {bot}; `arena build` builds it again"));
    }
    let bot = &builtin::in_game(options.rules.first(), vec![bot.to_owned()])[0];
    let interrupt = Interrupt::listen()?;
    let mut faults = Faults::open(args.faults.as_deref())?;
    let sandbox = args.cache.sandbox(limits)?;
    let mut roster = admission::admit_surely(&sandbox, slice::from_ref(bot), 1, &interrupt, console)?;
    if roster.refused.first().is_some_and(|refused| refused.kind == RefusalKind::Game.name()) {
        return game::check_game(bot, &sandbox, args, &interrupt, console);
    }
    if !args.set.is_empty() && args.game.is_none() && !roster.contestants.is_empty() {
        return Err(Failure::usage(
            format!("--set is for the options of a game, and {} is a bot", shown(bot)),
            "name its game with --game, or check the game itself",
        ));
    }
    options.rules.iter().try_for_each(|rules| plan::check_game(rules, &roster.contestants))?;
    if let [rules @ GameRules::Loaded(_)] = &options.rules[..] {
        roster.refuse_other_types(rules)?;
    }
    let contestant = roster.contestants.first().filter(|_| !args.no_games);
    if contestant.is_some_and(|it| it.bot.kind() == GameKind::Loaded && args.game.is_none()) {
        console.note(format!(
            "{} is a bot for a game that is a component: name the game with --game for trial games",
            shown(bot)
        ));
    }
    let games = contestant
        .map(|contestant| try_out(contestant, &sandbox, &options, &interrupt, console))
        .transpose()?;
    for game in games.iter().flatten() {
        let mut files = ["", ""];
        files[game.seat.index()] = contestant.map_or("", |contestant| contestant.file.as_str());
        faults.keep(&game.file_stem(), &game.played, files)?;
    }
    let finding = Finding::of(&roster).with_games(games.as_deref());
    console.show(&finding, args.output())?;
    if !roster.refused.is_empty() {
        return Err(Failure::Reported(NegativeResult::Refused));
    }
    if interrupt.requested() {
        return Err(Failure::Interrupted("interrupted: some trial games were not played".into()));
    }
    if finding.has_faults() {
        return Err(Failure::Reported(NegativeResult::Faulted));
    }
    Ok(())
}

/// Plays the trial games of a bot.
fn try_out(
    contestant: &Contestant,
    sandbox: &Sandbox,
    options: &TrialOptions,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<Vec<TrialGame>, Failure> {
    console.begin_progress(options.count(&contestant.bot), "trial games");
    let games = trial::play(contestant, sandbox, options, || {
        console.advance();
        !interrupt.requested()
    });
    console.end_progress();
    admission::note_gaps(sandbox, console);
    Ok(games?)
}
