//! The ways in which the engine fails: what, why, and what to do next.

use arena_referee::HostError;
use std::error::Error as Cause;
use std::io;

/// The reason why the engine cannot do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Wrong input: nothing was played or written.
    #[error("{what}\n  next: {next}")]
    Usage {
        /// The problem and its place.
        what: String,
        /// The next step.
        next: String,
    },
    /// The machine refuses something: the disk is full, a folder cannot be written to.
    #[error("{what}: {}\n  next: {next}", reason(.cause.as_ref()))]
    Machine {
        /// The thing that cannot be done.
        what: String,
        /// The cause.
        cause: Box<dyn Cause + Send + Sync>,
        /// The next step.
        next: String,
    },
    /// The arena failed.
    #[error(
        "the arena failed: {0}\n  next: run it again; if it fails again, report this message with the command"
    )]
    Host(#[from] HostError),
}

impl Error {
    /// Wrong input.
    pub fn usage(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), next: next.into() }
    }

    /// A failure of the machine's.
    pub fn machine(
        what: impl Into<String>,
        cause: impl Into<Box<dyn Cause + Send + Sync>>,
        next: impl Into<String>,
    ) -> Self {
        Self::Machine { what: what.into(), cause: cause.into(), next: next.into() }
    }
}

/// The words for a cause.
fn reason(cause: &(dyn Cause + Send + Sync + 'static)) -> String {
    cause.downcast_ref::<io::Error>().map_or_else(|| cause.to_string(), arena_files::reason)
}
