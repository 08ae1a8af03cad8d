//! A bot's code, linked and ready.

use crate::contract::Exports;
use crate::judge::Linked;
use crate::limits::SandboxLimits;
use crate::runtime::Runtime;
use crate::state::State;
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

    pub(crate) fn exports(&self) -> &Exports {
        &self.linked.exports
    }
}
