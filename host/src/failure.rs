//! How the program fails: what, where, what to do next, and the exit code for scripts.

use arena_referee::HostError;
use std::{fmt, io};

/// The exit code of a program that was interrupted: 128 and the number of the signal, as shells count.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Why the program did not end well.
#[derive(Debug)]
pub enum Failure {
    /// Bad usage or input: nothing was played. Exit code 2.
    Input {
        /// What is wrong, and where.
        what: String,
        /// What to do next.
        next: String,
    },
    /// A bot was refused. Exit code 3.
    Refused(String),
    /// A test found that the new bot is not better. Exit code 4.
    NotBetter(String),
    /// A test came to no decision. Exit code 5.
    Undecided(String),
    /// The arena or its machine failed. Exit code 1.
    Host(anyhow::Error),
    /// The user stopped it. Exit code [`EXIT_INTERRUPTED`].
    Interrupted(String),
}

impl Failure {
    /// Bad usage or input.
    pub fn input(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Input { what: what.into(), next: next.into() }
    }

    /// What scripts go by.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Host(_) => 1,
            Self::Input { .. } => 2,
            Self::Refused(_) => 3,
            Self::NotBetter(_) => 4,
            Self::Undecided(_) => 5,
            Self::Interrupted(_) => EXIT_INTERRUPTED,
        }
    }

    /// Whether it is only that the reader of our output went away.
    pub fn is_closed_pipe(&self) -> bool {
        let Self::Host(error) = self else { return false };
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Host(error.into())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Host(error)
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Self::Host(error.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input { what, next } => write!(f, "{what}\n  next: {next}"),
            Self::Refused(what) | Self::NotBetter(what) | Self::Undecided(what) | Self::Interrupted(what) => {
                f.write_str(what)
            }
            Self::Host(error) => write!(f, "the arena failed: {error:#}"),
        }
    }
}
