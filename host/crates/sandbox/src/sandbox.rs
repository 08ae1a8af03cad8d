//! The sandbox: one engine, its watchdog, and the way in.

use crate::bot::{self, Bot};
use crate::compile::{CompileOptions, Workshop};
use crate::contract;
use crate::engine;
use crate::limits::SandboxLimits;
use crate::program::Program;
use crate::refusal::AdmitError;
use crate::scan;
use crate::state::State;
use crate::wasi;
use crate::watchdog::Watchdog;
use arena_referee::HostError;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::Linker;

/// Where bots are admitted and run. Cheap to clone; its threads end when it, its bots and their players are gone.
#[derive(Clone)]
pub struct Sandbox {
    house: Arc<House>,
}

/// What all bots of a sandbox share.
pub(crate) struct House {
    pub(crate) limits: SandboxLimits,
    pub(crate) engine: Engine,
    /// What every bot is given.
    pub(crate) given: Linker<State>,
    /// Where their code is made.
    pub(crate) workshop: Workshop,
    // Only held: it ticks until it is dropped.
    _watchdog: Watchdog,
}

impl Sandbox {
    /// A sandbox with these limits. It reserves the address space for all the bots that may be live at a time, some 4
    /// GiB each; memory it takes only as they use it.
    ///
    /// Run its bots on threads with at least 2 MiB of stack, which is what the standard library gives: a bot may use 512
    /// KiB of it.
    ///
    /// It compiles in this process and without limits, and keeps nothing; [`with_compiling`](Self::with_compiling) is for
    /// components from strangers.
    pub fn new(limits: SandboxLimits) -> Result<Self, HostError> {
        Self::with_compiling(limits, CompileOptions::default())
    }

    /// A sandbox with these limits that compiles as it is told: in this process or in a child, with or without a cache.
    ///
    /// Children are as many at a time as there are workers and as the machine has memory for, each counted with all the
    /// address space that it may use. A cache that cannot be used is no error; see
    /// [`cache_trouble`](Self::cache_trouble).
    pub fn with_compiling(limits: SandboxLimits, compiling: CompileOptions) -> Result<Self, HostError> {
        let engine = engine::engine(&limits)?;
        let given = wasi::given(&engine)
            .map_err(|error| HostError(format!("cannot define what bots are given: {error}")))?;
        let watchdog = Watchdog::start(&engine)?;
        let workshop = Workshop::open(compiling, &limits, &engine)?;
        Ok(Self { house: Arc::new(House { limits, engine, given, workshop, _watchdog: watchdog }) })
    }

    /// What it allows.
    pub fn limits(&self) -> &SandboxLimits {
        &self.house.limits
    }

    /// What compiled code and fuel depend on beside a component: a hash of the engine's settings, its version and its
    /// target, in hexadecimal. Two sandboxes with the same one play the same games.
    pub fn engine_hash(&self) -> String {
        engine::hash(&self.house.engine)
    }

    /// Why the cache could not be used so far, or could not be written to: one line, safe to print. All goes on without it.
    pub fn cache_trouble(&self) -> Option<&str> {
        self.house.workshop.cache_trouble()
    }

    /// Ends all compiling in child processes at once, and begins none any more: admissions that need it fail as failures
    /// of the host. For a program that is about to end. Compiling in this process goes on.
    pub fn stop_compiling(&self) {
        self.house.workshop.shut();
    }

    /// Admits a component as a bot: recognises it, checks its imports and exports, validates and compiles it, and asks
    /// it for its name.
    pub fn admit(&self, bytes: &[u8]) -> Result<Bot, AdmitError> {
        let outline = scan::scan(bytes, &self.house.limits)?;
        let game = contract::identify(&outline.exports)?;
        let hash = bot::hash(bytes);
        let program = Program::new(&self.house, bytes, &hash, game)?;
        Bot::introduce(program, hash, bytes.len(), game, outline)
    }

    /// Reads a file and admits it. Of a file over the cap no more than the cap is read.
    pub fn admit_file(&self, path: impl AsRef<Path>) -> Result<Bot, AdmitError> {
        let bytes_max = self.house.limits.component_bytes_max;
        let mut bytes = Vec::new();
        let bound = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
        File::open(path)?.take(bound).read_to_end(&mut bytes)?;
        if bytes.len() > bytes_max {
            return Err(scan::too_large(&self.house.limits).into());
        }
        self.admit(&bytes)
    }
}
