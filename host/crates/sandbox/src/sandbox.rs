//! The sandbox: one engine, its watchdog, and the way in.

use crate::bot::{self, Bot};
use crate::compile::{CompileOptions, Confinement, Pass, Workshop};
use crate::engine;
use crate::judge::Linked;
use crate::limits::SandboxLimits;
use crate::program::Program;
use crate::refusal::AdmitError;
use crate::scan;
use crate::state::State;
use crate::wasi;
use crate::watchdog::Watchdog;
use arena_referee::HostError;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use wasmtime::Engine;
use wasmtime::component::Linker;

/// A place to admit and run bots. It is cheap to clone; its threads end when it, its bots and their players are gone.
#[derive(Clone)]
pub struct Sandbox {
    runtime: Arc<Runtime>,
}

/// The parts that all bots of a sandbox share.
pub(crate) struct Runtime {
    pub(crate) limits: SandboxLimits,
    pub(crate) engine: Engine,
    /// The functions that every bot is given.
    pub(crate) given: Linker<State>,
    /// The workshop that compiles them.
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
    /// Children run as many at a time as there are workers and as the machine has memory for, each counted with all the
    /// address space that it may use. One that takes long is stopped while others wait who have used less. A
    /// cache that cannot be used is not an error; see [`cache_trouble`](Self::cache_trouble).
    pub fn with_compiling(limits: SandboxLimits, compiling: CompileOptions) -> Result<Self, HostError> {
        let engine = engine::engine(&limits)?;
        let given = wasi::given(&engine)
            .map_err(|error| HostError(format!("cannot define what bots are given: {error}")))?;
        let watchdog = Watchdog::start(&engine)?;
        let workshop = Workshop::open(compiling, &limits, &engine)?;
        Ok(Self { runtime: Arc::new(Runtime { limits, engine, given, workshop, _watchdog: watchdog }) })
    }

    /// The limits.
    pub fn limits(&self) -> &SandboxLimits {
        &self.runtime.limits
    }

    /// The hash of everything that compiled code and fuel depend on beside a component: the engine's settings, its version
    /// and its target, in hexadecimal. Two sandboxes with the same one play the same games.
    pub fn engine_hash(&self) -> String {
        engine::hash(&self.runtime.engine)
    }

    /// The reason why the cache could not be read or written so far, if any: one line, safe to print. Everything works
    /// without it.
    pub fn cache_trouble(&self) -> Option<&str> {
        self.runtime.workshop.cache_trouble()
    }

    /// The report of the first compiling child on its confinement: `None` if no child was started yet, which is so if all
    /// components were in the cache, and if this process compiles itself.
    pub fn confinement(&self) -> Option<&Confinement> {
        self.runtime.workshop.confinement()
    }

    /// Starts a child that compiles nothing and returns its report on its confinement.
    ///
    /// # Errors
    /// The sandbox compiles in this process, or a child does not start or does not report.
    pub fn check_confinement(&self) -> Result<&Confinement, HostError> {
        self.runtime.workshop.check_confinement().map_err(|error| match error {
            AdmitError::Host(error) => error,
            other => HostError(other.to_string()),
        })
    }

    /// Ends all compiling in child processes at once, and admits nothing more: admissions fail as failures of the host. It is
    /// for a program that is about to end. Compiling in this process goes on.
    pub fn stop_compiling(&self) {
        self.runtime.workshop.shut();
    }

    /// Admits a component as a bot: recognises it, checks its imports and exports, validates and compiles it, and asks
    /// it for its name. It waits for a place if others are being admitted.
    ///
    /// # Errors
    /// The refusal of the component, or a failure of the host.
    pub fn admit(&self, bytes: &[u8]) -> Result<Bot, AdmitError> {
        let pass = self.runtime.workshop.enter(bytes.len())?;
        self.admit_with(bytes, pass)
    }

    fn admit_with(&self, bytes: &[u8], mut pass: Pass<'_>) -> Result<Bot, AdmitError> {
        let Runtime { limits, engine, given, workshop, .. } = &*self.runtime;
        scan::recognise(bytes, limits)?;
        let hash = bot::hash(bytes);
        let (facts, component) = workshop.admit(engine, bytes, &hash, &mut pass)?;
        let linked = Linked::new(given, &component, facts.contract)?;
        Bot::introduce(Program::new(&self.runtime, linked), hash, bytes.len(), facts)
    }

    /// Reads a file and admits it, as [`admit`](Self::admit) does. Of a file over the cap no more than the cap is read, and of
    /// what is not a regular file, nothing.
    ///
    /// # Errors
    /// As of [`admit`](Self::admit), and a file that cannot be read.
    pub fn admit_file(&self, path: impl AsRef<Path>) -> Result<Bot, AdmitError> {
        let Runtime { limits, workshop, .. } = &*self.runtime;
        let file = arena_files::open(path.as_ref()).map_err(io::Error::from)?;
        let size_bytes = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        if size_bytes > limits.component_bytes_max {
            return Err(scan::too_large(limits).into());
        }
        let pass = workshop.enter(size_bytes)?;
        // It may have grown in the meantime.
        let bound = (limits.component_bytes_max as u64).saturating_add(1);
        let mut bytes = Vec::with_capacity(size_bytes);
        file.take(bound).read_to_end(&mut bytes)?;
        self.admit_with(&bytes, pass)
    }
}
