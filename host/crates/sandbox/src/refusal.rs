//! Refusals: why a file is not admitted as a bot, and what to do about it.

use arena_referee::{Fault, HostError};
use serde::{Deserialize, Serialize};
use std::io;

/// The longest message of a refusal, in characters. Chosen: two lines of a terminal.
const MESSAGE_CHARS_MAX: usize = 240;

/// The reasons why there is no bot.
#[derive(Debug, thiserror::Error)]
pub enum AdmitError {
    /// The file is not a bot for this arena.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The sandbox failed. This says nothing about the file.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// A refusal of a file. Its text reads on from the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of refusal.
    pub kind: RefusalKind,
    /// One line: what was found, and what is expected. It is safe to print.
    pub message: String,
    /// One line: what the author can do.
    pub next_step: String,
    /// The bot's fault, if it failed when it was started or asked for its name.
    pub fault: Option<Fault>,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalKind {
    /// The file is empty.
    Empty,
    /// The file has more bytes than the cap.
    TooLarge,
    /// Text, or a file of another format.
    NotWasm,
    /// WebAssembly that has already been compiled, which is never loaded from outside.
    Precompiled,
    /// A core module, not a component.
    CoreModule,
    /// A component that is cut off or does not validate.
    Invalid,
    /// A WebAssembly feature that this sandbox does not have, such as threads, 64-bit memory or more than one memory.
    Feature,
    /// More memory, table space or parts than the sandbox allows.
    OverLimits,
    /// Validating and compiling it takes more processor time, address space, stack or room for its code than the sandbox
    /// allows for a file of its size. The verdict on processor time depends on the machine; no other verdict does.
    CompileLimits,
    /// The compiler crashed on it, twice.
    CompilerCrash,
    /// An import that a bot may not use.
    Import,
    /// A component that does not export a bot's interface.
    NotABot,
    /// A game, where a bot is expected.
    Game,
    /// A bot for another game.
    OtherGame,
    /// A bot for another version of the contract.
    OtherVersion,
    /// A bot's interface whose functions are missing or have other types.
    WrongTypes,
    /// A bot that failed when it was started or asked for its name.
    Faulted,
}

impl RefusalKind {
    /// The name of the kind in tables and machine-readable output.
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
            Self::Game => "game",
            Self::OtherGame => "other-game",
            Self::OtherVersion => "other-version",
            Self::WrongTypes => "wrong-types",
            Self::Faulted => "faulted",
        }
    }
}

impl Refusal {
    /// A refusal. Text from the file is made plain here, so that every caller gets plain text.
    pub(crate) fn new(kind: RefusalKind, message: impl AsRef<str>, next_step: impl Into<String>) -> Self {
        Self {
            kind,
            message: arena_text::line(message.as_ref(), MESSAGE_CHARS_MAX),
            next_step: next_step.into(),
            fault: None,
        }
    }
}

/// A refusal, as processes pass it on and the cache keeps it: JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: RefusalKind,
    message: String,
    next: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    fault: Option<Fault>,
}

impl Refusal {
    /// The refusal as bytes, without the stack of its fault.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Self { kind, message, next_step, fault } = self.clone();
        let fault = fault.map(|fault| fault.with_stack(Vec::new()));
        let written = Written { kind, message, next: next_step, fault };
        serde_json::to_vec(&written).expect("a refusal is plain data")
    }

    /// Reads a refusal from bytes, and makes its text plain again.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Written { kind, message, next, fault } = serde_json::from_slice(bytes).ok()?;
        Some(Self { fault, ..Self::new(kind, message, arena_text::line(&next, MESSAGE_CHARS_MAX)) })
    }
}

/// Writes a size for a reader, rounded up to whole MiB.
pub(crate) fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}
