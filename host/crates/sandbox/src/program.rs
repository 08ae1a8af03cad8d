//! A component's way from bytes to code: compiled, checked against the contract, and linked.

use crate::contract::Exports;
use crate::limits::SandboxLimits;
use crate::refusal::{AdmitError, Refusal, RefusalKind};
use crate::sandbox::House;
use crate::state::State;
use crate::wasi;
use arena_rules::GameKind;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::InstancePre;

/// A bot's code, ready to be instantiated.
pub(crate) struct Program {
    house: Arc<House>,
    instance_pre: InstancePre<State>,
    exports: Exports,
}

impl Program {
    /// Makes a program of a component that has been scanned and that has this hash.
    pub(crate) fn new(
        house: &Arc<House>,
        bytes: &[u8],
        hash: &str,
        game: GameKind,
    ) -> Result<Self, AdmitError> {
        let component = house.workshop.component(&house.engine, bytes, hash)?;
        let instance_pre = wasi::linker(&house.given, &component)
            .and_then(|linker| linker.instantiate_pre(&component))
            .map_err(|error| {
                Refusal::new(
                    RefusalKind::Import,
                    format!("it imports something of WASI that WASI does not have so: {}", causes(&error)),
                    "build it with an unchanged toolchain for WASI 0.2",
                )
            })?;
        let exports = Exports::find(&house.engine, &component, game)?;
        Ok(Self { house: Arc::clone(house), instance_pre, exports })
    }

    pub(crate) fn limits(&self) -> &SandboxLimits {
        &self.house.limits
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.house.engine
    }

    pub(crate) fn instance_pre(&self) -> &InstancePre<State> {
        &self.instance_pre
    }

    pub(crate) fn exports(&self) -> &Exports {
        &self.exports
    }
}

/// What is wrong with an import: which function it is, and why. What comes first in the error is about our linker.
fn causes(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    causes.get(1..).filter(|causes| !causes.is_empty()).unwrap_or(&causes).join(": ")
}
