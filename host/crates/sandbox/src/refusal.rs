//! Why a file is not admitted as a bot: what was found, and what to do about it.

use crate::sanitize;
use arena_referee::{Fault, HostError};
use std::{fmt, io};

/// The longest message of a refusal, in characters. Chosen: two lines of a terminal.
const MESSAGE_CHARS_MAX: usize = 240;

/// Why there is no bot.
#[derive(Debug, thiserror::Error)]
pub enum AdmitError {
    /// The file is not a bot of this arena's.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The sandbox failed; nothing is said about the file.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// A file that is not a bot of this arena's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of it.
    pub kind: RefusalKind,
    /// One line: what was found and what is expected. It is safe to print.
    pub message: String,
    /// One line: what its author can do.
    pub next_step: String,
    /// What the bot did, when it was run to ask for its name and failed.
    pub fault: Option<Fault>,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RefusalKind {
    /// Nothing is in the file.
    Empty,
    /// More bytes than the cap.
    TooLarge,
    /// Text, or a file of another format.
    NotWasm,
    /// WebAssembly that is compiled already, which is never loaded from others.
    Precompiled,
    /// A core module, not a component.
    CoreModule,
    /// A component that is cut off or does not validate.
    Invalid,
    /// A WebAssembly feature that this sandbox does not have: threads, 64-bit memory, more than one memory.
    Feature,
    /// More memory, table space or parts than the sandbox gives.
    OverLimits,
    /// Compiling it takes more processor time, address space, stack or room for its code than there is for it. Whether
    /// it is too much processor time depends on the machine, as no other verdict does.
    CompileLimits,
    /// The compiler failed on it, twice.
    CompilerCrash,
    /// An import outside of what a bot may use.
    Import,
    /// No bot's interface among the exports.
    NotABot,
    /// A bot for another game.
    OtherGame,
    /// A bot for another version of the contract.
    OtherVersion,
    /// A bot's interface whose functions are missing or have other types.
    WrongTypes,
    /// It failed when it was started or asked for its name.
    Faulted,
}

impl RefusalKind {
    /// Its name in tables and machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLarge => "too-large",
            Self::NotWasm => "not-wasm",
            Self::Precompiled => "precompiled",
            Self::CoreModule => "core-module",
            Self::Invalid => "invalid",
            Self::Feature => "feature",
            Self::OverLimits => "over-limits",
            Self::CompileLimits => "compile-limits",
            Self::CompilerCrash => "compiler-crash",
            Self::Import => "import",
            Self::NotABot => "not-a-bot",
            Self::OtherGame => "other-game",
            Self::OtherVersion => "other-version",
            Self::WrongTypes => "wrong-types",
            Self::Faulted => "faulted",
        }
    }
}

impl fmt::Display for RefusalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Refusal {
    /// A refusal; what comes from the file is made plain here, so that no caller can forget to.
    pub(crate) fn new(kind: RefusalKind, message: impl AsRef<str>, next_step: impl Into<String>) -> Self {
        Self {
            kind,
            message: sanitize::line(message.as_ref(), MESSAGE_CHARS_MAX),
            next_step: next_step.into(),
            fault: None,
        }
    }
}

/// A size for a reader, rounded up.
pub(crate) fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}
