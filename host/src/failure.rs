//! The ways in which the program fails, each with its exit code: what, where, and what to do next.

use arena_club::ClubError;
use arena_cluster::ClusterError;
use arena_engine::{Error, Mistake};
use arena_experiments::ExperimentError;
use arena_pages::SiteError;
use arena_platform::refusals::is_reader_gone;
use arena_referee::{HostError, Trouble};
use std::io;

/// The exit code of a run that was interrupted: 128 and the number of the signal, as shells count.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The exit code when the output was closed: 128 and the number of the signal that ends other programs then.
const EXIT_CLOSED: u8 = 141;

/// The exit code after wrong usage or input, the same as clap's.
const EXIT_USAGE: u8 = 2;

/// The reason why the program did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine cannot do what it was asked for.
    #[error(transparent)]
    Engine(#[from] Error),
    /// A club cannot do what it was asked for.
    #[error(transparent)]
    Club(ClubError),
    /// Workers on other machines cannot be used.
    #[error(transparent)]
    Cluster(ClusterError),
    /// An experiment cannot be made.
    #[error(transparent)]
    Experiment(ExperimentError),
    /// A site cannot be written.
    #[error(transparent)]
    Site(SiteError),
    /// Results cannot be written to standard output.
    #[error("cannot write the results: {}\n  next: make room, or print them elsewhere", arena_files::reason(.0))]
    Output(io::Error),
    /// The reader of standard output went away.
    #[error(
        "standard output was closed before all results were printed\n  \
         next: print them to a file; `arena standings` prints the table of a journal"
    )]
    Closed,
    /// A bot was refused, and nothing was played without it.
    #[error("{0}")]
    Refused(String),
    /// The user stopped the run.
    #[error("{0}")]
    Interrupted(String),
    /// A negative result that is printed already: only the exit code is left.
    #[error("")]
    Reported(NegativeResult),
}

/// A negative result that a script may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NegativeResult {
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
    /// The tests or the practice program of a folder ended with this code.
    Native(u8),
}

impl Failure {
    /// Bad usage or input.
    pub fn usage(what: impl Into<String>, next: impl Into<String>) -> Self {
        Error::usage(what, next).into()
    }

    /// A failure of the machine's.
    pub fn machine(
        what: impl Into<String>,
        cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
        next: impl Into<String>,
    ) -> Self {
        Error::machine(what, cause, next).into()
    }

    /// A failure of the arena.
    pub fn host(what: impl Into<Trouble>) -> Self {
        Error::Host(HostError::Defect(what.into())).into()
    }

    /// The exit code, as the guide lists them.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Engine(Error::Host(HostError::Game(_))) => 3,
            Self::Engine(Error::Machine { .. } | Error::Host(_)) | Self::Output(_) => 1,
            Self::Engine(Error::Mistake(Mistake::BotsRefused { .. } | Mistake::TooFewBotsLeft { .. })) => 3,
            Self::Engine(Error::Mistake(_)) => EXIT_USAGE,
            Self::Cluster(ClusterError::Connect(_) | ClusterError::Refused { .. }) => 1,
            Self::Club(_) | Self::Cluster(_) | Self::Experiment(_) | Self::Site(_) => EXIT_USAGE,
            Self::Refused(_) | Self::Reported(NegativeResult::Refused | NegativeResult::Faulted) => 3,
            Self::Reported(NegativeResult::NotBetter) => 4,
            Self::Reported(NegativeResult::Undecided) => 5,
            Self::Reported(NegativeResult::Unconfined) => 6,
            Self::Reported(NegativeResult::Native(code)) => *code,
            Self::Interrupted(_) => EXIT_INTERRUPTED,
            Self::Closed => EXIT_CLOSED,
        }
    }
}

impl From<io::Error> for Failure {
    /// Results that cannot be printed.
    fn from(error: io::Error) -> Self {
        if is_reader_gone(&error) { Self::Closed } else { Self::Output(error) }
    }
}

impl From<ClubError> for Failure {
    fn from(error: ClubError) -> Self {
        match error {
            ClubError::Engine(error) => error.into(),
            ClubError::Workers(error) => error.into(),
            ClubError::Site(error) => error.into(),
            error => Self::Club(error),
        }
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Engine(error) => error.into(),
            error => Self::Cluster(error),
        }
    }
}

impl From<ExperimentError> for Failure {
    fn from(error: ExperimentError) -> Self {
        match error {
            ExperimentError::Engine(error) => error.into(),
            error => Self::Experiment(error),
        }
    }
}

impl From<SiteError> for Failure {
    fn from(error: SiteError) -> Self {
        match error {
            SiteError::Engine(error) => error.into(),
            SiteError::Stopped => Self::Interrupted(error.to_string()),
            error => Self::Site(error),
        }
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Error::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_the_exit_code_that_the_guide_lists() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        for (failure, code) in [
            (Failure::machine("cannot write a.db", full(), "make room"), 1),
            (HostError::Defect("no power".into()).into(), 1),
            (full().into(), 1),
            (HostError::Game("`observe` failed".into()).into(), 3),
            (Failure::usage("no bots", "name two"), 2),
            (ClubError::NoReason.into(), 2),
            (ClubError::from(Error::machine("cannot write a.db", full(), "make room")).into(), 1),
            (ClubError::from(SiteError::Stopped).into(), 130),
            (ClubError::from(ClusterError::NoRegister).into(), 2),
            (ClusterError::Refused { why: "it is slow".into() }.into(), 1),
            (ClusterError::from(HostError::Defect("no power".into())).into(), 1),
            (ExperimentError::NotAlone { why: "two sides".into() }.into(), 2),
            (SiteError::InUse { site: "site".into() }.into(), 2),
            (Failure::Refused("one bot is left".into()), 3),
            (Error::from(Mistake::BotsRefused { refused: 1 }).into(), 3),
            (Error::from(Mistake::TooFewBotsLeft { playing: 1 }).into(), 3),
            (Failure::Reported(NegativeResult::Refused), 3),
            (Failure::Reported(NegativeResult::Faulted), 3),
            (Failure::Reported(NegativeResult::NotBetter), 4),
            (Failure::Reported(NegativeResult::Undecided), 5),
            (Failure::Reported(NegativeResult::Unconfined), 6),
            (Failure::Interrupted("interrupted".into()), 130),
            (io::Error::from(io::ErrorKind::BrokenPipe).into(), 141),
        ] {
            assert_eq!(failure.exit_code(), code, "{failure}");
        }
    }
}
