//! `arena bench`: how many shots a bot needs alone, over common seeded boards.

use crate::admission::{self, Ready};
use crate::boards::{Board, Boards};
use crate::cli::{BenchArgs, Output};
use crate::console::Console;
use crate::failure::Failure;
use crate::report::SoloReport;
use arena_rules::{FleetSpec, GameRules};
use std::slice;

/// Lets the bot clear the boards and reports what it needed.
pub fn bench(args: &BenchArgs, console: &mut Console) -> Result<(), Failure> {
    let ready = admission::require(&args.game, slice::from_ref(&args.bot), console)?;
    let Ready { plan, contestants, engine: _, interrupt } = &ready;
    let GameRules::Battleship(rules) = &plan.rules else {
        return Err(Failure::input(
            "submarine is no game for one: its ships move",
            "compare two bots with `arena run` or `arena sprt`",
        ));
    };
    if !FleetSpec::of(rules).can_be_drawn() {
        return Err(Failure::input(
            format!("the rules `{}` have too tight a fleet to draw boards at random", rules.name),
            "choose a larger board or a smaller fleet",
        ));
    }
    let boards =
        Boards { rules, count: args.boards, seed: plan.seed, fuel_per_turn: plan.limits.fuel_per_turn };
    let contestant = &contestants[0];
    let mut played: Vec<Board> = Vec::new();
    console.begin_progress(boards.count as usize, "boards");
    let ended = boards.play(
        &contestant.bot,
        plan.jobs,
        || interrupt.requested(),
        |board| {
            played.push(board);
            console.advance();
        },
    );
    console.end_progress();
    ended?;
    let report = SoloReport::new(contestant, plan, rules, &played);
    console.line(&match args.output {
        Output::Table => report.text(),
        Output::Json => report.json(),
    })?;
    match u32::try_from(played.len()).unwrap_or(u32::MAX) {
        count if count < args.boards => Err(Failure::Interrupted(format!(
            "interrupted: {count} of {} boards were played; the figures are of those",
            args.boards
        ))),
        _ => Ok(()),
    }
}
