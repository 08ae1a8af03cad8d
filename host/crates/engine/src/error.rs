//! The ways in which the engine fails: what, why, and what to do next.

use crate::mistake::Mistake;
use arena_files::FileError;
use arena_referee::HostError;
use std::error::Error as Cause;
use std::{fmt, io};

/// The reason why the engine cannot do what it was asked for. Its text is [what](Self::what), with the cause, and the
/// [next step](Self::next), in a line each. Between them are two lines with all that a game depends on whose own code has failed.
#[derive(Debug)]
pub enum Error {
    /// Wrong input: nothing was played or written.
    Mistake(Mistake),
    /// The machine refuses an operation: the disk is full, a folder cannot be written to.
    Machine {
        /// The thing that cannot be done.
        what: String,
        /// The cause.
        cause: Box<dyn Cause + Send + Sync>,
        /// The next step.
        next: String,
    },
    /// The arena failed.
    Host(HostError),
}

impl Error {
    /// Wrong input that a program above the engine has found.
    pub fn usage(what: impl Into<String>, next: impl Into<String>) -> Self {
        Mistake::Other { what: what.into(), next: next.into() }.into()
    }

    /// A failure of the machine's. The next step is that of the cause if it is a limit of the system, and otherwise this one.
    pub fn machine(
        what: impl Into<String>,
        cause: impl Into<Box<dyn Cause + Send + Sync>>,
        next: impl Into<String>,
    ) -> Self {
        let cause = cause.into();
        let next = arena_resources::step_or(cause.as_ref(), next);
        Self::Machine { what: what.into(), cause, next }
    }

    /// A file that the user has named, and that cannot be read: wrong input, unless a limit of the system is the cause. It should be a
    /// `wanted` file, such as a journal.
    pub fn unreadable(
        file: impl fmt::Display,
        error: FileError,
        wanted: &'static str,
        next: impl Into<String>,
    ) -> Self {
        match error {
            FileError::Io(error) if arena_resources::is_limit(&error) => {
                Self::machine(format!("{file}: cannot be read"), error, next)
            }
            error => Mistake::File { file: file.to_string(), error, wanted, next: next.into() }.into(),
        }
    }

    /// The problem, its place and its cause, in one line.
    pub fn what(&self) -> String {
        match self {
            Self::Mistake(mistake) => mistake.parts().0,
            Self::Machine { what, cause, .. } => format!("{what}: {}", reason(cause.as_ref())),
            // That is not the arena's failure.
            Self::Host(error @ HostError::Game(_)) => format!("{error}; no bot is charged with it"),
            Self::Host(error) => format!("the arena failed: {}", error.problem()),
        }
    }

    /// The next step.
    pub fn next(&self) -> String {
        match self {
            Self::Mistake(mistake) => mistake.parts().1,
            Self::Machine { next, .. } => next.clone(),
            Self::Host(HostError::Game(_)) => {
                "repair the game, and try it with `arena check`; a repaired game is another game, and needs a new journal".into()
            }
            Self::Host(error) => {
                let usual = "run it again; if it fails again, report this message with the command";
                error.trouble().next().unwrap_or(usual).into()
            }
        }
    }

    /// The error of a library or of the system that is the cause.
    pub fn cause(&self) -> Option<&(dyn Cause + Send + Sync + 'static)> {
        match self {
            Self::Mistake(_) => None,
            Self::Machine { cause, .. } => Some(cause.as_ref()),
            Self::Host(error) => error.trouble().cause(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        let reproduction = if let Self::Host(error) = self { error.trouble().reproduction() } else { None };
        reproduction.unwrap_or_default().lines().try_for_each(|line| write!(f, "\n  {line}"))?;
        write!(f, "\n  next: {}", self.next())
    }
}

// The text includes the cause, so `source` does not return it: a printed chain of sources would repeat it.
impl Cause for Error {}

impl From<Mistake> for Error {
    fn from(mistake: Mistake) -> Self {
        Self::Mistake(mistake)
    }
}

impl From<HostError> for Error {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// The words for a cause.
fn reason(cause: &(dyn Cause + Send + Sync + 'static)) -> String {
    cause.downcast_ref::<io::Error>().map_or_else(|| cause.to_string(), arena_files::reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_referee::Trouble;

    #[test]
    fn a_file_that_a_limit_keeps_closed_is_not_the_mistake_of_the_user() {
        let unreadable = |number| {
            let error = FileError::Io(io::Error::from_raw_os_error(number));
            Error::unreadable("a.wasm", error, "bot", "check the path").to_string()
        };
        // The numbers of the errors on Linux.
        assert_eq!(unreadable(13), "a.wasm: cannot be read: you have no permission\n  next: check the path");
        let full = unreadable(24);
        assert!(
            full.starts_with("a.wasm: cannot be read: Too many open files\n  next: allow this program"),
            "{full}"
        );
        assert!(full.contains("(`ulimit -n`)"), "{full}");
        let error = FileError::Io(io::Error::from_raw_os_error(24));
        assert!(matches!(Error::unreadable("a", error, "bot", ""), Error::Machine { .. }));
    }

    #[test]
    fn an_error_has_its_cause_and_the_next_step() {
        // The number of the error on Linux.
        let full = || io::Error::from_raw_os_error(28);
        for (error, text) in [
            (
                Error::usage("a.db: is no journal", "name another"),
                "a.db: is no journal\n  next: name another",
            ),
            (
                Error::machine("cannot write a.db", full(), "name another folder"),
                "cannot write a.db: no space is left on the disk\n  next: make room on the disk, or name another folder",
            ),
            (
                HostError::Machine(Trouble::from("cannot start it").because(full()).with_next("end others"))
                    .into(),
                "the arena failed: cannot start it: No space left on device (os error 28)\n  next: end others",
            ),
            (
                HostError::machine("cannot start a process", full()).into(),
                "the arena failed: cannot start a process: No space left on device (os error 28)\n  next: run it again; if it fails again, \
                 report this message with the command",
            ),
            (
                HostError::Game(Trouble::from("`observe` failed").because(full()))
                    .in_turn(3, Some("the seed\nthe turns".into()))
                    .into(),
                "the game itself failed in turn 3: `observe` failed: No space left on device (os error 28); no bot is charged with it\n  \
                 the seed\n  the turns\n  \
                 next: repair the game, and try it with `arena check`; a repaired game is another game, and needs a new journal",
            ),
        ] {
            assert_eq!(error.to_string(), text);
            let kind = error.cause().and_then(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
            let is_mistake = matches!(error, Error::Mistake(_));
            assert_eq!(kind, (!is_mistake).then_some(io::ErrorKind::StorageFull), "{error}");
        }
        let forbidden =
            Error::machine("cannot write a.db", io::Error::from_raw_os_error(13), "name another folder");
        assert_eq!(
            forbidden.to_string(),
            "cannot write a.db: you have no permission\n  next: name another folder"
        );
    }
}
