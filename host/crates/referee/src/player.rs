//! What the referee asks of a player, and what it may get instead of an answer.

use arena_rules::{Coord, GameInfo, Placement, View};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A side of a game, whatever it is made of: a sandboxed component, a person, a client over a socket.
///
/// A player has one life a game. The referee calls `deploy` at most once and `play` for each attempt of each turn. After
/// any fault the referee calls [`Player::restart`] before it asks that player anything again.
pub trait Player {
    /// The fleet, for the fuel given. Any list is an answer; the referee judges whether it is legal.
    fn deploy(&mut self, game: &GameInfo, fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply>;

    /// The next shot, or none to skip, for the fuel given. Any spot is an answer; the rules judge it.
    fn play(&mut self, game: &GameInfo, view: &View, fuel: u64) -> Result<Reply<Option<Coord>>, NoReply>;

    /// Called as a turn begins, before its first attempt: the wall clock of a turn counts from here. A deployment is a
    /// turn in this sense.
    fn begin_turn(&mut self) {}

    /// Goes on as a fresh instance that remembers nothing. The work is done now or at the next call, out of that call's
    /// fuel.
    fn restart(&mut self) -> Result<(), HostError>;
}

/// An answer and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply<T> {
    /// What the player answered.
    pub answer: T,
    /// The fuel it used for it, exact and the same on every run.
    pub fuel_used: u64,
}

/// Why there is no answer: either the player's fault, which is data to score, or ours, which never counts against it.
#[derive(Debug)]
pub enum NoReply {
    /// The player did it.
    Fault(Fault),
    /// We did it.
    Host(HostError),
}

impl From<Fault> for NoReply {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<HostError> for NoReply {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// A failure of the arena or of its machine. The game it happens in has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HostError(pub String);

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of it, which the rules score.
    pub class: FaultClass,
    /// One line for the author: what happened. It is free of control characters, and the same on every run.
    pub detail: String,
}

impl Fault {
    /// A fault of a class, with a line for the author.
    pub fn new(class: FaultClass, detail: impl Into<String>) -> Self {
        Self { class, detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.detail)
    }
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultClass {
    /// The budget of a turn or deployment ran out. The same on every machine.
    OutOfFuel,
    /// The watchdog's time ran out with fuel left. It says more about the machine than about the player, and it is not
    /// reproducible.
    WallClock,
    /// A trap: a panic, a division by zero, an access out of bounds.
    Trap,
    /// Recursion too deep.
    StackOverflow,
    /// More memory or table space than the cap.
    OutOfMemory,
    /// A fleet that is not legal.
    BadDeploy,
    /// A shot or a skip that the rules do not forgive.
    IllegalAction,
    /// A result that is no value of its type: invalid text, a list out of bounds, a result over the size cap.
    BadResult,
    /// The instance could not be made: its start function trapped, or its data does not fit its memory.
    InitError,
    /// A client over a socket that went away.
    Disconnected,
}

impl FaultClass {
    /// Its name in transcripts and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OutOfFuel => "out-of-fuel",
            Self::WallClock => "wall-clock",
            Self::Trap => "trap",
            Self::StackOverflow => "stack-overflow",
            Self::OutOfMemory => "out-of-memory",
            Self::BadDeploy => "bad-deploy",
            Self::IllegalAction => "illegal-action",
            Self::BadResult => "bad-result",
            Self::InitError => "init-error",
            Self::Disconnected => "disconnected",
        }
    }

    /// Whether it is an overrun of a turn's budget, which the rules may forgive, and not a failure, which they never do.
    pub const fn is_overrun(self) -> bool {
        matches!(self, Self::OutOfFuel | Self::WallClock)
    }
}

impl fmt::Display for FaultClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
