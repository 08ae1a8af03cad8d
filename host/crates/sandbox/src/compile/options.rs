//! Where components are compiled: in this process or a child, and with which cache.

use super::CacheOptions;
#[cfg(doc)]
use super::compiler_main_if_asked;
use arena_referee::HostError;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The process in which components are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// This process, without any limits: for trusted components, as in tests and benchmarks. This is the default, since a
    /// library cannot know which program it is a part of.
    #[default]
    InProcess,
    /// A child process for each component, within [`CompileLimits`](crate::CompileLimits): for components from strangers.
    Child {
        /// The absolute path of the program. Its `main` begins with [`compiler_main_if_asked`], or it replaces itself
        /// with such a program and passes on all arguments. A program can name itself with
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
    /// The system does not report which file the program is, or its `main` has not begun with that call.
    pub fn this_program() -> Result<Self, HostError> {
        if !super::child::is_ready() {
            return Err(HostError::Defect(
                "this program cannot compile bots in a child process: its `main` has to begin with \
                 `arena_engine::start()`, or with `arena_sandbox::compiler_main_if_asked()`"
                    .into(),
            ));
        }
        let program = std::env::current_exe()
            .map_err(|error| HostError::machine("cannot find the file of this program", error))?;
        Ok(Self::Child { program, args: Vec::new() })
    }

    /// The identity of the program's build: the size and time of its file. Two builds of one version may refuse different components.
    pub(super) fn build(&self) -> String {
        let program = match self {
            Self::InProcess => std::env::current_exe().ok(),
            Self::Child { program, .. } => Some(program.clone()),
        };
        let metadata = program.and_then(|program| fs::metadata(program).ok());
        metadata
            .map_or(String::new(), |file| format!("{} {}.{}", file.len(), file.mtime(), file.mtime_nsec()))
    }
}

/// The compiler and the cache of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileOptions {
    /// The process that compiles. By default it is this process.
    pub compiler: Compiler,
    /// The cache of compiled code. By default there is no cache.
    pub cache: Option<CacheOptions>,
}

/// The kind of processor, as far as the system reports it.
pub(super) fn machine() -> &'static str {
    static MACHINE: OnceLock<String> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let kinds = ["model name", "CPU part", "CPU implementer"];
        let is_kind = |line: &&str| kinds.iter().any(|what| line.starts_with(what));
        // All cores are assumed to be of the same kind.
        let first = text.split("\n\n").next().unwrap_or_default();
        first.lines().filter(is_kind).collect()
    })
}
