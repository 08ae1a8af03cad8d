//! Compiling: the one way from a component's bytes to code.
//!
//! Wasmtime calls a denial of service at run time a vulnerability, but not one at compile time: a component can be made
//! that takes minutes and gigabytes to compile, or that overflows the compiler's stack. So strangers' components are
//! compiled in a child process, which limits itself before it reads the first byte. The code is kept in a cache. What
//! comes through the pipe and what lies in the cache is the same [sealed](seal) artifact.
//!
//! ```text
//! component ── pipe ──> child: limits, engine, compiler ── pipe, sealed ──> Artifact ──> Component
//!                                                                             │ ▲
//!                                                                        cache: file, sealed
//! ```
//!
//! Measured: a complete `arena check` of a house bot of 75 kB takes 157 ms, as it did when the arena compiled in its own
//! process, and 3 ms with the cache. For a Python bot of 18 MB or a JavaScript bot of 12 MB it takes 10 to 13 s of one
//! core, and 0.2 s with the cache. While a child compiles one of those two it holds 380 MB, and the arena no more than for
//! any other bot; loading the code takes 110 MB of the arena's memory for a moment.

mod artifact;
mod cache;
mod child;
mod confine;
mod ending;
mod gate;
mod parent;
mod seal;

pub use cache::CacheOptions;
pub use child::compiler_main_if_asked;

use crate::engine;
use crate::fault;
use crate::limits::SandboxLimits;
use crate::refusal::AdmitError;
use arena_referee::HostError;
use artifact::Artifact;
use cache::Cache;
use ending::Ending;
use gate::Gate;
use parent::Task;
use seal::Key;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use wasmtime::Engine;
use wasmtime::component::Component;

/// The longest path in a message, in characters. Chosen: a line and a half of 80.
const PATH_CHARS_MAX: usize = 120;

/// The process in which components are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// This process, without any limits: for components that nobody has made to be hard to compile, as in tests and
    /// benchmarks. The default, since a library cannot know which program it is a part of.
    #[default]
    InProcess,
    /// A child process for each component, within [`CompileLimits`](crate::CompileLimits).
    Child {
        /// The absolute path of the program. Its `main` begins with [`compiler_main_if_asked`], or it replaces itself by
        /// such a program and passes on all arguments. A program can name itself with
        /// [`current_exe`](std::env::current_exe).
        program: PathBuf,
        /// Arguments that come before the sandbox's own.
        args: Vec<OsString>,
    },
}

impl Compiler {
    /// This very program, in a child process. Its `main` must begin with [`compiler_main_if_asked`].
    ///
    /// # Errors
    /// If the system does not say which file the program is.
    pub fn this_program() -> Result<Self, HostError> {
        let program = std::env::current_exe()
            .map_err(|error| HostError(format!("cannot find the file of this program: {error}")))?;
        Ok(Self::Child { program, args: Vec::new() })
    }
}

/// The way in which a sandbox compiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileOptions {
    /// The process that compiles. By default this one.
    pub compiler: Compiler,
    /// The place where code is kept for the next run. By default none.
    pub cache: Option<CacheOptions>,
}

/// A sandbox's compiler and its cache.
pub(crate) struct Workshop {
    compiler: Compiler,
    cache: Option<Cache>,
    cache_dir: String,
    /// The first reason why the cache cannot be used, or not fully.
    cache_trouble: OnceLock<String>,
    gate: Gate,
    engine_hash: String,
    limits: SandboxLimits,
}

impl Workshop {
    /// The workshop of a sandbox with this engine.
    pub(crate) fn open(
        options: CompileOptions,
        limits: &SandboxLimits,
        engine: &Engine,
    ) -> Result<Self, HostError> {
        let gate = Gate::new(limits.workers, limits.compile.address_space_bytes_max)
            .map_err(|error| HostError(format!("cannot prepare for compiling: {error}")))?;
        let mut workshop = Self {
            compiler: options.compiler,
            cache: None,
            cache_dir: String::new(),
            cache_trouble: OnceLock::new(),
            gate,
            engine_hash: engine::hash(engine),
            limits: limits.clone(),
        };
        if let Some(options) = options.cache {
            workshop.cache_dir = arena_text::line(&options.dir.to_string_lossy(), PATH_CHARS_MAX);
            match Cache::open(&options) {
                Ok(cache) => workshop.cache = Some(cache),
                Err(why) => workshop.note(&why),
            }
        }
        Ok(workshop)
    }

    /// The first reason why the cache cannot be used, if there is one.
    pub(crate) fn cache_trouble(&self) -> Option<&str> {
        self.cache_trouble.get().map(String::as_str)
    }

    /// Ends the children and starts no others.
    pub(crate) fn shut(&self) {
        self.gate.shut();
    }

    /// The code of a component that has been scanned and that has this hash.
    pub(crate) fn component(
        &self,
        engine: &Engine,
        component: &[u8],
        hash: &str,
    ) -> Result<Component, AdmitError> {
        let key = Key::new(hash, &self.engine_hash);
        if let Some(component) = self.kept(engine, &key) {
            return Ok(component);
        }
        let artifact = self.compile(engine, component, &key)?;
        let loaded = artifact.load(engine).map_err(|error| of_wasmtime(&error))?;
        self.keep(&key, &artifact);
        Ok(loaded)
    }

    /// The code in the cache.
    fn kept(&self, engine: &Engine, key: &Key) -> Option<Component> {
        let cache = self.cache.as_ref()?;
        let artifact = cache.load(key, self.limits.compile.artifact_bytes_max)?;
        // If the code cannot be loaded, compiling it again shows why.
        artifact.load(engine).inspect_err(|_| cache.forget(key)).ok()
    }

    fn keep(&self, key: &Key, artifact: &Artifact) {
        let Some(cache) = &self.cache else { return };
        // After one failure, such as a full disk, the next run tries again.
        if self.cache_trouble().is_none()
            && let Err(error) = cache.store(key, artifact)
        {
            self.note(&format!("it cannot be written to: {error}"));
        }
    }

    fn note(&self, why: &str) {
        // Only the first trouble is reported.
        let _ = self.cache_trouble.set(format!(
            "compiled bots are not kept in {}: {why}; this costs time but changes no result",
            self.cache_dir
        ));
    }

    fn compile(&self, engine: &Engine, component: &[u8], key: &Key) -> Result<Artifact, AdmitError> {
        let Compiler::Child { program, args } = &self.compiler else {
            let code = engine.precompile_component(component).map_err(|error| of_wasmtime(&error))?;
            return Ok(Artifact::seal(key, code));
        };
        let limits = &self.limits.compile;
        let Some(_pass) = self.gate.enter() else { return Ending::Abandoned.verdict(limits) };
        let (engine_hash, bell) = (&self.engine_hash, self.gate.bell());
        let task = Task { program, args, limits, engine_hash, key, component, bell };
        let mut ending = task.run();
        if ending.may_pass() {
            ending = task.run();
        }
        ending.verdict(limits)
    }
}

/// The meaning of an error of wasmtime's: the component is refused, or the machine has failed.
fn of_wasmtime(error: &wasmtime::Error) -> AdmitError {
    let cause = error.root_cause().to_string();
    if fault::is_of_the_machine(error) {
        return HostError(format!("cannot compile a bot: {cause}")).into();
    }
    ending::rejected(&cause).into()
}
