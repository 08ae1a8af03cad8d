//! `arena bench`: how many shots a bot needs alone, over common seeded boards.

use crate::admission;
use crate::boards::{Board, Boards};
use crate::cli::{BenchArgs, Output};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::plan::Plan;
use crate::report::{self, SoloReport};
use crate::roster;
use arena_rules::{FleetSpec, GameRules};
use std::slice;

/// Lets the bot clear the boards and reports what it needed.
pub fn bench(args: &BenchArgs, console: &mut Console) -> Result<(), Failure> {
    let plan = Plan::new(&args.game)?;
    roster::check_path(&args.bot)?;
    let interrupt = Interrupt::listen()?;
    let sandbox = admission::sandbox(plan.sandbox_limits.clone(), &args.game.cache)?;
    let roster = admission::admit(&sandbox, slice::from_ref(&args.bot), 1, &interrupt, console)?;
    if let Some(refused) = roster.refused.first() {
        return Err(Failure::Refused(report::refusal(refused)));
    }
    let plan = plan.for_bots(&args.game, &roster.contestants)?;
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
    interrupt.answer(console::note_interrupt);
    let boards =
        Boards { rules, count: args.boards, seed: plan.seed, fuel_per_turn: plan.limits.fuel_per_turn };
    let contestant = &roster.contestants[0];
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
    let report = SoloReport::new(contestant, &plan, rules, &played);
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
