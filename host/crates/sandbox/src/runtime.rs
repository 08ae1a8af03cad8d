//! The place where bots run: one engine, its watchdog, and the interfaces for bots.

use crate::compile::Artifact;
use crate::judge::{Facts, Linked, Unjudged};
use crate::limits::SandboxLimits;
use crate::program::Program;
use crate::refusal::{AdmitError, Refusal};
use crate::state::State;
use crate::wasi;
use crate::watchdog::Watchdog;
use arena_platform::memory::IS_FIRST_MEMORY_MAPPED;
use arena_referee::HostError;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::{Component, Linker};

/// The parts that all bots in a process share.
pub(crate) struct Runtime {
    pub(crate) limits: SandboxLimits,
    pub(crate) engine: Engine,
    /// The functions that every bot is given.
    given: Linker<State>,
    // Only held: it ticks until it is dropped.
    _watchdog: Watchdog,
}

impl Runtime {
    /// Starts the watchdog of an engine.
    pub(crate) fn start(engine: Engine, limits: SandboxLimits) -> Result<Arc<Self>, HostError> {
        let given = wasi::given(&engine)
            .map_err(|error| HostError::machine("cannot define what bots are given", error))?;
        let watchdog = Watchdog::start(&engine)?;
        Ok(Arc::new(Self { limits, engine, given, _watchdog: watchdog }))
    }

    /// Loads the code of an admitted component, unless the limits of the pool refuse it.
    pub(crate) fn load(&self, artifact: &Artifact) -> Result<Component, AdmitError> {
        self.load_with(|engine| artifact.load(engine))
    }

    /// The same in another way.
    pub(crate) fn load_with(
        &self,
        load: impl FnOnce(&Engine) -> wasmtime::Result<Component>,
    ) -> Result<Component, AdmitError> {
        load(&self.engine).map_err(|error| match Unjudged::of_wasmtime(&error) {
            Unjudged::Refused(refusal) => refusal.into(),
            Unjudged::Machine(what) => HostError::machine("cannot load a bot", what).into(),
        })
    }

    /// Links loaded code, which makes it a program.
    pub(crate) fn link(self: &Arc<Self>, component: &Component, facts: &Facts) -> Result<Program, Refusal> {
        let copies_image = facts.has_image && !IS_FIRST_MEMORY_MAPPED;
        Ok(Program::new(self, Linked::new(&self.given, component, facts.contract)?, copies_image))
    }
}
