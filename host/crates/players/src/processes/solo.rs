//! Boards that a single bot clears.

use super::answers::{RemotePlayer, logs};
use super::protocol::{Board, Service, Session};
use arena_record::Conditions;
use arena_referee::{HostError, Player, Stopped};
use arena_sandbox::{Bot, Pool, Sandbox, Sandboxed, TimeLimits};

/// A single bot with its boards: each has a fresh player of it.
pub struct SoloBots {
    bot: Bot,
    times: TimeLimits,
    /// The processes; `None` when the bot is in this process.
    pool: Option<Pool>,
}

impl SoloBots {
    /// A bot of a sandbox, for this number of boards at a time. If the sandbox uses processes, one is started for each.
    ///
    /// # Errors
    /// A failure of the arena: a process cannot be started.
    pub fn new(
        sandbox: &Sandbox,
        bot: &Bot,
        conditions: &Conditions,
        times: TimeLimits,
        at_once: usize,
    ) -> Result<Self, HostError> {
        let session = Session::new(Service::Boards, conditions, times);
        let bots_max = times.side().saturating_add(times.turn);
        let pool = sandbox.has_processes().then(|| session.pool(sandbox, vec![bot.clone()], bots_max));
        pool.iter().try_for_each(|pool| pool.start(at_once))?;
        Ok(Self { bot: bot.clone(), times, pool })
    }

    /// Has a fresh player do its task on a board, and returns the result with the player's log. A process does the same task on the same
    /// board, and reports how the player answers.
    ///
    /// # Errors
    /// A failure of the arena.
    pub fn ask<G: Sandboxed, T>(
        &self,
        board: Board,
        task: impl Fn(&mut dyn Player<G>) -> Result<T, Stopped>,
    ) -> Result<(T, String), HostError> {
        match &self.pool {
            None => {
                let mut player = self.bot.player::<G>(board.seed, self.times)?;
                let done = task(&mut player).map_err(Stopped::failure)?;
                Ok((done, player.log()))
            }
            Some(pool) => pool.carry_out(None, |connection| {
                connection.borrow_mut().send(&board.to_frame())?;
                let done = task(&mut RemotePlayer(connection)).map_err(Stopped::failure)?;
                let [log, _] = logs::<G>(&mut connection.borrow_mut(), None)?;
                Ok((done, log))
            }),
        }
    }
}
