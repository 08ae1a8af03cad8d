//! Boards that a bot clears alone: the measure of how well it searches, whoever else plays.

use crate::failure::Failure;
use crate::game::{self, WATCHDOG_TRIES_MAX};
use crate::plan::Plan;
use crate::workers;
use arena_record::BoardSeeds;
use arena_referee::{Detail, Fault, FaultClass, HostError, Solo, Stopped, play_solo};
use arena_rules::Game;
use arena_sandbox::{Bot, Sandboxed};
use std::ops::ControlFlow;

/// Boards to be cleared, by the rules and the seed of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Boards<'a, G: Game> {
    plan: &'a Plan,
    rules: &'a G::Rules,
    count: u32,
}

/// A board after it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The number, from 1.
    pub number: u32,
    /// The need of the bot, or its fault.
    pub result: Result<Cleared, Fault>,
}

/// The need of a bot for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleared {
    /// The number of shots.
    pub shots: u32,
    /// The fuel of all turns.
    pub fuel: u64,
}

impl<'a, G: Sandboxed> Boards<'a, G> {
    /// This number of boards.
    ///
    /// # Errors
    /// Rules by which nobody can play alone.
    pub fn new(plan: &'a Plan, count: u32) -> Result<Self, Failure> {
        let rules = game::rules::<G>(&plan.conditions)?;
        G::suits_one(rules).map_err(|error| {
            Failure::usage(error.to_string(), "choose other rules, or compare two bots with `arena sprt`")
        })?;
        Ok(Self { plan, rules, count })
    }

    /// Lets a bot clear the boards, several at a time, and delivers each in order. A bot that faults or answers an invalid
    /// action has failed that board.
    ///
    /// It ends early if `stop` says so, with the boards that were started.
    ///
    /// # Errors
    /// A failure of ours on some board; the boards before it were delivered.
    pub fn play(
        &self,
        bot: &Bot,
        stop: impl Fn() -> bool + Sync,
        mut deliver: impl FnMut(Board),
    ) -> Result<(), HostError> {
        let mut failed = None;
        workers::in_order(
            self.plan.jobs,
            usize::try_from(self.count).unwrap_or(usize::MAX),
            stop,
            |index| {
                let number = u32::try_from(index).expect("the count fits") + 1;
                Ok(Board { number, result: self.play_one(bot, number)? })
            },
            |_, board| match workers::settled(board) {
                Ok(board) => {
                    deliver(board);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        failed.map_or(Ok(()), Err)
    }

    fn play_one(&self, bot: &Bot, number: u32) -> Result<Result<Cleared, Fault>, HostError> {
        let Plan { conditions, digest, seed, times, .. } = self.plan;
        let fuel_per_turn = conditions.limits.fuel_per_turn;
        let seeds = BoardSeeds::new(*digest, seed.seed, number);
        let info = G::info(self.rules, fuel_per_turn, seeds.side);
        let game = G::alone(self.rules, seeds.fleets).map_err(|error| HostError(error.to_string()))?;
        let mut stopped_by = Detail::default();
        for _ in 0..WATCHDOG_TRIES_MAX {
            let mut player = bot.player::<G>(seeds.side, *times)?;
            match play_solo(&info, game.clone(), fuel_per_turn, &mut player) {
                // The clock says more about the machine than about the bot.
                Ok(Solo::Failed(fault)) if fault.class == FaultClass::WallClock => stopped_by = fault.detail,
                Ok(Solo::Failed(fault)) => return Ok(Err(fault)),
                Ok(Solo::Cleared { turns, fuel }) => return Ok(Ok(Cleared { shots: turns, fuel })),
                Err(Stopped::Host(error)) => return Err(error),
                Err(stopped) => return Err(HostError(stopped.to_string())),
            }
        }
        Err(HostError(format!(
            "the watchdog stopped a board {WATCHDOG_TRIES_MAX} times: {stopped_by}; lower --jobs, or raise \
             --game-timeout or --timeout"
        )))
    }
}
