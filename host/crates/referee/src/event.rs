//! What happened in a game, in order. A recording holds the same events, so a replay is shown by the same code.

use crate::Fault;
use arena_rules::submarine::{Action, Positions, Report};
use arena_rules::{Coord, Invalid, Outcome, Placement, Reason, Seat, ShotResult};
use serde::{Deserialize, Serialize};

/// One thing that happened in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// A side's legal fleet is in place.
    Deployed {
        /// Whose fleet.
        seat: Seat,
        /// Its ships, in the order of the fleet.
        fleet: Vec<Placement>,
        /// The fuel the deployment took; none when the engine placed it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        fuel: Option<u64>,
    },
    /// A turn that a side took: it shot.
    Shot {
        /// Who.
        seat: Seat,
        /// The number of this side's turn, from 1.
        turn: u32,
        /// Where.
        at: Coord,
        /// What it met.
        result: ShotResult,
        /// The fuel of the whole turn.
        fuel: u64,
        /// The attempts that were not valid, if there were any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        attempts: Option<Attempts>,
    },
    /// A turn that a side took: it did not shoot, by its own answer.
    Skipped {
        /// Who.
        seat: Seat,
        /// The number of this side's turn, from 1.
        turn: u32,
        /// The fuel of the whole turn.
        fuel: u64,
        /// The attempts that were not valid, if there were any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        attempts: Option<Attempts>,
    },
    /// A turn that a side wasted on a spot that the rules do not forgive.
    Wasted {
        /// Who.
        seat: Seat,
        /// The number of this side's turn, from 1.
        turn: u32,
        /// Where.
        at: Coord,
        /// What was wrong with it.
        why: Invalid,
        /// What a repeated shot met, the same again.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        result: Option<ShotResult>,
        /// The fuel of the whole turn.
        fuel: u64,
        /// The attempts that were not valid, if there were any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        attempts: Option<Attempts>,
    },
    /// A side's ships are in place, in submarine.
    Positioned {
        /// Whose ships.
        seat: Seat,
        /// Where they are.
        positions: Positions,
        /// The fuel the deployment took.
        fuel: u64,
    },
    /// A turn that a side took, in submarine.
    Acted {
        /// Who.
        seat: Seat,
        /// The number of this side's turn, from 1.
        turn: u32,
        /// What it did.
        action: Action,
        /// What both sides were told of it.
        report: Report,
        /// The fuel of the turn.
        fuel: u64,
    },
    /// A side's fault, and what the rules make of it.
    Fault {
        /// Who.
        seat: Seat,
        /// The number of this side's turn, from 1; 0 for the deployment.
        turn: u32,
        /// What it did.
        fault: Fault,
        /// What follows.
        verdict: Verdict,
        /// The attempts of this turn that were not valid, if there were any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        attempts: Option<Attempts>,
    },
    /// The game is over.
    End {
        /// Who won, if anyone.
        outcome: Outcome,
        /// Why it is over.
        reason: Reason,
        /// False when a verdict came from the clock: playing it again may end otherwise.
        reproducible: bool,
    },
}

impl Event {
    /// Whose event it is; none for the end of the game.
    pub const fn seat(&self) -> Option<Seat> {
        match self {
            Self::Deployed { seat, .. }
            | Self::Shot { seat, .. }
            | Self::Skipped { seat, .. }
            | Self::Wasted { seat, .. }
            | Self::Positioned { seat, .. }
            | Self::Acted { seat, .. }
            | Self::Fault { seat, .. } => Some(*seat),
            Self::End { .. } => None,
        }
    }

    /// The fuel of a call that ended well. A call that faulted has none: it is not exact after some traps.
    pub const fn fuel(&self) -> Option<u64> {
        match self {
            Self::Deployed { fuel, .. } => *fuel,
            Self::Shot { fuel, .. }
            | Self::Skipped { fuel, .. }
            | Self::Wasted { fuel, .. }
            | Self::Positioned { fuel, .. }
            | Self::Acted { fuel, .. } => Some(*fuel),
            Self::Fault { .. } | Self::End { .. } => None,
        }
    }
}

/// The attempts of a turn that were not valid. A bot may make a thousand in a turn, so they are counted, not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Attempts {
    /// How many.
    pub invalid: u32,
    /// The first one's spot.
    pub first: Coord,
    /// What was wrong with the first one.
    pub why: Invalid,
}

/// What the rules make of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The turn is skipped; the player goes on as a fresh instance.
    TurnSkipped,
    /// The side has no fleet, and so loses, unless the other has none either.
    NoFleet,
    /// The side loses.
    Loses,
}
