//! A bot in a game: one fresh store for each game, and for each restart.

use crate::contract::{Adapter, Choice, Exports, Sandboxed};
use crate::fault;
use crate::instance::{BotInstance, Budget, EndedInstance};
use crate::log::{Log, Prompt};
use crate::program::Program;
use crate::side_clock::{Allowance, SideClock, TimeLimits};
use crate::watchdog;
use arena_referee::{HostError, LogMoment, NoReply, Player, Reply};
use std::mem;
use std::sync::Arc;
use std::time::Instant;

/// A bot that plays one game. Its instance is made at its first call, out of that call's fuel.
pub struct SandboxedPlayer<G: Sandboxed> {
    program: Arc<Program>,
    adapter: Box<dyn Adapter<G>>,
    side_seed: u64,
    instance: Option<BotInstance>,
    log: Log,
    memory_bytes_peak: usize,
    clock: SideClock,
    /// The number of turns that have begun, with at least one call.
    turns: u32,
    /// True if a turn has begun, and no call of it.
    is_new_turn: bool,
}

impl<G: Sandboxed> SandboxedPlayer<G> {
    pub(crate) fn new(
        program: Arc<Program>,
        adapter: Box<dyn Adapter<G>>,
        side_seed: u64,
        times: TimeLimits,
    ) -> Self {
        let log = Log::new(program.limits().log_bytes_max);
        Self {
            program,
            adapter,
            side_seed,
            instance: None,
            log,
            memory_bytes_peak: 0,
            clock: SideClock::new(times),
            turns: 0,
            is_new_turn: false,
        }
    }

    /// Asks the bot to print something about its own code, in a game that is played again for that.
    #[must_use]
    pub fn prompted(self, prompt: Option<Prompt>) -> Self {
        if let Some(prompt) = prompt {
            self.log.prompt(prompt);
        }
        self
    }

    /// The text that the bot has written to standard output and error so far in this game: safe to print, and bounded. Each
    /// line has its turn before it: `turn 12: …`, or `deploy: …`. Marks say how much was cut, of a line or of the log.
    pub fn log(&self) -> String {
        self.log.text()
    }

    /// The peak of the bot's memory in this game, in bytes.
    pub fn memory_bytes_peak(&self) -> usize {
        self.memory_bytes_peak
            .max(self.instance.as_ref().map_or(0, |instance| instance.state().caps.memory_bytes))
    }

    /// The bot's choice at its turn.
    ///
    /// # Errors
    /// As of [`Player::play`].
    pub fn choose(
        &mut self,
        game: &G::Info,
        view: &G::View,
        fuel: u64,
    ) -> Result<Reply<Choice<G::Action>>, NoReply> {
        let is_new_turn = mem::take(&mut self.is_new_turn);
        self.turns = self.turns.saturating_add(is_new_turn.into());
        self.log.begin_call(is_new_turn.then_some(LogMoment::Turn(self.turns)));
        self.ask(fuel, |adapter, instance, exports| adapter.play(&mut instance.live, exports, game, view))
    }

    /// Asks the instance for something with this much fuel, making the instance first if there is none.
    fn ask<R: Send>(
        &mut self,
        fuel: u64,
        ask: impl FnOnce(&mut dyn Adapter<G>, &mut BotInstance, &Exports) -> wasmtime::Result<R> + Send,
    ) -> Result<Reply<R>, NoReply> {
        let asked_at = Instant::now();
        let Allowance { left, limit } = self.clock.allowance(asked_at);
        if left.is_zero() {
            self.end_life();
            return Err(fault::too_late(limit).into());
        }
        let budget = Budget { fuel, epoch_ticks: watchdog::ticks_of(left) };
        let program = &*self.program;
        let exports = program.exports()?;
        let adapter = &mut *self.adapter;
        let asked = match self.instance.take() {
            Some(instance) => instance.go_on(budget, |instance| ask(adapter, instance, exports)),
            None => {
                adapter.forget();
                let ask = |instance: &mut BotInstance| ask(adapter, instance, exports);
                BotInstance::begin(program, self.side_seed, self.log.clone(), budget, ask)
            }
        };
        self.clock.spend(asked_at.elapsed());
        match asked {
            Ok((instance, answer)) => {
                let fuel_used = fuel - instance.fuel_left();
                self.instance = Some(instance);
                Ok(Reply { answer, fuel_used })
            }
            Err(ended) => {
                let EndedInstance { error, stage, memory_bytes } = *ended;
                self.memory_bytes_peak = self.memory_bytes_peak.max(memory_bytes);
                Err(fault::classify(&error, stage, &self.log, limit))
            }
        }
    }

    fn end_life(&mut self) {
        self.memory_bytes_peak = self.memory_bytes_peak();
        self.instance = None;
    }
}

impl<G: Sandboxed> Player<G> for SandboxedPlayer<G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        self.is_new_turn = false;
        self.log.begin_call(Some(LogMoment::Deploy));
        self.ask(fuel, |adapter, instance, exports| adapter.deploy(&mut instance.live, exports, game))
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        let Reply { answer, fuel_used } = self.choose(game, view, fuel)?;
        Ok(Reply { answer: answer.action::<G>(view).map_err(HostError::from)?, fuel_used })
    }

    fn begin_turn(&mut self) {
        self.clock.begin_turn();
        self.is_new_turn = true;
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.end_life();
        Ok(())
    }
}
