//! The events of a game, in order. A recording holds the same events, so replays and live games share the code that
//! shows them.

use crate::Fault;
use arena_rules::{Game, Outcome, Reason, Scores, Seat};
use serde::{Deserialize, Serialize};

/// An event of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", bound = "")]
pub enum Event<G: Game> {
    /// A side's legal deployment is in place.
    Placed {
        /// The side.
        seat: Seat,
        /// The deployment, in the form in which a player answers it.
        deployment: G::Deployment,
        /// The fuel of the call; `None` when the engine placed it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        fuel: Option<u64>,
    },
    /// A side took a turn.
    Acted {
        /// The side.
        seat: Seat,
        /// The number of this side's turn, from 1.
        turn: u32,
        /// The action.
        action: G::Action,
        /// The effect of it by the rules.
        effect: G::Effect,
        /// The fuel of the whole turn.
        fuel: u64,
        /// The attempts before it that were not valid, if any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        attempts: Option<Attempts<G>>,
    },
    /// A side faulted, and the rules judged it.
    Faulted {
        /// The side. It is the side to move, unless it is a client that went away in the other side's turn.
        seat: Seat,
        /// The number of this side's turn, from 1; 0 for the deployment. Of a side that is not to move, its next one.
        turn: u32,
        /// The fault.
        fault: Fault,
        /// The consequence.
        verdict: Verdict,
        /// The attempts of this turn that were not valid, if any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        attempts: Option<Attempts<G>>,
    },
    /// The game is over. It is the last event.
    Ended {
        /// The winner, if there is one.
        outcome: Outcome,
        /// The reason.
        reason: Reason,
        /// The scores, if the game has any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        scores: Option<Scores>,
        /// False if a verdict came from the clock: played again, the game may end differently.
        reproducible: bool,
    },
}

impl<G: Game> Event<G> {
    /// The side whose event it is; `None` for the end of the game.
    pub const fn seat(&self) -> Option<Seat> {
        match self {
            Self::Placed { seat, .. } | Self::Acted { seat, .. } | Self::Faulted { seat, .. } => Some(*seat),
            Self::Ended { .. } => None,
        }
    }

    /// The number of the turn; 0 for a deployment, `None` for the end of the game.
    pub const fn turn(&self) -> Option<u32> {
        match self {
            Self::Placed { .. } => Some(0),
            Self::Acted { turn, .. } | Self::Faulted { turn, .. } => Some(*turn),
            Self::Ended { .. } => None,
        }
    }

    /// The fuel of a call that ended well. It is omitted for a call that faulted: it is not exact after some traps.
    pub const fn fuel(&self) -> Option<u64> {
        match self {
            Self::Placed { fuel, .. } => *fuel,
            Self::Acted { fuel, .. } => Some(*fuel),
            Self::Faulted { .. } | Self::Ended { .. } => None,
        }
    }
}

/// The attempts of a turn that were not valid. A bot may make a thousand in a turn, so they are counted, not listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", bound = "")]
pub struct Attempts<G: Game> {
    /// The number of attempts.
    pub invalid: u32,
    /// The first one.
    pub first: G::Action,
    /// The reason why the first one is not valid.
    pub why: G::Invalid,
}

/// The consequence of a fault by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The turn is skipped; the player continues as a fresh instance.
    TurnSkipped,
    /// The side has no legal deployment, and so loses, unless the other side has no legal one either.
    NotPlaced,
    /// The side loses.
    Loses,
}
