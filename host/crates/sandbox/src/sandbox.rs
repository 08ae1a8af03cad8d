//! The sandbox: it admits bots, which run in this process or in separate ones.

use crate::bot::{self, Bot};
use crate::compile::{Artifact, CachedCompiler, CompileOptions, Slot};
use crate::digest;
use crate::engine;
use crate::judge;
use crate::limits::SandboxLimits;
use crate::loaded::Component;
use crate::meter::Meter;
use crate::process::{self, CodeFile, Process, Role};
use crate::processor;
use crate::refusal::{AdmitError, Refusal, RefusalKind};
use crate::runtime::Runtime;
use crate::scan;
use arena_platform::confine::Confinement;
use arena_platform::machine::allow_many_files;
use arena_referee::HostError;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use wasmtime::Engine;

/// A place to admit and run bots. It is cheap to clone; its threads end when it, its bots and their players are gone.
#[derive(Clone)]
pub struct Sandbox {
    shared: Arc<SandboxParts>,
    /// The processor time of the children that this handle and its clones have started.
    meter: Meter,
}

/// The parts that all clones of a sandbox share.
struct SandboxParts {
    limits: SandboxLimits,
    /// The engine that compiles in this process, if that is asked for, and whose hash all others have.
    engine: Engine,
    /// The compiler of bots, with its cache.
    cached_compiler: Arc<CachedCompiler>,
    /// The place where bots run; `None` when they run in separate processes.
    runtime: Option<Arc<Runtime>>,
}

impl Sandbox {
    /// A sandbox with these limits. It reserves address space for all bots that may be live at a time, some 4 GiB each;
    /// it takes memory only as they use it.
    ///
    /// Run its bots on threads of [`arena_resources::NewThread`] with [`STACK_BYTES`](crate::STACK_BYTES) of stack, which is address
    /// space until it is used, or in [`arena_resources::on_stack`]. A call on any other thread gets one of its own, which takes some 50 µs, and
    /// 170 µs on a slow machine.
    ///
    /// It compiles in this process without limits, and has no cache; [`with_compiling`](Self::with_compiling) is for
    /// components from strangers.
    pub fn new(limits: SandboxLimits) -> Result<Self, HostError> {
        Self::with_compiling(limits, CompileOptions::default())
    }

    /// A sandbox with these limits that compiles as configured: in this process or in a child, with or without a cache.
    ///
    /// The number of children at a time is limited by the number of workers and by the machine's memory, each counted
    /// with all the address space that it may use. A slow one is paused while others wait that have used less. A cache
    /// that cannot be used is not an error; see [`cache_trouble`](Self::cache_trouble).
    pub fn with_compiling(limits: SandboxLimits, compiling: CompileOptions) -> Result<Self, HostError> {
        let runtime = Runtime::start(engine::engine(&limits)?, limits.clone())?;
        let cached_compiler = Arc::new(CachedCompiler::open(compiling, &limits, &runtime.engine)?);
        let engine = runtime.engine.clone();
        Ok(Self {
            shared: Arc::new(SandboxParts { limits, engine, cached_compiler, runtime: Some(runtime) }),
            meter: Meter::default(),
        })
    }

    /// A sandbox with these limits that never loads a bot's code into this process: each is asked for its name in a confined
    /// process of its own, and plays in processes that [`start`](Self::start) starts. It has to compile in child processes.
    /// A bot of it has no [`player`](Bot::player) here.
    ///
    /// # Errors
    /// A failure of the host.
    pub fn with_processes(limits: SandboxLimits, compiling: CompileOptions) -> Result<Self, HostError> {
        processor::check()?;
        // Each bot takes one file, and each process three.
        allow_many_files();
        let engine = engine::compiler()?;
        let cached_compiler = Arc::new(CachedCompiler::open(compiling, &limits, &engine)?);
        cached_compiler.program()?;
        Ok(Self {
            shared: Arc::new(SandboxParts { limits, engine, cached_compiler, runtime: None }),
            meter: Meter::default(),
        })
    }

    /// The same sandbox, with a [processor time](Self::processor_time) of its own, which begins at none.
    #[must_use]
    pub fn metered(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), meter: Meter::default() }
    }

    /// The processor time of the child processes that have compiled and played for this sandbox and its clones, and have ended. Work in
    /// this process does not count, and the system may not tell the time of a child; on Linux, it does.
    pub fn processor_time(&self) -> Duration {
        self.meter.sum()
    }

    /// True if its bots play in separate processes.
    pub fn has_processes(&self) -> bool {
        self.shared.runtime.is_none()
    }

    /// Starts a process that has loaded these bots, and the game that they play if it is loaded after them, and then confined itself. All
    /// must be of a sandbox [with processes](Self::with_processes). The program's `main` must begin with
    /// [`player_main_if_asked`](crate::player_main_if_asked).
    ///
    /// # Errors
    /// A failure of the host: it does not start, or ends, or is not ready in time.
    pub fn start(&self, bots: &[&Bot], game: Option<&Component>) -> Result<Process, HostError> {
        let programs: Vec<&Bot> = bots.iter().copied().chain(game.map(|Component(game)| game)).collect();
        self.start_as(Role::Games, &programs)
    }

    /// Starts a process that has loaded these components, and then confined itself, as [`start`](Self::start) does. The program's `main`
    /// must begin with [`component_main_if_asked`](crate::component_main_if_asked).
    ///
    /// # Errors
    /// As of [`start`](Self::start).
    pub fn start_components(&self, components: &[&Component]) -> Result<Process, HostError> {
        let programs: Vec<&Bot> = components.iter().map(|Component(code)| code).collect();
        self.start_as(Role::Component, &programs)
    }

    fn start_as(&self, role: Role, programs: &[&Bot]) -> Result<Process, HostError> {
        let SandboxParts { cached_compiler, limits, .. } = &*self.shared;
        Process::start_as(role, cached_compiler, limits, programs, &self.meter)
    }

    /// The limits.
    pub fn limits(&self) -> &SandboxLimits {
        &self.shared.limits
    }

    /// The hash of everything that a bot's answers and fuel depend on besides its component: the version and the costs of the
    /// engine, in hexadecimal. Two sandboxes with the same one play the same games, also on different processors and systems.
    pub fn engine_hash(&self) -> String {
        judge::hash_of_play()
    }

    /// The reason why the cache could not be read or written so far, if any: one line, safe to print. Everything works
    /// without it.
    pub fn cache_trouble(&self) -> Option<&str> {
        self.shared.cached_compiler.cache_trouble().map(|[why, _]| why)
    }

    /// The next step for the user if there is [trouble with the cache](Self::cache_trouble).
    pub fn cache_step(&self) -> Option<&str> {
        self.shared.cached_compiler.cache_trouble().map(|[_, next]| next)
    }

    /// The reason why the compiled functions of a large component could not be kept for its next edit, if any: one line, safe to
    /// print. Everything works without them, but each edit takes as long as the first build.
    pub fn functions_trouble(&self) -> Option<&str> {
        self.shared.cached_compiler.functions_trouble()
    }

    /// The report of the first compiling child on its confinement. `None` when no child was started yet: if all
    /// components were in the cache, or if this process compiles itself.
    pub fn confinement(&self) -> Option<&Confinement> {
        self.shared.cached_compiler.confinement()
    }

    /// Starts a child that compiles nothing and returns its report on its confinement.
    ///
    /// # Errors
    /// The sandbox compiles in this process, or a child does not start or does not report.
    pub fn check_confinement(&self) -> Result<&Confinement, HostError> {
        self.shared.cached_compiler.check_confinement().map_err(|error| match error {
            AdmitError::Host(error) => error,
            other => HostError::Machine(other.to_string().into()),
        })
    }

    /// Ends all compiling in child processes at once; further admissions fail with a host error. It is for a program that is
    /// about to end. Compiling in this process continues.
    pub fn stop_compiling(&self) {
        self.shared.cached_compiler.close();
    }

    /// Admits a component as a bot: recognises it, checks its imports and exports, validates and compiles it, and asks
    /// it for its name. It waits for a slot if others are being admitted.
    ///
    /// # Errors
    /// The refusal of the component, or a failure of the host.
    pub fn admit(&self, bytes: &[u8]) -> Result<Bot, AdmitError> {
        let slot = self.shared.cached_compiler.enter(bytes.len(), &self.meter)?;
        self.admit_with(bytes, slot)
    }

    /// Admits a component as a game, or as a bot for one: as [`admit`](Self::admit) does, but no code of it is run.
    ///
    /// # Errors
    /// The refusal of the component, or a failure of the host.
    pub fn admit_component(&self, bytes: &[u8]) -> Result<Component, AdmitError> {
        let mut slot = self.shared.cached_compiler.enter(bytes.len(), &self.meter)?;
        self.judge(bytes, &mut slot).and_then(component)
    }

    /// Reads a file and admits it as [`admit_component`](Self::admit_component) does.
    ///
    /// # Errors
    /// As of [`admit_component`](Self::admit_component), and a file that cannot be read.
    pub fn admit_component_file(&self, path: impl AsRef<Path>) -> Result<Component, AdmitError> {
        let (bytes, mut slot) = self.read(path.as_ref())?;
        self.judge(&bytes, &mut slot).and_then(component)
    }

    fn admit_with(&self, bytes: &[u8], mut slot: Slot<'_>) -> Result<Bot, AdmitError> {
        let judged = self.judge(bytes, &mut slot)?;
        self.introduce(judged, &mut slot)
    }

    /// Judges a component and loads it, or keeps its code for processes. The result has no name yet.
    fn judge(&self, bytes: &[u8], slot: &mut Slot<'_>) -> Result<Bot, AdmitError> {
        let SandboxParts { limits, engine, cached_compiler, runtime } = &*self.shared;
        scan::recognise(bytes, limits)?;
        let hash = digest::sha256(bytes);
        match runtime {
            Some(runtime) => {
                let load = |artifact: &Artifact| runtime.load(artifact);
                let (component, artifact, time) = cached_compiler.admit(engine, bytes, &hash, slot, load)?;
                let program = runtime.link(&component, artifact.facts())?;
                let bot = Bot::here(program, hash, bytes.len(), artifact.facts().clone());
                Ok(bot.with_compile_time(time))
            }
            None => {
                let ((), artifact, time) = cached_compiler.admit(engine, bytes, &hash, slot, |_| Ok(()))?;
                let code = CodeFile::new(&artifact)?;
                let facts = artifact.facts().clone();
                let bot = Bot::elsewhere(limits.clone(), code, hash, bytes.len(), facts);
                Ok(bot.with_compile_time(time))
            }
        }
    }

    /// Asks a bot for its name. A game is refused.
    fn introduce(&self, judged: Bot, slot: &mut Slot<'_>) -> Result<Bot, AdmitError> {
        let SandboxParts { limits, cached_compiler, .. } = &*self.shared;
        judged.require_bot()?;
        let name = match judged.code_file() {
            None => bot::ask_name(judged.program()?)?,
            Some(code) => {
                let hash = judged.hash();
                process::ask_name(cached_compiler, limits, hash, code, judged.size_bytes(), slot)?
            }
        };
        Ok(judged.with_name(&name))
    }

    /// Reads a file and admits it, as [`admit`](Self::admit) does. A file is read up to the cap, and only if it is a regular
    /// file.
    ///
    /// # Errors
    /// As of [`admit`](Self::admit), and a file that cannot be read.
    pub fn admit_file(&self, path: impl AsRef<Path>) -> Result<Bot, AdmitError> {
        let (bytes, slot) = self.read(path.as_ref())?;
        self.admit_with(&bytes, slot)
    }

    /// Reads a file, and waits for a slot to admit it.
    fn read(&self, path: &Path) -> Result<(Vec<u8>, Slot<'_>), AdmitError> {
        let SandboxParts { limits, cached_compiler, .. } = &*self.shared;
        let file = arena_files::open(path).map_err(io::Error::from)?;
        let size_bytes = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        if size_bytes > limits.component_bytes_max {
            return Err(scan::too_large(limits).into());
        }
        let slot = cached_compiler.enter(size_bytes, &self.meter)?;
        // It may have grown in the meantime.
        let bound = (limits.component_bytes_max as u64).saturating_add(1);
        let mut bytes = Vec::with_capacity(size_bytes);
        file.take(bound).read_to_end(&mut bytes)?;
        Ok((bytes, slot))
    }
}

/// A game or a bot for one.
fn component(judged: Bot) -> Result<Component, AdmitError> {
    judged.component().ok_or_else(|| {
        Refusal::new(
            RefusalKind::NotABot,
            format!("is a bot for {}, not a game", judged.kind()),
            "name a component that exports `arena:game/rules@0.1.0`, or a bot for one",
        )
        .into()
    })
}
