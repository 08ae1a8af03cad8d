//! One instance's life: a store of its own, from its making to the first error.

use crate::contract::{Exports, Name, battleship, submarine};
use crate::fault::Doing;
use crate::log::Log;
use crate::program::Program;
use crate::state::State;
use crate::wasi::{self, HANDLES_MAX, HOST_CALL_BYTES_MAX};
use wasmtime::component::Instance;
use wasmtime::{Error, Result, Store};

/// What one call may use.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) fuel: u64,
    pub(crate) epoch_ticks: u64,
}

/// A live instance in its store.
pub(crate) struct Life {
    store: Store<State>,
    instance: Instance,
    // Looked up at its first call, and kept: a look-up takes longer than a call. A bot has the one of its game.
    battleship_play: Option<battleship::Play>,
    submarine_play: Option<submarine::Play>,
}

/// How a life ended, and what outlives it.
pub(crate) struct Death {
    pub(crate) error: Error,
    pub(crate) doing: Doing,
    pub(crate) memory_bytes: usize,
}

impl Life {
    /// Makes an instance and asks it something, both out of the budget.
    pub(crate) fn begin<R>(
        program: &Program,
        seed: u64,
        log: Log,
        budget: Budget,
        ask: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<(Self, R), Box<Death>> {
        let mut store =
            Store::new(program.engine(), State::new(program.limits().memory_bytes_max, seed, log));
        store.limiter(|state| &mut state.caps);
        // It bounds what is lifted from a bot's results and from its calls of ours: a giant list or string.
        store.set_hostcall_fuel(HOST_CALL_BYTES_MAX);
        store.set_max_component_handles(HANDLES_MAX);
        store.call_hook(wasi::settle);
        begin_call(&mut store, budget);
        match program.instance_pre().instantiate(&mut store) {
            Ok(instance) => Self { store, instance, battleship_play: None, submarine_play: None }.ask(ask),
            Err(error) => {
                // The bot's first instruction takes fuel, so that until then an error is no doing of the bot's.
                let has_run = store.get_fuel().is_ok_and(|left| left < budget.fuel);
                let doing = if has_run { Doing::Starting } else { Doing::Allocating };
                Err(end(store, error, doing))
            }
        }
    }

    /// Asks a live instance something. An error ends its life: a trap leaves it in the middle of something, and what is
    /// in its memory after any other error is anyone's guess.
    pub(crate) fn go_on<R>(
        mut self,
        budget: Budget,
        ask: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<(Self, R), Box<Death>> {
        begin_call(&mut self.store, budget);
        self.ask(ask)
    }

    fn ask<R>(mut self, ask: impl FnOnce(&mut Self) -> Result<R>) -> Result<(Self, R), Box<Death>> {
        match ask(&mut self) {
            Ok(answer) => {
                let left = self.fuel_left();
                self.store.data_mut().clock.set_fuel_left(left);
                Ok((self, answer))
            }
            Err(error) => Err(end(self.store, error, Doing::Calling)),
        }
    }

    pub(crate) fn name(&mut self, exports: &Exports) -> Result<String> {
        let name: Name = self.instance.get_typed_func(&mut self.store, exports.name)?;
        let (name,) = name.call(&mut self.store, ())?;
        Ok(name)
    }

    pub(crate) fn deploy_fleet(
        &mut self,
        exports: &Exports,
        game: &battleship::GameInfo<'_>,
    ) -> Result<Vec<battleship::Placement>> {
        let deploy: battleship::Deploy = self.instance.get_typed_func(&mut self.store, exports.deploy)?;
        let (fleet,) = deploy.call(&mut self.store, (game,))?;
        Ok(fleet)
    }

    pub(crate) fn shoot(
        &mut self,
        exports: &Exports,
        game: &battleship::GameInfo<'_>,
        view: &battleship::View<'_>,
    ) -> Result<Option<battleship::Coord>> {
        let play = match &self.battleship_play {
            Some(play) => play,
            None => self.battleship_play.insert(self.instance.get_typed_func(&mut self.store, exports.play)?),
        };
        let (spot,) = play.call(&mut self.store, (game, view))?;
        Ok(spot)
    }

    pub(crate) fn deploy_ships(
        &mut self,
        exports: &Exports,
        game: submarine::GameInfo,
    ) -> Result<submarine::Positions> {
        let deploy: submarine::Deploy = self.instance.get_typed_func(&mut self.store, exports.deploy)?;
        let (positions,) = deploy.call(&mut self.store, (game,))?;
        Ok(positions)
    }

    pub(crate) fn act(
        &mut self,
        exports: &Exports,
        game: submarine::GameInfo,
        view: &submarine::View,
    ) -> Result<submarine::Action> {
        let play = match &self.submarine_play {
            Some(play) => play,
            None => self.submarine_play.insert(self.instance.get_typed_func(&mut self.store, exports.play)?),
        };
        let (action,) = play.call(&mut self.store, (game, view))?;
        Ok(action)
    }

    /// What the last call has left of its fuel. Exact, since the call has returned.
    pub(crate) fn fuel_left(&self) -> u64 {
        self.store.get_fuel().expect("the engine counts fuel")
    }

    pub(crate) fn state(&self) -> &State {
        self.store.data()
    }
}

fn begin_call(store: &mut Store<State>, budget: Budget) {
    store.set_fuel(budget.fuel).expect("the engine counts fuel");
    store.set_epoch_deadline(budget.epoch_ticks);
    store.data_mut().clock.begin_call(budget.fuel);
    store.data().log.begin_call();
}

fn end(store: Store<State>, error: Error, doing: Doing) -> Box<Death> {
    Box::new(Death { error, doing, memory_bytes: store.data().caps.memory_bytes })
}
