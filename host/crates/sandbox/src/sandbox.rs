//! The sandbox: one engine, its watchdog, and the way in.

use crate::bot::Bot;
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
    // Only held: it ticks until it is dropped.
    _watchdog: Watchdog,
}

impl Sandbox {
    /// A sandbox with these limits. It reserves the address space for all the bots that may be live at a time, some 4
    /// GiB each; memory it takes only as they use it.
    ///
    /// Run its bots on threads with at least 2 MiB of stack, which is what the standard library gives: a bot may use 512
    /// KiB of it.
    pub fn new(limits: SandboxLimits) -> Result<Self, HostError> {
        let engine = engine::engine(&limits)?;
        let given = wasi::given(&engine)
            .map_err(|error| HostError(format!("cannot define what bots are given: {error}")))?;
        let watchdog = Watchdog::start(&engine)?;
        Ok(Self { house: Arc::new(House { limits, engine, given, _watchdog: watchdog }) })
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

    /// Admits a component as a bot: recognises it, checks its imports and exports, validates and compiles it, and asks
    /// it for its name.
    pub fn admit(&self, bytes: &[u8]) -> Result<Bot, AdmitError> {
        let outline = scan::scan(bytes, &self.house.limits)?;
        let game = contract::identify(&outline.exports)?;
        let program = Program::new(&self.house, bytes, game)?;
        Bot::introduce(program, bytes, game, outline.imports)
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
