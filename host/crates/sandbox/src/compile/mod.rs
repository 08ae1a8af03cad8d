//! Compiling: the one way from a component's bytes to code.
//!
//! Wasmtime calls a denial of service at run time a vulnerability, but not one at compile time: a component can be made
//! that takes minutes and gigabytes, or that overflows the compiler's stack. So strangers' components are compiled in a
//! child process, which limits itself before it reads the first byte; what it gives is kept in a cache.
//!
//! ```text
//! component ── pipe ──> child: limits, engine, compiler ── pipe, with a digest ──> Artifact ──> Component
//!                                                                                    │ ▲
//!                                                                          cache: file, with a digest
//! ```
//!
//! Measured: a whole `arena check` of a house bot of 75 kB takes 157 ms, as it did when the arena compiled in its own
//! process, and 3 ms with the cache; of a Python bot of 18 MB or a JavaScript bot of 12 MB it takes 10 to 13 s of one core,
//! and 0.2 s with the cache. While a child compiles one of those two it holds 380 MB, and the arena no more than for any
//! other bot; loading the code takes 110 MB of the arena's for a moment.

mod answer;
mod artifact;
mod cache;
mod child;
mod confine;
mod ending;
mod entry;
mod gate;
mod parent;

pub use cache::CacheOptions;
pub use child::compiler_main_if_asked;

use crate::engine;
use crate::fault;
use crate::limits::SandboxLimits;
use crate::refusal::AdmitError;
use crate::sanitize;
use arena_referee::HostError;
use artifact::Artifact;
use cache::Cache;
use ending::Ending;
use entry::Key;
use gate::Gate;
use parent::Task;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use wasmtime::Engine;
use wasmtime::component::Component;

/// The longest part of a path that is told, in characters. Chosen: a line and a half of 80.
const PATH_CHARS_MAX: usize = 120;

/// Where components are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// In this process, without any limits: for components that nobody has made to be hard to compile, as in tests and
    /// benches. The default, since a library cannot know of which program it is a part.
    #[default]
    InProcess,
    /// Each in a child process of its own, within [`CompileLimits`](crate::CompileLimits).
    Child {
        /// The program, by its absolute path. Its `main` begins with [`compiler_main_if_asked`], or it hands all its
        /// arguments to such a program and becomes it. A program can name itself, by
        /// [`current_exe`](std::env::current_exe).
        program: PathBuf,
        /// Arguments that come before the sandbox's own.
        args: Vec<OsString>,
    },
}

impl Compiler {
    /// This very program, in a child process. Its `main` has to begin with [`compiler_main_if_asked`].
    ///
    /// # Errors
    /// When the system does not say which file the program is.
    pub fn this_program() -> Result<Self, HostError> {
        let program = std::env::current_exe()
            .map_err(|error| HostError(format!("cannot tell which file this program is: {error}")))?;
        Ok(Self::Child { program, args: Vec::new() })
    }
}

/// How a sandbox compiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileOptions {
    /// Where. By default in this process.
    pub compiler: Compiler,
    /// Where the results are kept for the next time. By default nowhere.
    pub cache: Option<CacheOptions>,
}

/// A sandbox's compiler and its cache.
pub(crate) struct Workshop {
    compiler: Compiler,
    cache: Option<Cache>,
    cache_dir: String,
    /// Why the cache is of no use, or not of all the use it could be.
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
            workshop.cache_dir = sanitize::line(&options.dir.to_string_lossy(), PATH_CHARS_MAX);
            match Cache::open(&options) {
                Ok(cache) => workshop.cache = Some(cache),
                Err(why) => workshop.note(&why),
            }
        }
        Ok(workshop)
    }

    /// Why the cache is of no use, if so.
    pub(crate) fn cache_trouble(&self) -> Option<&str> {
        self.cache_trouble.get().map(String::as_str)
    }

    /// Ends the children, and starts no other.
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
        let artifact = self.compile(engine, component)?;
        let loaded = artifact.load(engine).map_err(|error| of_wasmtime(&error))?;
        self.keep(&key, &artifact);
        Ok(loaded)
    }

    /// What the cache has.
    fn kept(&self, engine: &Engine, key: &Key) -> Option<Component> {
        let cache = self.cache.as_ref()?;
        let artifact = cache.load(key, self.limits.compile.artifact_bytes_max)?;
        // Whatever it is that it is not good for, it is found out again with what is compiled anew.
        artifact.load(engine).inspect_err(|_| cache.forget(key)).ok()
    }

    fn keep(&self, key: &Key, artifact: &Artifact) {
        let Some(cache) = &self.cache else { return };
        // A disk that was full is tried again in the next run.
        if self.cache_trouble().is_none()
            && let Err(error) = cache.store(key, artifact)
        {
            self.note(&format!("it cannot be written to: {error}"));
        }
    }

    fn note(&self, why: &str) {
        // One trouble is enough to be told.
        let _ = self.cache_trouble.set(format!(
            "compiled bots are not kept in {}: {why}; nothing but time is lost by that",
            self.cache_dir
        ));
    }

    fn compile(&self, engine: &Engine, component: &[u8]) -> Result<Artifact, AdmitError> {
        let Compiler::Child { program, args } = &self.compiler else {
            let code = engine.precompile_component(component).map_err(|error| of_wasmtime(&error))?;
            return Ok(Artifact::of_our_compiler(code));
        };
        let Some(_pass) = self.gate.enter() else { return Ending::Abandoned.verdict(&self.limits.compile) };
        let task = Task {
            program,
            args,
            limits: &self.limits.compile,
            engine_hash: &self.engine_hash,
            component,
            bell: self.gate.bell(),
        };
        let mut ending = task.run();
        if ending.may_pass() {
            ending = task.run();
        }
        ending.verdict(&self.limits.compile)
    }
}

/// What wasmtime has against a component, or against the machine.
fn of_wasmtime(error: &wasmtime::Error) -> AdmitError {
    let cause = error.root_cause().to_string();
    if fault::is_of_the_machine(error) {
        return HostError(format!("cannot compile a bot: {cause}")).into();
    }
    ending::rejected(&cause).into()
}
