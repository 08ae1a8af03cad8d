//! A bot at the board: one fresh store for each game, and for each time it has to begin again.

use crate::contract::battleship::{self, Boards};
use crate::contract::{Exports, submarine};
use crate::fault;
use crate::life::{Budget, Death, Life};
use crate::log::Log;
use crate::program::Program;
use crate::watchdog;
use arena_referee::{HostError, NoReply, Player, Reply, SubmarineInfo, SubmarinePlayer};
use arena_rules as rules;
use std::mem;
use std::sync::Arc;
use std::time::Instant;

/// A bot that plays one game. It is made at its first call, out of that call's fuel.
pub struct SandboxedPlayer {
    program: Arc<Program>,
    side_seed: u64,
    life: Option<Life>,
    log: Log,
    memory_bytes_peak: usize,
    /// When the watchdog ends the turn.
    deadline: Option<Instant>,
    boards: Boards,
}

impl SandboxedPlayer {
    pub(crate) fn new(program: Arc<Program>, side_seed: u64) -> Self {
        let log = Log::new(program.limits().log_bytes_max);
        Self {
            program,
            side_seed,
            life: None,
            log,
            memory_bytes_peak: 0,
            deadline: None,
            boards: Boards::default(),
        }
    }

    /// What the bot has written to standard output and error so far in this game: safe to print, and bounded; a last
    /// line says how much was cut.
    pub fn log(&self) -> String {
        self.log.text()
    }

    /// The most memory that the bot has had in this game.
    pub fn memory_bytes_peak(&self) -> usize {
        self.memory_bytes_peak.max(self.life.as_ref().map_or(0, |life| life.state().caps.memory_bytes))
    }

    /// Asks the instance something for so much fuel, making it first where there is none.
    fn ask<R>(
        &mut self,
        fuel: u64,
        ask: impl FnOnce(&mut Life, &Exports) -> wasmtime::Result<R>,
    ) -> Result<Reply<R>, NoReply> {
        if self.deadline.is_none() {
            Player::begin_turn(self);
        }
        let Some(epoch_ticks) = self.deadline.and_then(watchdog::ticks_until) else {
            self.end_life();
            return Err(fault::too_late().into());
        };
        let budget = Budget { fuel, epoch_ticks };
        let program = &*self.program;
        let ask = |life: &mut Life| ask(life, program.exports());
        let asked = match self.life.take() {
            Some(life) => life.go_on(budget, ask),
            None => Life::begin(program, self.side_seed, self.log.clone(), budget, ask),
        };
        match asked {
            Ok((life, answer)) => {
                let fuel_used = fuel - life.fuel_left();
                self.life = Some(life);
                Ok(Reply { answer, fuel_used })
            }
            Err(death) => {
                let Death { error, doing, memory_bytes } = *death;
                self.memory_bytes_peak = self.memory_bytes_peak.max(memory_bytes);
                Err(fault::classify(&error, doing, &self.log))
            }
        }
    }

    fn end_life(&mut self) {
        if let Some(life) = self.life.take() {
            self.memory_bytes_peak = self.memory_bytes_peak.max(life.state().caps.memory_bytes);
        }
    }
}

impl Player for SandboxedPlayer {
    fn deploy(&mut self, game: &rules::GameInfo, fuel: u64) -> Result<Reply<Vec<rules::Placement>>, NoReply> {
        let game = battleship::GameInfo::from(game);
        let Reply { answer, fuel_used } =
            self.ask(fuel, |life, exports| life.deploy_fleet(exports, &game))?;
        Ok(Reply { answer: answer.into_iter().map(rules::Placement::from).collect(), fuel_used })
    }

    fn play(
        &mut self,
        game: &rules::GameInfo,
        view: &rules::View,
        fuel: u64,
    ) -> Result<Reply<Option<rules::Coord>>, NoReply> {
        let game = battleship::GameInfo::from(game);
        let mut boards = mem::take(&mut self.boards);
        let view = boards.view(view);
        let asked = self.ask(fuel, |life, exports| life.shoot(exports, &game, &view));
        self.boards = boards;
        let Reply { answer, fuel_used } = asked?;
        Ok(Reply { answer: answer.map(rules::Coord::from), fuel_used })
    }

    fn begin_turn(&mut self) {
        self.deadline = Some(watchdog::deadline_in(self.program.limits().turn_wall_clock));
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.end_life();
        Ok(())
    }
}

impl SubmarinePlayer for SandboxedPlayer {
    fn deploy(&mut self, game: &SubmarineInfo, fuel: u64) -> Result<Reply<[rules::Coord; 3]>, NoReply> {
        let game = submarine::GameInfo::from(game);
        let Reply { answer, fuel_used } = self.ask(fuel, |life, exports| life.deploy_ships(exports, game))?;
        Ok(Reply { answer: answer.into(), fuel_used })
    }

    fn play(
        &mut self,
        game: &SubmarineInfo,
        view: &rules::submarine::View,
        fuel: u64,
    ) -> Result<Reply<rules::submarine::Action>, NoReply> {
        let (game, view) = (submarine::GameInfo::from(game), submarine::View::from(view));
        let Reply { answer, fuel_used } = self.ask(fuel, |life, exports| life.act(exports, game, &view))?;
        Ok(Reply { answer: answer.into(), fuel_used })
    }

    fn begin_turn(&mut self) {
        Player::begin_turn(self);
    }
}
