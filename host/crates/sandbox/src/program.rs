//! A component's way from bytes to code: compiled, checked against the contract, and linked.

use crate::contract::{Contract, Exports};
use crate::limits::SandboxLimits;
use crate::refusal::{AdmitError, Refusal, RefusalKind};
use crate::sandbox::Runtime;
use crate::state::State;
use crate::wasi;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::InstancePre;

/// A bot's code, ready to be instantiated.
pub(crate) struct Program {
    runtime: Arc<Runtime>,
    instance_pre: InstancePre<State>,
    exports: Exports,
}

impl Program {
    /// Makes a program of a component that has been scanned and that has this hash.
    pub(crate) fn new(
        runtime: &Arc<Runtime>,
        bytes: &[u8],
        hash: &str,
        contract: &Contract,
    ) -> Result<Self, AdmitError> {
        let component = runtime.workshop.component(&runtime.engine, bytes, hash)?;
        let instance_pre = wasi::linker(&runtime.given, &component)
            .and_then(|linker| linker.instantiate_pre(&component))
            .map_err(|error| {
                Refusal::new(
                    RefusalKind::Import,
                    format!("an import does not match WASI 0.2: {}", causes(&error)),
                    "build it with a standard toolchain for WASI 0.2",
                )
            })?;
        let exports = Exports::find(&runtime.engine, &component, contract)?;
        Ok(Self { runtime: Arc::clone(runtime), instance_pre, exports })
    }

    pub(crate) fn limits(&self) -> &SandboxLimits {
        &self.runtime.limits
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.runtime.engine
    }

    pub(crate) fn instance_pre(&self) -> &InstancePre<State> {
        &self.instance_pre
    }

    pub(crate) fn exports(&self) -> &Exports {
        &self.exports
    }
}

/// The problem with an import: which function it is, and why. The first part of the error is about our linker.
fn causes(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    causes.get(1..).filter(|causes| !causes.is_empty()).unwrap_or(&causes).join(": ")
}
