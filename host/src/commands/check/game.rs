//! `arena check` of a game, which plays by itself.

use super::CheckArgs;
use crate::admission;
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::GameFinding;
use arena_experiments::game_trial::{self, Progress, TriedGame};
use arena_sandbox::Sandbox;
use arena_text::shown;
use std::path::Path;

/// The number of games after which those are foretold for which there is fuel. Chosen: the first ones of two options, alone and together.
const GAMES_MEASURED: u32 = 8;

/// Lets a game play by itself, and reports the finding.
pub(super) fn check_game(
    path: &Path,
    sandbox: &Sandbox,
    args: &CheckArgs,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<(), Failure> {
    let is_for_bots =
        !args.rules.is_empty() || args.game.is_some() || args.fuel.is_some() || args.faults.is_some();
    if is_for_bots {
        let what =
            format!("{} is a game, and --rules, --game, --fuel and --faults are for bots", shown(path));
        return Err(Failure::usage(what, "leave them out; a game has its own rules and budgets"));
    }
    let games = match (args.no_games, args.quick) {
        (true, _) => 0,
        (false, true) => game_trial::QUICK_GAMES,
        (false, false) => game_trial::GAMES,
    };
    console.begin_progress(games as usize, "games");
    let mut is_told = false;
    let tried = game_trial::play(path, sandbox, games, &args.set, |Progress { played, expected }| {
        if played >= GAMES_MEASURED && expected < games && !is_told {
            is_told = true;
            console.note(format!(
                "some {expected} of {games} games will be played, of all options alike: more need more fuel than a trial has"
            ));
        }
        console.advance_to(played as usize, expected as usize);
        !interrupt.requested()
    });
    console.end_progress();
    admission::note_gaps(sandbox, console);
    let TriedGame { component, answer } = tried?;
    let is_interrupted = interrupt.requested();
    let (file, answer) = (shown(path), answer.as_ref());
    let finding = GameFinding { file, component: &component, answer, games, is_interrupted };
    console.show(&finding, args.output())?;
    if is_interrupted {
        return Err(Failure::Interrupted("interrupted: some games were not played".into()));
    }
    if finding.fault().is_some() {
        return Err(Failure::Reported(NegativeResult::Faulted));
    }
    Ok(())
}
