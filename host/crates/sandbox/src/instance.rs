//! One instance with its store, from its creation to the first error.

use crate::contract::{Exports, Name};
use crate::engine::STACK_BYTES;
use crate::fault::CallStage;
use crate::live::LiveInstance;
use crate::log::Log;
use crate::program::Program;
use crate::state::{State, Stop};
use crate::wasi::{self, HANDLES_MAX};
use wasmtime::{Error, Result, Store};

/// The budget of one call.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) fuel: u64,
    pub(crate) epoch_ticks: u64,
}

/// The life of an instance.
pub(crate) struct BotInstance {
    pub(crate) live: LiveInstance,
}

/// The end of an instance, and what remains of it.
pub(crate) struct EndedInstance {
    pub(crate) error: Error,
    pub(crate) stage: CallStage,
    pub(crate) memory_bytes: usize,
}

impl BotInstance {
    /// Makes an instance and asks it something, both out of the budget.
    pub(crate) fn begin<R: Send>(
        program: &Program,
        seed: u64,
        log: Log,
        budget: Budget,
        ask: impl FnOnce(&mut Self) -> Result<R> + Send,
    ) -> Result<(Self, R), Box<EndedInstance>> {
        on_enough_stack(|| Self::begin_here(program, seed, log, budget, ask))
    }

    fn begin_here<R>(
        program: &Program,
        seed: u64,
        log: Log,
        budget: Budget,
        ask: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<(Self, R), Box<EndedInstance>> {
        let mut store =
            Store::new(program.engine(), State::new(program.limits().memory_bytes_max, seed, log));
        let result_bytes_max = program.result_bytes_max();
        store.data_mut().result_bytes_max = result_bytes_max;
        store.data_mut().copies_image = program.copies_image();
        store.limiter(|state| &mut state.caps);
        // It bounds what is lifted from a bot's results, as `settle` does for its calls of the arena: a giant list or string.
        store.set_hostcall_fuel(result_bytes_max);
        store.set_max_component_handles(HANDLES_MAX);
        store.call_hook(wasi::settle);
        begin_call(&mut store, budget);
        match program.instance_pre().instantiate(&mut store) {
            Ok(instance) => Self { live: LiveInstance { store, instance } }.ask(ask),
            Err(error) => {
                // The bot's first instruction takes fuel, so an error before that is not the bot's.
                let has_run = store.get_fuel().is_ok_and(|left| left < budget.fuel);
                let stage = if has_run { CallStage::Starting } else { CallStage::Allocating };
                Err(end(store, error, stage))
            }
        }
    }

    /// Asks a live instance something. An error ends its life: after a trap it may be in the middle of an operation,
    /// and after any other error the content of its memory is undefined.
    pub(crate) fn go_on<R: Send>(
        mut self,
        budget: Budget,
        ask: impl FnOnce(&mut Self) -> Result<R> + Send,
    ) -> Result<(Self, R), Box<EndedInstance>> {
        begin_call(&mut self.live.store, budget);
        on_enough_stack(|| self.ask(ask))
    }

    fn ask<R>(mut self, ask: impl FnOnce(&mut Self) -> Result<R>) -> Result<(Self, R), Box<EndedInstance>> {
        match ask(&mut self) {
            Ok(answer) => {
                let left = self.fuel_left();
                self.live.store.data_mut().clock.set_fuel_left(left);
                Ok((self, answer))
            }
            Err(error) => Err(end(self.live.store, error, CallStage::Calling)),
        }
    }

    pub(crate) fn name(&mut self, exports: &Exports) -> Result<String> {
        let name: Name = self.live.function(&exports.name)?;
        let (name,) = name.call(&mut self.live.store, ())?;
        Ok(name)
    }

    /// The fuel that the last call has left. It is exact, because the call has returned.
    pub(crate) fn fuel_left(&self) -> u64 {
        self.live.store.get_fuel().expect("the engine counts fuel")
    }

    pub(crate) fn state(&self) -> &State {
        self.live.store.data()
    }
}

/// Does work on this thread if its stack is large enough for a bot, and otherwise on another one.
fn on_enough_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Box<EndedInstance>> + Send,
) -> Result<T, Box<EndedInstance>> {
    arena_resources::on_stack("bot", STACK_BYTES, work).unwrap_or_else(|refused| {
        let error = Error::from(Stop::Host(refused.to_string()));
        Err(Box::new(EndedInstance { error, stage: CallStage::Allocating, memory_bytes: 0 }))
    })
}

fn begin_call(store: &mut Store<State>, budget: Budget) {
    store.set_fuel(budget.fuel).expect("the engine counts fuel");
    store.set_epoch_deadline(budget.epoch_ticks);
    store.data_mut().clock.begin_call(budget.fuel);
}

fn end(store: Store<State>, error: Error, stage: CallStage) -> Box<EndedInstance> {
    Box::new(EndedInstance { error, stage, memory_bytes: store.data().caps.memory_bytes })
}
