//! Boards that a bot clears alone: the measure of how well it searches, whoever else plays.

use crate::game::WATCHDOG_TRIES_MAX;
use crate::workers;
use arena_record::BoardSeeds;
use arena_referee::{Fault, HostError, Solo, Stopped, play_solo};
use arena_rules::{FleetSpec, GameRules, Ruleset, random, uniform};
use arena_sandbox::Bot;
use std::ops::ControlFlow;

/// Boards to be cleared.
#[derive(Clone, Copy, Debug)]
pub struct Boards<'a> {
    /// The rules: the board, the fleet, and what is announced.
    pub rules: &'a Ruleset,
    /// How many.
    pub count: u32,
    /// The seed of all of them.
    pub seed: u64,
    /// Fuel for a turn.
    pub fuel_per_turn: u64,
}

/// What came of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its number, from 1.
    pub number: u32,
    /// What the bot needed, or what it did wrong.
    pub result: Result<Cleared, Fault>,
}

/// What a bot needed for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleared {
    /// Shots.
    pub shots: u32,
    /// Fuel of all its turns.
    pub fuel: u64,
}

impl Boards<'_> {
    /// Lets a bot clear the boards, so many at a time, and delivers what came of each in order. A bot that faults,
    /// skips, or shoots at no valid spot has failed that board.
    ///
    /// It ends early when `stop` says so, with the boards that were begun.
    ///
    /// # Errors
    /// A failure of ours on some board; the boards before it were delivered.
    pub fn play(
        &self,
        bot: &Bot,
        jobs: usize,
        stop: impl Fn() -> bool + Sync,
        mut deliver: impl FnMut(Board),
    ) -> Result<(), HostError> {
        let rules = GameRules::Battleship(self.rules.clone());
        let spec = FleetSpec::of(self.rules);
        let mut failed = None;
        workers::in_order(
            jobs,
            usize::try_from(self.count).unwrap_or(usize::MAX),
            stop,
            |index| {
                let number = u32::try_from(index).expect("the count fits") + 1;
                let result = self.play_one(bot, &spec, BoardSeeds::new(&rules, self.seed, number))?;
                Ok(Board { number, result })
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

    fn play_one(
        &self,
        bot: &Bot,
        spec: &FleetSpec,
        seeds: BoardSeeds,
    ) -> Result<Result<Cleared, Fault>, HostError> {
        let mut rng = random::seeded(seeds.fleets);
        let mut draw =
            || uniform(spec, &mut rng).ok_or_else(|| HostError("no legal fleet came up in time".to_owned()));
        let fleets = [draw()?, draw()?];
        for _ in 0..WATCHDOG_TRIES_MAX {
            let mut player = bot.player(seeds.side);
            match play_solo(self.rules, self.fuel_per_turn, seeds.side, &mut player, fleets.clone()) {
                // The clock says more about the machine than about the bot.
                Ok(Solo::Failed(fault)) if fault.class == arena_referee::FaultClass::WallClock => {}
                Err(Stopped::WallClock { .. }) => {}
                Ok(Solo::Failed(fault)) => return Ok(Err(fault)),
                Ok(Solo::Cleared { shots, fuel }) => return Ok(Ok(Cleared { shots, fuel })),
                Err(Stopped::Host(error)) => return Err(error),
            }
        }
        Err(HostError(format!(
            "the watchdog stopped a board {WATCHDOG_TRIES_MAX} times; lower --jobs, or raise --timeout"
        )))
    }
}
