//! The failures of a game whose code is loaded at run time.

use serde::{Deserialize, Serialize};

/// The reason why a call of a game's code has no answer. It may quote the code, so it is made plain where it is printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Failure {
    /// The code failed, or contradicts itself: the call, and why. Its author is to mend it.
    #[error("{0}")]
    Game(String),
    /// The arena or its machine failed, as when a process is killed. It says nothing about the game.
    #[error("{0}")]
    Arena(String),
}

impl<T: Into<String>> From<T> for Failure {
    fn from(why: T) -> Self {
        Self::Game(why.into())
    }
}
