//! The faults of a game.

use arena_referee::{FaultClass, HostError, NoReply};
use arena_rules::loaded::Breach;
use arena_text::Line;
use serde::{Deserialize, Serialize};

/// The kinds of a game's faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// A function is missing, or has another type than the contract's.
    WrongTypes,
    /// A call failed: a trap, no fuel left, too much memory, a result that is too large.
    Failed(FaultClass),
    /// A value is not as the contract requires.
    BadValue,
    /// Two answers cannot both be true.
    Contradiction,
    /// A game has more turns than its cap.
    Endless,
    /// A game that was played again differs.
    NotDeterministic,
    /// A player sees what is hidden.
    GivesAway,
}

impl FaultKind {
    /// The name of the kind in tables and machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WrongTypes => "wrong-types",
            Self::Failed(class) => class.name(),
            Self::BadValue => "bad-value",
            Self::Contradiction => "contradiction",
            Self::Endless => "endless",
            Self::NotDeterministic => "not-deterministic",
            Self::GivesAway => "gives-away",
        }
    }
}

/// A fault of a game, with the call in which it was found. Its text is safe to print.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("`{call}` {what}")]
pub struct GameFault {
    /// The kind.
    pub kind: FaultKind,
    /// The function of the contract.
    pub call: Line<64>,
    /// One line that reads on from the name of the function.
    pub what: Line<400>,
}

impl GameFault {
    /// A fault. The text is made plain here.
    pub(crate) fn new(kind: FaultKind, call: &str, what: impl AsRef<str>) -> Self {
        Self { kind, call: Line::new(call), what: Line::new(what.as_ref()) }
    }

    /// The fault that an action which a function has returned as legal is refused, for this reason.
    pub(crate) fn refused_as_legal(function: &str, action: &str, why: &str) -> Self {
        let [action, why] = [action, why].map(short);
        let what = format!("refuses {action}, which `{function}` has as legal: {why}");
        Self::new(FaultKind::Contradiction, "apply-action", what)
    }
}

/// A text within a sentence. Chosen: it fits a line with the sentence.
pub(crate) fn short(text: &str) -> String {
    arena_text::line(text, 100)
}

/// The reason why a game has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The game's mistake.
    #[error(transparent)]
    Game(#[from] GameFault),
    /// A failure of the arena.
    #[error(transparent)]
    Host(#[from] HostError),
}

impl From<Breach> for Error {
    fn from(breach: Breach) -> Self {
        let kind = match breach {
            Breach::OverAtStart => FaultKind::Contradiction,
            Breach::Endless(_) => FaultKind::Endless,
            Breach::TooMuchText(_) | Breach::BadScore { .. } => FaultKind::BadValue,
            Breach::StrayScores | Breach::NoScores => FaultKind::Contradiction,
        };
        GameFault::new(kind, breach.call(), breach.to_string()).into()
    }
}

impl Error {
    /// The end of a call that has no answer.
    pub(crate) fn of_call(call: &str, why: NoReply) -> Self {
        match why {
            NoReply::Fault(fault) => {
                let place = fault.stack.first().map_or(String::new(), |frame| format!(", in `{frame}`"));
                let what = format!("failed: {}{place}", fault.detail);
                GameFault::new(FaultKind::Failed(fault.class), call, what).into()
            }
            NoReply::Host(error) => error.into(),
            NoReply::Left | NoReply::OpponentGone(_) => {
                HostError::Defect("a game has no opponent that waits for it".into()).into()
            }
        }
    }
}
