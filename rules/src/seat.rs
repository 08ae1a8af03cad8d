//! The seats and endings of all games.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A side of the game. In a pair of games the players swap seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Seat {
    /// Seat 1. It begins unless the rules draw the starter.
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

/// The reason why a game ended: one that all games share, or one of the game's own.
///
/// It is recorded as its name in kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Reason {
    /// A reason of the game's own. A win for it was won on the board; no win for a shared reason was.
    Own(OwnReason),
    /// Both sides took all their turns.
    TurnsMax,
    /// A side lost by a fault.
    Forfeit,
    /// One side placed no legal fleet.
    BadDeploy,
    /// Neither side placed a legal fleet.
    BothBadDeploy,
}

/// The name of a reason of a game's own: small letters, digits and single hyphens, as `fleet-sunk`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OwnReason {
    length: u8,
    /// The name, and zeros after it.
    bytes: [u8; Self::LENGTH_MAX],
}

impl OwnReason {
    /// The largest length of a name in bytes. Chosen: a few words, for a column of a table.
    pub const LENGTH_MAX: usize = 31;

    /// The reason with this name; `None` if it is not such a name.
    pub const fn new(name: &str) -> Option<Self> {
        let (name, mut bytes) = (name.as_bytes(), [0; Self::LENGTH_MAX]);
        if name.len() > Self::LENGTH_MAX {
            return None;
        }
        // A name neither begins nor ends with a hyphen, nor has two in a row.
        let (mut at, mut before) = (0, b'-');
        while at < name.len() {
            match (name[at], before) {
                (b'-', b'-') => return None,
                (b'a'..=b'z' | b'0'..=b'9' | b'-', _) => {}
                _ => return None,
            }
            before = name[at];
            bytes[at] = before;
            at += 1;
        }
        if before == b'-' { None } else { Some(Self { length: name.len() as u8, bytes }) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        str::from_utf8(&self.bytes[..self.length.into()]).expect("a name is ASCII")
    }
}

impl fmt::Debug for OwnReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Reason {
    /// The shared reasons with their names.
    const SHARED: [(&str, Self); 4] = [
        ("turns-max", Self::TurnsMax),
        ("forfeit", Self::Forfeit),
        ("bad-deploy", Self::BadDeploy),
        ("both-bad-deploy", Self::BothBadDeploy),
    ];

    /// The reason of a game's own with this name, for a constant.
    ///
    /// # Panics
    /// If it is not the name of an [`OwnReason`].
    pub const fn own(name: &str) -> Self {
        Self::Own(OwnReason::new(name).expect("it is small letters, digits and single hyphens, and short"))
    }

    /// True if a side that won for this reason won on the board.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// The reason as a sentence about the loser, who is not named in a draw. A game's own is its name in words.
    pub fn sentence(self, loser: &str) -> String {
        match self {
            Self::Own(_) => self.to_string(),
            Self::TurnsMax => "all turns are taken".into(),
            Self::Forfeit => format!("{loser} lost by a fault"),
            Self::BadDeploy => format!("{loser} placed no legal fleet"),
            Self::BothBadDeploy => "neither placed a legal fleet".into(),
        }
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        let shared = || Reason::SHARED.iter().find(|(_, shared)| *shared == reason);
        match reason {
            Reason::Own(own) => own.name().into(),
            _ => shared().expect("every shared reason has a name").0.into(),
        }
    }
}

impl TryFrom<String> for Reason {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let shared = Self::SHARED.iter().find(|(shared, _)| *shared == name).map(|&(_, reason)| reason);
        let own = || OwnReason::new(&name).map(Self::Own);
        shared.or_else(own).ok_or_else(|| "a game ends for no such reason".into())
    }
}

/// A few words, for a column of a table.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own(own) => return f.write_str(&own.name().replace('-', " ")),
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
