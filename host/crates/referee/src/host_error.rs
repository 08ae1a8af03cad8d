//! The failures of the arena and of its machine.

use crate::Detail;
use arena_rules::Failure;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A failure of the arena or of its machine. The game it happens in has no result.
///
/// Its text has all of it: what failed, the cause, and the next step if there is one. So the cause is not its
/// [`source`](Error::source), but that of its [`trouble`](Self::trouble).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// The machine has no room, or its system refuses something.
    #[error("{0}")]
    Machine(Trouble),
    /// A confined process has ended, or sent an invalid message.
    #[error("{0}")]
    Process(Trouble),
    /// Workers on other machines could not do it.
    #[error("{0}")]
    Worker(Trouble),
    /// The code of the game has failed, which its author wrote, and no bot.
    #[error("the game itself failed{place}: {0}", place = .0.place())]
    Game(Trouble),
    /// An impossible state: the arena's code is wrong.
    #[error("{0}")]
    Defect(Trouble),
    /// The arena's code has panicked.
    #[error("a panic: {0}")]
    Panic(Trouble),
}

impl HostError {
    /// A failure of the machine's, with its cause.
    pub fn machine(what: impl Into<Trouble>, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Machine(what.into().because(cause))
    }

    /// A defect of the arena, fully described by an error that cannot happen.
    pub fn defect(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Defect(Trouble::of(cause))
    }

    /// The description, for any kind.
    pub fn trouble(&self) -> &Trouble {
        match self {
            Self::Machine(trouble)
            | Self::Process(trouble)
            | Self::Worker(trouble)
            | Self::Game(trouble)
            | Self::Defect(trouble)
            | Self::Panic(trouble) => trouble,
        }
    }

    /// The text without the next step.
    pub fn problem(&self) -> String {
        let mut problem = self.clone();
        problem.parts().next = None;
        problem.to_string()
    }

    /// The same failure with a note at its end, in parentheses, on the number of tries.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<Cow<'static, str>>) -> Self {
        self.parts().note = Some(note.into());
        self
    }

    /// The same failure, with the file that it is about.
    #[must_use]
    pub fn with_file(mut self, file: impl fmt::Display) -> Self {
        let parts = self.parts();
        let colon = if parts.what.is_empty() { "" } else { ": " };
        parts.what = format!("{file}{colon}{}", parts.what).into();
        self
    }

    /// The same failure, with the game in which it happened, if a game's own code has failed and it is not known yet: `game 7`.
    #[must_use]
    pub fn in_game(mut self, game: impl fmt::Display) -> Self {
        if let Self::Game(trouble) = &mut self {
            trouble.0.game.get_or_insert_with(|| game.to_string());
        }
        self
    }

    /// The same failure, with its turn, of both sides together and from 1, and all that the game depends on until then, if a game's own code
    /// has failed and they are not known yet.
    #[must_use]
    pub fn in_turn(mut self, turn: u32, reproduction: Option<String>) -> Self {
        if let Self::Game(trouble) = &mut self
            && trouble.0.turn.is_none()
        {
            (trouble.0.turn, trouble.0.reproduction) = (Some(turn), reproduction);
        }
        self
    }

    fn parts(&mut self) -> &mut Parts {
        match self {
            Self::Machine(trouble)
            | Self::Process(trouble)
            | Self::Worker(trouble)
            | Self::Game(trouble)
            | Self::Defect(trouble)
            | Self::Panic(trouble) => &mut trouble.0,
        }
    }
}

impl From<Failure> for HostError {
    /// The text is made plain: it may quote the code.
    fn from(failure: Failure) -> Self {
        let plain = |why: &str| Trouble::from(Detail::from(why).to_string());
        match failure {
            Failure::Game(why) => Self::Game(plain(&why)),
            Failure::Arena(why) => Self::Process(plain(&why)),
        }
    }
}

/// The problem, the cause, and the next step. It is boxed, so that results which are nearly always good stay small.
#[derive(Clone, Debug)]
pub struct Trouble(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    /// The problem; empty if the cause describes it.
    what: Cow<'static, str>,
    /// The error of a library or of the system.
    cause: Option<Arc<dyn Error + Send + Sync>>,
    next: Option<Cow<'static, str>>,
    note: Option<Cow<'static, str>>,
    /// The game in which a game's own code has failed, its turn, and all that it depends on until then.
    game: Option<String>,
    turn: Option<u32>,
    reproduction: Option<String>,
}

impl Trouble {
    fn new(what: Cow<'static, str>) -> Self {
        Self(Box::new(Parts {
            what,
            cause: None,
            next: None,
            note: None,
            game: None,
            turn: None,
            reproduction: None,
        }))
    }

    /// An error that is the whole description.
    pub fn of(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::new("".into()).because(cause)
    }

    /// The same with its cause.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into().into());
        self
    }

    /// The same with the next step.
    #[must_use]
    pub fn with_next(mut self, step: impl Into<Cow<'static, str>>) -> Self {
        self.0.next = Some(step.into());
        self
    }

    /// The problem without its cause; empty if the cause describes it.
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// The error of a library or of the system that is the cause.
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.0.cause.as_deref()
    }

    /// All that a game depends on whose own code has failed, as lines for its author, if it is known.
    pub fn reproduction(&self) -> Option<&str> {
        self.0.reproduction.as_deref()
    }

    /// The place where a game's own code has failed, as text that reads on from "failed".
    fn place(&self) -> String {
        match (&self.0.game, self.0.turn) {
            (Some(game), Some(turn)) => format!(" in {game}, turn {turn}"),
            (Some(game), None) => format!(" in {game}"),
            (None, Some(turn)) => format!(" in turn {turn}"),
            (None, None) => String::new(),
        }
    }

    /// The next step, if there is one besides trying it again.
    pub fn next(&self) -> Option<&str> {
        self.0.next.as_deref()
    }
}

impl From<&'static str> for Trouble {
    fn from(what: &'static str) -> Self {
        Self::new(what.into())
    }
}

impl From<String> for Trouble {
    fn from(what: String) -> Self {
        Self::new(what.into())
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { what, cause, next, note, .. } = &*self.0;
        f.write_str(what)?;
        if let Some(cause) = cause {
            let colon = if what.is_empty() { "" } else { ": " };
            write!(f, "{colon}{cause}")?;
        }
        if let Some(next) = next {
            write!(f, "; {next}")?;
        }
        match note {
            Some(note) => write!(f, " ({note})"),
            None => Ok(()),
        }
    }
}

impl PartialEq for Trouble {
    /// Compares the texts: errors of libraries cannot be compared.
    fn eq(&self, other: &Self) -> bool {
        let all = |it: &Self| (it.to_string(), it.place(), it.0.reproduction.clone());
        all(self) == all(other)
    }
}

impl Eq for Trouble {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn a_failure_says_what_why_and_what_to_do_next() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let room = || HostError::machine("cannot keep the code", full());
        let failed = || HostError::Game("`apply-action` failed".into());
        let HostError::Machine(trouble) = room() else { panic!("it is the machine's") };
        for (error, text) in [
            (HostError::Panic("no light".into()), "a panic: no light"),
            (room(), "cannot keep the code: no storage space"),
            (HostError::defect(full()), "no storage space"),
            (room().with_note("3 times"), "cannot keep the code: no storage space (3 times)"),
            (room().with_file("a.wasm"), "a.wasm: cannot keep the code: no storage space"),
            (failed(), "the game itself failed: `apply-action` failed"),
            (failed().in_game("game 7"), "the game itself failed in game 7: `apply-action` failed"),
            (failed().in_turn(2, None), "the game itself failed in turn 2: `apply-action` failed"),
            (
                failed().in_turn(2, None).in_turn(3, None).in_game("game 7").in_game("game 8"),
                "the game itself failed in game 7, turn 2: `apply-action` failed",
            ),
            (room().in_game("game 7"), "cannot keep the code: no storage space"),
            (HostError::defect(full()).with_file("a.wasm"), "a.wasm: no storage space"),
            (
                HostError::Machine(trouble.clone().with_next("make room")),
                "cannot keep the code: no storage space; make room",
            ),
        ] {
            assert_eq!(error.to_string(), text);
        }
        let with_next = HostError::Machine(trouble.clone().with_next("make room"));
        assert_eq!(with_next.problem(), "cannot keep the code: no storage space");
        let cause = trouble.cause().and_then(|cause| cause.downcast_ref::<io::Error>());
        assert_eq!(cause.map(io::Error::kind), Some(io::ErrorKind::StorageFull));
        assert_eq!(room(), room());
        assert_ne!(room(), HostError::Process(trouble));
    }
}
