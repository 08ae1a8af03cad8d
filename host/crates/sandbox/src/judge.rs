//! The verdict on a component, from its bytes to code that is known to load and link.
//!
//! All of it happens in one place, where only time and memory can be lost: in the child process that compiles, if the
//! sandbox has one. What the parent gets is small: a refusal, or facts and code.

use crate::WASMTIME_VERSION;
use crate::contract::{self, Contract, Exports};
use crate::cost;
use crate::engine;
use crate::fault;
use crate::refusal::{Refusal, RefusalKind};
use crate::scan::{self, Shape};
use crate::state::State;
use crate::{imports, wasi};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

/// The revision of the verdicts. It is raised with a change that admits or refuses other components than before, or that adds other
/// operators to them.
const REVISION: u32 = 6;

/// The number of characters of [`hash()`]. Chosen: it distinguishes judges; it is not a defence.
pub(crate) const HASH_CHARS: usize = 16;

/// The longest facts, in bytes. Chosen: thirty imports, as Python has them, take a tenth of it.
pub(crate) const FACTS_BYTES_MAX: usize = 16 << 10;

/// The hash over everything that decides a verdict on a component, except the allowance, in hexadecimal.
pub(crate) fn hash(engine: &Engine) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut hash = format!("{:x}", Sha256::digest(format!("{} {version} {REVISION}", engine::hash(engine))));
    hash.truncate(HASH_CHARS);
    hash
}

/// The hash over everything that decides what a bot does and what fuel it takes, in hexadecimal. It is the same for every processor and
/// system.
pub(crate) fn hash_of_play() -> String {
    let what = (WASMTIME_VERSION, scan::FEATURES.bits(), cost::table(), REVISION, scan::ALL_UNITS_MAX);
    let mut hash = format!("{:x}", Sha256::digest(format!("{what:?}")));
    hash.truncate(HASH_CHARS);
    hash
}

/// The facts about an admitted component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The contract that it was built against.
    pub(crate) contract: &'static Contract,
    /// Its imports, sorted: interfaces of WASI 0.2 with their versions.
    pub(crate) imports: Vec<String>,
    pub(crate) shape: Shape,
    /// True if its memory has [an image](scan::Additions::has_image).
    pub(crate) has_image: bool,
}

/// Facts, as processes pass them on and the cache keeps them: JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    contract: String,
    imports: Vec<String>,
    shape: Shape,
    has_image: bool,
}

impl Facts {
    /// The facts as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Self { contract, imports, shape, has_image } = self.clone();
        serde_json::to_vec(&Written { contract: contract.to_string(), imports, shape, has_image })
            .expect("facts are plain data")
    }

    /// Reads facts from bytes. They must name an existing contract and existing imports.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Written { contract, imports, shape, has_image } = serde_json::from_slice(bytes).ok()?;
        let contract = Contract::of(&contract)?;
        let is_known = imports::check(&imports, contract.is_of_loaded()).is_ok();
        (is_known && imports.is_sorted()).then_some(Self { contract, imports, shape, has_image })
    }
}

/// The reasons why there is no code.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unjudged {
    /// The component is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The machine has failed, or has no memory left.
    #[error("{0}")]
    Machine(String),
}

impl Unjudged {
    /// The meaning of an error of wasmtime's for a component that is valid.
    pub(crate) fn of_wasmtime(error: &wasmtime::Error) -> Self {
        let cause = error.root_cause().to_string();
        if fault::is_of_the_machine(error) { Self::Machine(cause) } else { rejected(&cause).into() }
    }
}

/// Reads the facts of a component, refuses it by them, and compiles it.
pub(crate) fn compile(engine: &Engine, bytes: &[u8]) -> Result<(Facts, Vec<u8>), Unjudged> {
    let scan::Outline { mut imports, exports, shape, resources } = scan::scan(bytes)?;
    let contract = contract::identify(&exports);
    let of_loaded = contract.as_ref().ok().filter(|contract| contract.is_of_loaded());
    check_resources(resources, of_loaded.map_or(0, |contract| contract.resources_max()))?;
    imports::check(&imports, of_loaded.is_some())?;
    let additions = scan::validate(bytes)?;
    let contract = contract?;
    imports.sort();
    let written = scan::with_additions(bytes, &additions)?;
    let code = engine.precompile_component(&written).map_err(|error| Unjudged::of_wasmtime(&error))?;
    Ok((Facts { contract, imports, shape, has_image: additions.has_image() }, code))
}

/// Refuses resources that the component defines. Fuel does not cover their cost to the host, some 35 ns for each one that is made, and
/// no bot needs one.
fn check_resources(found: u64, max: u64) -> Result<(), Refusal> {
    if found <= max {
        return Ok(());
    }
    let what = match max {
        0 => "defines a resource of its own, which bots do not have",
        _ => "defines more resources than the state of the game",
    };
    let next_step = match max {
        0 => "build against the contract's world only, which has no resources",
        _ => "export `arena:game/rules` and `moves` only, and no other interface with a resource",
    };
    Err(Refusal::new(RefusalKind::Feature, what, next_step))
}

/// A component linked with the interfaces for bots.
pub(crate) struct Linked {
    pub(crate) instance_pre: InstancePre<State>,
    /// The functions of a bot, whose types are the contract's.
    pub(crate) exports: Option<Exports>,
}

impl Linked {
    /// Links a component, and checks the types of its imports and exports.
    pub(crate) fn new(
        given: &Linker<State>,
        component: &Component,
        contract: &Contract,
    ) -> Result<Self, Refusal> {
        let instance_pre = wasi::linker(given, component)
            .and_then(|linker| linker.instantiate_pre(component))
            .map_err(|error| {
                Refusal::new(
                    RefusalKind::Import,
                    format!("an import does not match WASI 0.2: {}", causes(&error)),
                    "build it with a standard toolchain for WASI 0.2",
                )
            })?;
        let exports = Exports::find(given.engine(), component, contract)?;
        Ok(Self { instance_pre, exports })
    }
}

/// The problem with an import: which function it is, and why. The first part of the error, about the linker, is left
/// out.
fn causes(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    causes.get(1..).filter(|causes| !causes.is_empty()).unwrap_or(&causes).join(": ")
}

/// The refusal of a component that the compiler rejects. It has been validated, so the possible reasons are the limits of
/// the compiler and of the pool, and the few parts of the component model that wasmtime does not have.
fn rejected(why: &str) -> Refusal {
    if why.contains("not implemented") {
        return Refusal::new(
            RefusalKind::Feature,
            format!("uses a part of the component model that the sandbox does not support: {why}"),
            "build with your toolchain's default features, and export only the contract's interface",
        );
    }
    Refusal::new(
        RefusalKind::OverLimits,
        format!("is over a limit of the sandbox: {why}"),
        "build one module, with optimisation so that unused code is removed",
    )
}
