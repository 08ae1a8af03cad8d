//! Compiling: the one way from a component's bytes to code.
//!
//! Wasmtime calls a denial of service at run time a vulnerability, but not one at compile time: a component can take
//! minutes and gigabytes to validate or to compile, or overflow a stack. So strangers' components are
//! [judged](crate::judge) in a child process. The child confines itself before it reads the first byte. The verdict is
//! cached. Data in the pipe and in the cache has the same [sealed](seal) form.
//!
//! ```text
//! component ── pipe ──> child: limits, judge, compiler ── pipe, sealed ──> facts and code, or a refusal
//!                                                                             │ ▲
//!                                                                        cache: file, sealed
//! ```
//!
//! A component of 4 MB or more is most likely an interpreter with a program as its data. So is a component of 1 MB or more whose
//! skeleton has been seen before. The [skeleton](crate::scan::skeleton) is the same in all bots with the same interpreter. It is
//! compiled first, in a child that sees nothing else, and its [functions](functions) are cached. The child that judges the
//! component gets them with it, and does not compile them again:
//!
//! ```text
//! component ──> child ──> skeleton ──> child ──> functions ──> cache ──┐
//! component ───────────────────────────────────────────────────────────┴─> child: judge, as above
//! ```
//!
//! An edit of a bot in a compiled language changes its skeleton. If its author admits the builds of a folder, a [project](CacheOptions), a
//! build is compiled with the functions of an earlier one. Its code is used here, and not kept for others.
//!
//! Measured: a complete `arena check` of a house bot of 130 kB takes 0.24 s of processor time, 2 ms of it for the confined
//! process, and some milliseconds with the cache. For a Python bot of 18 MB or a JavaScript bot of 12 MB it takes 12 to 17 s of
//! one core, 20 to 24 s if its functions are cached as well, 3 s if only its program was edited since, and 0.3 s with the cache.
//! A child that compiles such a bot uses 400 MB. The arena itself uses no more than for any other bot, except for 110 MB for a
//! moment while it loads the code.

mod artifact;
mod cache;
mod child;
mod compile_time;
mod ending;
mod functions;
mod kept_functions;
mod last_words;
mod options;
mod output;
mod parent;
mod queue;
mod ready_message;
mod seal;
mod slowdown;
mod work;

pub(crate) use artifact::Artifact;
pub use cache::{CacheFiles, CacheOptions, UnusableCache};
pub use child::compiler_main_if_asked;
pub(crate) use child::{end_if_asked, message};
pub use compile_time::CompileTime;
pub(crate) use last_words::{ended, last_words};
pub use options::{CompileOptions, Compiler};
pub use output::verdict_on_output;
pub(crate) use parent::{Running, SAID_BYTES_MAX, is_for_later, keep, not_started};
pub(crate) use queue::Slot;
pub(crate) use ready_message::ReadyMessage;
pub(crate) use seal::{CHUNK_BYTES, Key, Kind, SealReader, Sealed};

use crate::digest;
use crate::judge::{self, Unjudged};
use crate::limits::{CompileBudget, SandboxLimits};
use crate::meter::Meter;
use crate::refusal::{AdmitError, Refusal, RefusalKind};
use arena_platform::confine::{ChildLimits, Confinement};
use arena_platform::machine::kind_of_processor;
use arena_referee::HostError;
use cache::{Cache, REPAIR};
use child::ASK;
use ending::Ending;
use kept_functions::Found;
use parent::Task;
use queue::Queue;
use sha2::{Digest, Sha256};
use slowdown::Slowdown;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;
use wasmtime::Engine;
use work::Work;

/// The longest path in a message, in characters. Chosen: a line and a half of 80.
const PATH_CHARS_MAX: usize = 120;

/// A sandbox's compiler and its cache.
pub(crate) struct CachedCompiler {
    compiler: Compiler,
    cache: Option<Cache>,
    cache_dir: String,
    /// The folder of the one bot whose builds are admitted; `None` for the bots of others.
    project: Option<PathBuf>,
    /// The sizes from which on functions are kept: at once, and at the second time.
    large_bytes: usize,
    medium_bytes: usize,
    /// The first problem with the cache, and the next step.
    cache_trouble: OnceLock<[String; 2]>,
    /// The first child's report on its confinement.
    confinement: OnceLock<Confinement>,
    /// The first reason why compiled functions are not cached.
    functions_trouble: OnceLock<String>,
    /// The slowdown of the machine, once it is known.
    slowdown: OnceLock<Slowdown>,
    /// The skeletons whose functions are being compiled.
    compiling: Mutex<HashSet<String>>,
    queue: Queue,
    judges_hash: String,
    limits: SandboxLimits,
}

impl CachedCompiler {
    /// The compiler of a sandbox with this engine.
    pub(crate) fn open(
        options: CompileOptions,
        limits: &SandboxLimits,
        engine: &Engine,
    ) -> Result<Self, HostError> {
        let queue = Queue::new(limits.workers)
            .map_err(|error| arena_resources::refused("cannot prepare for compiling", error))?;
        let mut cached_compiler = Self {
            compiler: options.compiler,
            cache: None,
            cache_dir: String::new(),
            project: None,
            large_bytes: usize::MAX,
            medium_bytes: usize::MAX,
            cache_trouble: OnceLock::new(),
            confinement: OnceLock::new(),
            functions_trouble: OnceLock::new(),
            slowdown: OnceLock::new(),
            compiling: Mutex::default(),
            queue,
            judges_hash: judge::hash(engine),
            limits: limits.clone(),
        };
        if let Some(options) = options.cache {
            cached_compiler.cache_dir = arena_text::line(&options.dir.to_string_lossy(), PATH_CHARS_MAX);
            match Cache::open(&options) {
                Ok(cache) => {
                    cached_compiler.cache = Some(cache);
                    cached_compiler.project = options.project;
                    cached_compiler.large_bytes = options.large_bytes;
                    cached_compiler.medium_bytes = options.medium_bytes;
                }
                Err(unusable) => cached_compiler.note(unusable),
            }
        }
        Ok(cached_compiler)
    }

    /// The first reason why the cache cannot be used, and the next step, if there is one.
    pub(crate) fn cache_trouble(&self) -> Option<[&str; 2]> {
        self.cache_trouble.get().map(|trouble| trouble.each_ref().map(String::as_str))
    }

    /// The first reason why compiled functions are not cached, if there is one.
    pub(crate) fn functions_trouble(&self) -> Option<&str> {
        self.functions_trouble.get().map(String::as_str)
    }

    /// The first child's report on its confinement, if there was a child.
    pub(crate) fn confinement(&self) -> Option<&Confinement> {
        self.confinement.get()
    }

    /// Starts a child without a component, to get its report on its confinement.
    pub(crate) fn check_confinement(&self) -> Result<&Confinement, AdmitError> {
        let Compiler::Child { program, args } = &self.compiler else {
            return Err(HostError::Defect(
                "bots are compiled in this process, without any confinement".into(),
            )
            .into());
        };
        let mut slot = self.enter(0, &Meter::default())?;
        let budget = self.limits.compile.budget(0);
        let key = Key::new(&digest::sha256(&[]), &self.judges_hash);
        let work = Work::Judge { functions_bytes: 0 };
        let ending = self.task(program, args, &budget, work, &key, vec![&[]]).run(&mut slot);
        self.confinement().ok_or_else(|| match ending.verdict(&budget) {
            Err(error) => error,
            Ok(_) => HostError::Process("the compiler's process has admitted a component of no bytes".into())
                .into(),
        })
    }

    /// Ends the children and admits nothing more.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    /// Waits for a slot to admit a file of this size. Its children count in the meter.
    pub(crate) fn enter(&self, size_bytes: usize, meter: &Meter) -> Result<Slot<'_>, AdmitError> {
        let child_bytes = match self.compiler {
            Compiler::InProcess => 0,
            Compiler::Child { .. } => self.limits.compile.budget(size_bytes).address_space_bytes,
        };
        let slot = self.queue.enter(child_bytes.saturating_add(size_bytes as u64));
        slot.map(|slot| slot.metered(meter)).ok_or_else(|| ending::stopped().into())
    }

    /// Judges a file that looks like a component and has this hash, and loads it. Returns what `load` made of it, its facts and code, and
    /// the time that compiling it took, if that is known.
    pub(crate) fn admit<T>(
        &self,
        engine: &Engine,
        component: &[u8],
        hash: &str,
        slot: &mut Slot<'_>,
        load: impl Fn(&Artifact) -> Result<T, AdmitError>,
    ) -> Result<(T, Artifact, Option<CompileTime>), AdmitError> {
        let budget = self.limits.compile.budget(component.len());
        let key = Key::new(hash, &self.judges_hash);
        // The sandbox's own limits may refuse a component that others admit.
        let load = |artifact: &Artifact| {
            artifact.facts().shape.check_memory(self.limits.memory_bytes_max)?;
            load(artifact)
        };
        if let Some(artifact) = self.kept(&key, &budget) {
            let loaded = load(&artifact).inspect_err(|_| self.forget(&key))?;
            let time = self.cache.as_ref().and_then(|cache| cache.load(&key, Kind::Time, 0));
            return Ok((loaded, artifact, time.as_ref().and_then(CompileTime::read)));
        }
        let budget = self.scaled(budget, component.len(), slot);
        let refusal_key = Key::new(hash, &self.refusals_hash(&budget));
        if let Some(refusal) = self.kept_refusal(&refusal_key) {
            return Err(refusal.into());
        }
        let found = self.functions(&budget, &key, component, slot);
        let is_for_others = found.as_ref().is_none_or(|found| !found.are_of_project);
        match self.judge(engine, component, &key, &budget, slot, found.as_ref()) {
            Ok((artifact, used)) => {
                let loaded = load(&artifact)?;
                let allowed = Duration::from_secs(budget.cpu_seconds);
                let time = used.map(|used| CompileTime { used, allowed });
                if !is_for_others {
                    time.iter().for_each(|time| self.renew_functions(time));
                    return Ok((loaded, artifact, time));
                }
                self.keep(&key, artifact.sealed());
                if let Some(time) = &time {
                    self.keep(&key, &Sealed::new(&key, Kind::Time, time.to_bytes()));
                }
                Ok((loaded, artifact, time))
            }
            Err(error) => {
                if let AdmitError::Refused(refusal) = &error
                    && is_for_others
                {
                    self.keep_refusal(&refusal_key, refusal);
                }
                Err(error)
            }
        }
    }

    /// The name of a bot. Unless it is cached, a separate process asks the bot for it: `child_args` are the arguments of that
    /// process, and `input` is everything that it reads. The name is returned as that process reports it.
    pub(crate) fn ask_name(
        &self,
        child_args: Vec<String>,
        input: Vec<&[u8]>,
        hash: &str,
        size_bytes: usize,
        slot: &mut Slot<'_>,
    ) -> Result<String, AdmitError> {
        let (program, args) = self.program()?;
        // The name depends on the memory and the fuel that the bot has. In a project, it may be compiled with functions of another build.
        let SandboxLimits { memory_bytes_max, admission_fuel, .. } = self.limits;
        let project = self.project.as_deref().map(Path::as_os_str).unwrap_or_default();
        let name_key = Key::new(
            hash,
            &self.judges_hash_with(&format!("{memory_bytes_max} {admission_fuel} {}", project.display())),
        );
        let text = |sealed: &Sealed| String::from_utf8_lossy(sealed.contents()).into_owned();
        if let Some(kept) = self.cache.as_ref().and_then(|cache| cache.load(&name_key, Kind::Name, 0)) {
            return Ok(text(&kept));
        }
        let budget = self.limits.compile.budget(size_bytes);
        let key = Key::new(hash, &self.judges_hash);
        let Self { judges_hash, confinement, .. } = self;
        let task =
            Task { program, args, child_args, budget: &budget, judges_hash, key: &key, input, confinement };
        match task.run(slot) {
            Ending::Made(made) if made.kind() == Kind::Name => {
                self.keep(&name_key, &Sealed::new(&name_key, Kind::Name, made.contents().to_vec()));
                Ok(text(&made))
            }
            Ending::Crash(how) => Err(Refusal::new(
                RefusalKind::Faulted,
                format!("crashed the process that asked it for its name: {how}"),
                "report the file: no component should be able to do this",
            )
            .into()),
            ending => Err(match ending.verdict(&budget) {
                Err(error) => error,
                Ok(_) => {
                    HostError::Process("a process that was asked for a bot's name gave code".into()).into()
                }
            }),
        }
    }

    /// The program whose child processes compile and play, with its first arguments.
    pub(crate) fn program(&self) -> Result<(&Path, &[OsString]), HostError> {
        match &self.compiler {
            Compiler::Child { program, args } => Ok((program, args)),
            Compiler::InProcess => Err(HostError::Defect("bots have no processes of their own".into())),
        }
    }

    /// The hash of the judges. Seals are bound to it.
    pub(crate) fn judges_hash(&self) -> &str {
        &self.judges_hash
    }

    /// Keeps the first report of a child on its confinement.
    pub(crate) fn note_confinement(&self, confinement: Confinement) {
        // All children of a process are confined in the same way.
        let _ = self.confinement.set(confinement);
    }

    /// The hash for refusals: of the judges, the build of the program, the allowance, and the machine. A faster machine might not
    /// refuse.
    fn refusals_hash(&self, budget: &CompileBudget) -> String {
        self.judges_hash_with(&format!("{} {budget:?} {}", self.compiler.build(), kind_of_processor()))
    }

    /// The hash of the judges and another text, as long as the hash of the judges.
    fn judges_hash_with(&self, other: &str) -> String {
        let mut hash = format!("{:x}", Sha256::digest(format!("{} {other}", self.judges_hash)));
        hash.truncate(judge::HASH_CHARS);
        hash
    }

    /// The cached facts and code of a component.
    fn kept(&self, key: &Key, budget: &CompileBudget) -> Option<Artifact> {
        let artifact =
            Artifact::open(self.cache.as_ref()?.load(key, Kind::Admitted, budget.artifact_bytes)?);
        if artifact.is_none() {
            self.forget(key);
        }
        artifact
    }

    fn forget(&self, key: &Key) {
        if let Some(cache) = &self.cache {
            cache.forget(key, Kind::Admitted);
        }
    }

    fn kept_refusal(&self, key: &Key) -> Option<Refusal> {
        let sealed = self.cache.as_ref()?.load(key, Kind::Refused, 0)?;
        Refusal::from_bytes(sealed.contents())
    }

    fn keep_refusal(&self, key: &Key, refusal: &Refusal) {
        self.keep(key, &Sealed::new(key, Kind::Refused, refusal.to_bytes()));
    }

    fn keep(&self, key: &Key, sealed: &Sealed) {
        let Some(cache) = &self.cache else { return };
        // After one failure, such as a full disk, the next run tries again.
        if self.cache_trouble.get().is_none()
            && let Err(error) = cache.store(key, sealed)
        {
            self.note(UnusableCache::because("it cannot be written to", error));
        }
    }

    fn note(&self, UnusableCache { why, next }: UnusableCache) {
        let dir = &self.cache_dir;
        let why =
            format!("compiled bots are not kept in {dir}: {why}; this costs time but changes no result");
        // Only the first problem is reported.
        let _ = self.cache_trouble.set([why, next.unwrap_or_else(|| REPAIR.to_owned())]);
    }

    fn judge(
        &self,
        engine: &Engine,
        component: &[u8],
        key: &Key,
        budget: &CompileBudget,
        slot: &mut Slot<'_>,
        found: Option<&Found>,
    ) -> Result<(Artifact, Option<Duration>), AdmitError> {
        let Compiler::Child { program, args } = &self.compiler else {
            return match judge::compile(engine, component) {
                Ok((facts, code)) => Ok((Artifact::seal(key, facts, &code), None)),
                Err(Unjudged::Refused(refusal)) => Err(refusal.into()),
                Err(Unjudged::Machine(what)) => Err(cannot_compile(&what)),
            };
        };
        let functions = found.map_or(&[][..], Found::contents);
        let work = Work::Judge { functions_bytes: functions.len() };
        let task = self.task(program, args, budget, work, key, vec![functions, component]);
        let (mut ending, mut used) = task.run_timed(slot);
        if ending.may_pass() {
            (ending, used) = task.run_timed(slot);
        }
        Ok((ending.verdict(budget)?, used))
    }

    fn task<'a>(
        &'a self,
        program: &'a Path,
        args: &'a [OsString],
        budget: &'a CompileBudget,
        work: Work,
        key: &'a Key,
        input: Vec<&'a [u8]>,
    ) -> Task<'a> {
        let Self { judges_hash, confinement, .. } = self;
        let child_limits = ChildLimits {
            parent: process::id(),
            cpu_seconds: budget.cpu_seconds,
            address_space_bytes: budget.address_space_bytes,
            data_bytes: u64::MAX,
            stack_bytes: budget.stack_bytes,
        };
        let child_args =
            [ASK.to_owned()].into_iter().chain(child_limits.to_args()).chain(work.to_args()).collect();
        Task { program, args, child_args, budget, judges_hash, key, input, confinement }
    }
}

fn cannot_compile(what: &str) -> AdmitError {
    HostError::Process(format!("cannot compile a bot: {what}").into()).into()
}
