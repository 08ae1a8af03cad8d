//! The seats and endings of all games.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A side of the game. In a pair of games the players swap seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Seat {
    /// Seat 1. It moves first unless the rules draw the starter.
    First,
    /// Seat 2.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 or 1, the index into a pair.
    pub const fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }

    /// The opponent's seat.
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::First => 1,
            Seat::Second => 2,
        }
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            _ => Err(format!("there is no seat {number}: seats are 1 and 2")),
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A side won.
    Win(Seat),
    /// Neither side won.
    Draw,
    /// The game does not count: neither side placed a legal fleet.
    NoContest,
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// All of one side's ships were sunk.
    FleetSunk,
    /// All ships of both sides were sunk in one round.
    BothFleetsSunk,
    /// Both sides skipped, one after the other.
    BothSkipped,
    /// Both sides took all their turns.
    TurnsMax,
    /// A side lost by a fault.
    Forfeit,
    /// One side placed no legal fleet.
    BadDeploy,
    /// Neither side placed a legal fleet.
    BothBadDeploy,
}

impl Reason {
    /// The reason as a sentence about the loser, who is not named in a draw.
    pub fn sentence(self, loser: &str) -> String {
        match self {
            Self::FleetSunk => format!("all ships of {loser} are sunk"),
            Self::BothFleetsSunk => "all ships of both sank in one round".into(),
            Self::BothSkipped => "both skipped, one after the other".into(),
            Self::TurnsMax => "all turns are taken".into(),
            Self::Forfeit => format!("{loser} lost by a fault"),
            Self::BadDeploy => format!("{loser} placed no legal fleet"),
            Self::BothBadDeploy => "neither placed a legal fleet".into(),
        }
    }
}

/// A few words, for a column of a table.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FleetSunk => "fleet sunk",
            Self::BothFleetsSunk => "both fleets sunk",
            Self::BothSkipped => "both skipped",
            Self::TurnsMax => "all turns taken",
            Self::Forfeit => "forfeit",
            Self::BadDeploy => "no legal fleet",
            Self::BothBadDeploy => "neither has a legal fleet",
        })
    }
}

/// Returns both setups if both sides have a legal one.
///
/// A bad or late deployment loses. If both are bad or late, the game is no contest.
///
/// # Errors
/// The end of a game in which a setup is missing.
pub fn judge_deployments<S>(setups: [Option<S>; 2]) -> Result<[S; 2], (Outcome, Reason)> {
    match setups {
        [Some(first), Some(second)] => Ok([first, second]),
        [Some(_), None] => Err((Outcome::Win(Seat::First), Reason::BadDeploy)),
        [None, Some(_)] => Err((Outcome::Win(Seat::Second), Reason::BadDeploy)),
        [None, None] => Err((Outcome::NoContest, Reason::BothBadDeploy)),
    }
}
