//! A component's way from bytes to code: compiled, checked against the contract, and linked.

use crate::contract::Exports;
use crate::limits::SandboxLimits;
use crate::refusal::{AdmitError, Refusal, RefusalKind};
use crate::sandbox::House;
use crate::state::State;
use crate::wasi;
use arena_referee::HostError;
use arena_rules::GameKind;
use std::io;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre};

/// A bot's code, ready to be instantiated.
pub(crate) struct Program {
    house: Arc<House>,
    instance_pre: InstancePre<State>,
    exports: Exports,
}

impl Program {
    /// Makes a program of a component that has been scanned.
    pub(crate) fn new(house: &Arc<House>, bytes: &[u8], game: GameKind) -> Result<Self, AdmitError> {
        let component = compile(&house.engine, bytes)?;
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

/// The one place where a bot's bytes become code. Everything before it only reads them.
///
/// A cache, and a compiler in a process of its own under limits of its own, both belong here: wasmtime calls a denial of
/// service at run time a vulnerability, but not one at compile time.
fn compile(engine: &Engine, bytes: &[u8]) -> Result<Component, AdmitError> {
    Component::from_binary(engine, bytes).map_err(|error| {
        let cause = error.root_cause();
        if error.is::<io::Error>() || error.is::<wasmtime::OutOfMemory>() {
            return HostError(format!("cannot compile a bot: {cause}")).into();
        }
        // It has been validated, so that what is left are the bounds of the compiler and of the pool.
        Refusal::new(
            RefusalKind::OverLimits,
            format!("it is over a limit of the sandbox: {cause}"),
            "build it as one module, with optimisation, so that what is unused is removed",
        )
        .into()
    })
}
