//! A bot's code, linked and ready.

use crate::contract::Exports;
use crate::judge::Linked;
use crate::limits::SandboxLimits;
use crate::runtime::Runtime;
use crate::state::State;
use arena_referee::HostError;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::InstancePre;

/// A bot's code, ready to be instantiated.
pub(crate) struct Program {
    runtime: Arc<Runtime>,
    linked: Linked,
}

impl Program {
    pub(crate) fn new(runtime: &Arc<Runtime>, linked: Linked) -> Self {
        Self { runtime: Arc::clone(runtime), linked }
    }

    pub(crate) fn limits(&self) -> &SandboxLimits {
        &self.runtime.limits
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.runtime.engine
    }

    pub(crate) fn instance_pre(&self) -> &InstancePre<State> {
        &self.linked.instance_pre
    }

    /// The functions of a bot for a built-in game.
    pub(crate) fn exports(&self) -> Result<&Exports, HostError> {
        let none = || HostError::Defect("a component of a loaded game was to play a built-in one".into());
        self.linked.exports.as_ref().ok_or_else(none)
    }
}
