//! A bot's code, linked and ready.

use crate::contract::Exports;
use crate::judge::Linked;
use crate::limits::SandboxLimits;
use crate::runtime::Runtime;
use crate::state::State;
use crate::values::VALUE_BYTES_MAX;
use crate::wasi::HOST_CALL_BYTES_MAX;
use arena_referee::HostError;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::InstancePre;

/// A bot's code, ready to be instantiated.
pub(crate) struct Program {
    runtime: Arc<Runtime>,
    linked: Linked,
    copies_image: bool,
}

impl Program {
    pub(crate) fn new(runtime: &Arc<Runtime>, linked: Linked, copies_image: bool) -> Self {
        Self { runtime: Arc::clone(runtime), linked, copies_image }
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

    /// True if the image of its memory is copied here, and not mapped.
    pub(crate) fn copies_image(&self) -> bool {
        self.copies_image
    }

    /// The number of bytes that the result of one call may take.
    pub(crate) fn result_bytes_max(&self) -> usize {
        let is_of_loaded = self.linked.exports.as_ref().is_none_or(Exports::is_of_loaded);
        if is_of_loaded { VALUE_BYTES_MAX } else { HOST_CALL_BYTES_MAX }
    }

    /// The functions of a bot.
    pub(crate) fn exports(&self) -> Result<&Exports, HostError> {
        let none = || HostError::Defect("a game was asked to play as a bot".into());
        self.linked.exports.as_ref().ok_or_else(none)
    }
}
