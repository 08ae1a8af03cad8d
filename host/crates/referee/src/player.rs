//! The players that the referee asks, and the replies it may get.

use crate::{HostError, Stopped};
use arena_rules::{Game, Outcome, Seat};
use arena_text::Line;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A side of a game: a sandboxed component, a person, a client over a socket.
///
/// A player lives for one game. The referee calls `deploy` at most once and `play` for each attempt of each turn. After
/// any fault the referee calls [`Player::restart`] before it asks that player anything again.
pub trait Player<G: Game> {
    /// Returns the deployment, for the fuel given. The referee judges if it is legal. In a game without a deployment, no player is
    /// asked for one.
    fn deploy(&mut self, _game: &G::Info, _fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        Err(HostError::Defect("a player of a game without a deployment was asked for one".into()).into())
    }

    /// Returns the next action, for the fuel given. The rules judge if it is valid.
    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply>;

    /// Begins a turn, before its first attempt: the wall clock of a turn counts from here. A deployment is a turn in this
    /// sense.
    fn begin_turn(&mut self) {}

    /// Continues as a fresh instance without memory. The work is done now or at the next call, out of that call's fuel.
    ///
    /// # Errors
    /// A failure of the arena.
    fn restart(&mut self) -> Result<(), HostError> {
        Ok(())
    }

    /// Receives a notice, for a player that does not get this information with its calls, such as a client over a socket.
    /// Both sides get it, seat 1 first.
    fn hear(&mut self, _news: &GameNotice<'_, G>) {}
}

/// A notice about a game in progress, for a player.
#[derive(Clone, Copy, Debug)]
pub enum GameNotice<'a, G: Game> {
    /// A turn begins.
    Turn {
        /// True if it is this player's.
        mine: bool,
    },
    /// A turn has ended.
    Acted {
        /// The side of this player.
        me: Seat,
        /// The side that acted or faulted. It is the side to move, unless the other one went away.
        mover: Seat,
        /// The action; `None` when the side faulted instead.
        action: Option<&'a G::Action>,
        /// The effect; `None` when the action was not valid and lost, or the side faulted.
        effect: Option<&'a G::Effect>,
        /// The game after it.
        game: &'a G,
    },
    /// The game is over. It comes last, after the turn that ended it; it may come before any turn, if a side has not
    /// deployed.
    End {
        /// The side of this player.
        me: Seat,
        /// The winner, if there is one.
        outcome: Outcome,
    },
}

/// An answer and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply<T> {
    /// The answer.
    pub answer: T,
    /// The fuel used for it, exact and the same on every run.
    pub fuel_used: u64,
}

/// The reason why there is no answer: either the player's fault, which is data to score, or the arena's failure, which
/// never counts against it.
#[derive(Debug)]
pub enum NoReply {
    /// A fault of the player.
    Fault(Fault),
    /// A failure of the arena.
    Host(HostError),
    /// The other side went away while this one was asked to play. This one need not answer any more, and the fault is the
    /// other's. Only [`Player::play`] may return it.
    OpponentGone(Fault),
    /// The person who plays or watches has left, so the result is not needed.
    Left,
}

impl NoReply {
    /// Returns the player's fault.
    ///
    /// # Errors
    /// Any other reason, which stops the game.
    pub fn fault(self) -> Result<Fault, Stopped> {
        match self {
            Self::Fault(fault) => Ok(fault),
            Self::Host(error) => Err(Stopped::Host(error)),
            Self::OpponentGone(_) => {
                Err(HostError::Defect("a player that is not in a turn tells of its opponent".into()).into())
            }
            Self::Left => Err(Stopped::Left),
        }
    }
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

/// A line about a fault, of at most 200 characters. Chosen: it goes into one line of a table.
pub type Detail = Line<200>;

/// The name of a function on a stack, of at most 100 characters. Chosen: most names of functions in Rust with their modules.
pub type Frame = Line<100>;

/// A fault of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind, which the rules score.
    pub class: FaultClass,
    /// A line for the author, the same on every run.
    pub detail: Detail,
    /// The functions that were being called, the innermost first; empty if they are not known, or would not be the same on
    /// every run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stack: Vec<Frame>,
}

impl Fault {
    /// A fault of a class, with a line for the author and without a stack.
    pub fn new(class: FaultClass, detail: impl Into<Detail>) -> Self {
        Self { class, detail: detail.into(), stack: Vec::new() }
    }

    /// The same fault with a stack.
    pub fn with_stack(self, stack: Vec<Frame>) -> Self {
        Self { stack, ..self }
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
    /// An illegal deployment.
    BadDeploy,
    /// An action that the rules do not forgive.
    IllegalAction,
    /// A result that is not a value of its type: invalid text, a list out of bounds, a result over the size cap.
    BadResult,
    /// The instance could not be made: its start function trapped, or its data does not fit its memory.
    InitError,
    /// A client over a socket that went away. This may be in the other side's turn.
    Disconnected,
    /// A person who resigned.
    Resigned,
}

impl FaultClass {
    /// The name in transcripts and tables.
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
            Self::Resigned => "resigned",
        }
    }

    /// True if it is an overrun of a turn's budget, which rules may forgive; other faults always lose.
    pub const fn is_overrun(self) -> bool {
        matches!(self, Self::OutOfFuel | Self::WallClock)
    }
}

impl fmt::Display for FaultClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
