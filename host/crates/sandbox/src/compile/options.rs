//! Where components are compiled: in this process or a child, and with which cache.

use super::CacheOptions;
#[cfg(doc)]
use super::compiler_main_if_asked;
use arena_platform::private::since_1970;
use arena_referee::HostError;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

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
        let time = |file: &fs::Metadata| file.modified().map(since_1970).unwrap_or_default();
        metadata.map_or(String::new(), |file| format!("{} {:?}", file.len(), time(&file)))
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
