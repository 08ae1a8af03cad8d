//! The ways in which the program fails, each with its exit code: what, where, and what to do next.

use arena_referee::HostError;
use std::io;

/// The exit code of a run that was interrupted: 128 and the number of the signal, as shells count.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The exit code after wrong usage or input, as clap has it too.
pub const EXIT_USAGE: u8 = 2;

/// The reason why the program did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Bad usage or input: nothing was played.
    #[error("{what}\n  next: {next}")]
    Usage {
        /// The problem and its place.
        what: String,
        /// The next step for the user.
        next: String,
    },
    /// The machine refuses something: the disk is full, a folder cannot be written to.
    #[error("{what}: {cause}\n  next: {next}")]
    Machine {
        /// The thing that cannot be done.
        what: String,
        /// The cause.
        cause: anyhow::Error,
        /// The next step for the user.
        next: String,
    },
    /// The arena failed.
    #[error("the arena failed: {0:#}")]
    Host(anyhow::Error),
    /// Results cannot be written to standard output.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
    /// A bot was refused, and nothing was played without it.
    #[error("{0}")]
    Refused(String),
    /// The user stopped the run.
    #[error("{0}")]
    Interrupted(String),
    /// A verdict that the report has already told: only the exit code is left.
    #[error("")]
    Reported(Verdict),
}

/// A verdict that a script may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A bot was refused, or a recording is not verified.
    Refused,
    /// `arena check` found a bot at fault in a trial game.
    Faulted,
    /// `arena sprt` accepted H0.
    NotBetter,
    /// `arena sprt` is undecided.
    Undecided,
    /// `arena check --sandbox` found a measure missing.
    Unconfined,
}

impl Failure {
    /// Bad usage or input.
    pub fn usage(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), next: next.into() }
    }

    /// A failure of the machine's.
    pub fn machine(
        what: impl Into<String>,
        cause: impl Into<anyhow::Error>,
        next: impl Into<String>,
    ) -> Self {
        Self::Machine { what: what.into(), cause: cause.into(), next: next.into() }
    }

    /// The exit code, as the README lists them.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Machine { .. } | Self::Host(_) | Self::Output(_) => 1,
            Self::Usage { .. } => EXIT_USAGE,
            Self::Refused(_) | Self::Reported(Verdict::Refused | Verdict::Faulted) => 3,
            Self::Reported(Verdict::NotBetter) => 4,
            Self::Reported(Verdict::Undecided) => 5,
            Self::Reported(Verdict::Unconfined) => 6,
            Self::Interrupted(_) => EXIT_INTERRUPTED,
        }
    }

    /// True if the reader of the output went away, and nobody is left to tell.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_the_exit_code_that_the_readme_promises() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        for (failure, code) in [
            (Failure::machine("cannot write a.db", full(), "make room"), 1),
            (HostError("no power".into()).into(), 1),
            (full().into(), 1),
            (Failure::usage("no bots", "name two"), 2),
            (Failure::Refused("one bot is left".into()), 3),
            (Failure::Reported(Verdict::Refused), 3),
            (Failure::Reported(Verdict::Faulted), 3),
            (Failure::Reported(Verdict::NotBetter), 4),
            (Failure::Reported(Verdict::Undecided), 5),
            (Failure::Reported(Verdict::Unconfined), 6),
            (Failure::Interrupted("interrupted".into()), 130),
        ] {
            assert_eq!(failure.exit_code(), code, "{failure}");
        }
    }
}
