//! Instances, and calls of their functions.

use crate::fault;
use crate::instance::{BotInstance, Budget};
use crate::live::LiveInstance;
use crate::log::Log;
use crate::program::Program;
use crate::side_clock::TimeLimit;
use crate::values::{Function, Value};
use crate::watchdog;
use arena_referee::{HostError, NoReply, Reply};
use std::sync::Arc;
use wasmtime::component::Val;

/// An instance of a game, or of a bot for one. It ends with the first call that fails.
pub struct Instance {
    program: Arc<Program>,
    seed: u64,
    log: Log,
    life: Life,
    memory_bytes: usize,
}

/// The life of an instance.
enum Life {
    Future,
    Present(BotInstance),
    Past,
}

impl Instance {
    pub(super) fn new(program: &Arc<Program>, seed: u64) -> Self {
        let log = Log::new(program.limits().log_bytes_max);
        Self { program: Arc::clone(program), seed, log, life: Life::Future, memory_bytes: 0 }
    }

    /// Calls a function of the component of this instance for this much fuel.
    ///
    /// # Errors
    /// The fault of the component, or a failure of the arena. The instance has ended.
    pub fn call(
        &mut self,
        function: &Function,
        args: Vec<Value>,
        fuel: u64,
    ) -> Result<Reply<Option<Value>>, NoReply> {
        let args: Vec<Val> = args.into_iter().map(|value| value.0).collect();
        let mut answer = None;
        let fuel_used = self.ask(fuel, |live| {
            let mut results = vec![Val::Bool(false); usize::from(function.result.is_some())];
            let found = live.instance.get_func(&mut live.store, function.index);
            let function = found.ok_or_else(|| wasmtime::format_err!("there is no such function"))?;
            let called = function.call(&mut live.store, &args, &mut results);
            let Some(result) = results.pop() else { return called };
            answer = Some(Value::of_call(called, result)?);
            Ok(())
        })?;
        Ok(Reply { answer, fuel_used })
    }

    /// Drops a handle of a resource that this instance has made; does nothing with any other value.
    ///
    /// # Errors
    /// As of [`call`](Self::call).
    pub fn drop_handle(&mut self, value: Value, fuel: u64) -> Result<(), NoReply> {
        let Value(Val::Resource(handle)) = value else { return Ok(()) };
        self.ask(fuel, |live| handle.resource_drop(&mut live.store)).map(drop)
    }

    /// Asks the instance for something, making it first if there is none. Returns the fuel that was used.
    fn ask(
        &mut self,
        fuel: u64,
        ask: impl FnOnce(&mut LiveInstance) -> wasmtime::Result<()> + Send,
    ) -> Result<u64, NoReply> {
        let ask = |instance: &mut BotInstance| ask(&mut instance.live);
        let wall_clock = self.program.limits().admission_wall_clock;
        let budget = Budget { fuel, epoch_ticks: watchdog::ticks_of(wall_clock) };
        let asked = match std::mem::replace(&mut self.life, Life::Past) {
            Life::Past => {
                return Err(HostError::Defect("an instance that has ended was called".into()).into());
            }
            Life::Present(instance) => instance.go_on(budget, ask),
            Life::Future => BotInstance::begin(&self.program, self.seed, self.log.clone(), budget, ask),
        };
        match asked {
            Ok((instance, ())) => {
                let fuel_used = fuel - instance.fuel_left();
                self.memory_bytes = instance.state().caps.memory_bytes;
                self.life = Life::Present(instance);
                Ok(fuel_used)
            }
            Err(ended) => {
                self.memory_bytes = ended.memory_bytes;
                Err(fault::classify(&ended.error, ended.stage, &self.log, TimeLimit::Turn))
            }
        }
    }

    /// The size of its memories after the last call, in bytes. They never shrink.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// The text that it has written to standard output and error, as of a player.
    pub fn log(&self) -> String {
        self.log.text()
    }
}
