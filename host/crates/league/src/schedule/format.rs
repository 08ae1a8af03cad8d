//! The formats, and the checks that a tournament can be scheduled.

use super::knockout::TIE_BREAK_PAIRS_MAX;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most games of a tournament. Chosen: a list of ten million fixtures takes 240 MB, and as many games of one
/// millisecond take three hours.
pub const GAMES_MAX: u64 = 10_000_000;

/// The most contestants of a Swiss. Measured: pairing 1,000 takes about a second and 180 MB, and four seconds if all
/// have the same points; pairing 500 takes a tenth of a second and 40 MB, and half a second at worst.
pub const SWISS_CONTESTANTS_MAX: usize = 1_000;

/// The format of a tournament: who meets whom.
///
/// Games come in pairs, which have the same random seeds with the seats swapped. In formats whose next round depends on
/// results, an incomplete pair, of which a game has no result because of a failure of the arena, counts as drawn,
/// regardless of the other game's result: the bot whose seat was favoured by the seeds in that game must not profit
/// from the failure. A game that ended as no contest has a result, in which neither side scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// A match between every two contestants, all in one round. A pair of games of each match comes before the next pair of
    /// any, so that the table is fair at any moment.
    #[default]
    RoundRobin,
    /// A match of each challenger against each of the other contestants, all in one round, in the same order. Challengers do
    /// not meet each other, nor do the others.
    Gauntlet {
        /// The number of challengers, who are the contestants named first. From 1 to one less than all contestants.
        challengers: u32,
    },
    /// A match between every two contestants whose places are at most this number apart, all in one round, in the same order. The
    /// contestants are named by strength, so that near ones are about equal.
    Neighbours {
        /// The largest distance of two places, at least one.
        neighbours: u32,
    },
    /// A Swiss: every round pairs contestants with about the same points who have not met, as far as possible.
    ///
    /// The rules are the basic ones of the FIDE Handbook, C.04.1: two contestants do not meet twice; if their number is
    /// odd, one has a bye, which is worth a won match, and no contestant has a second bye before everyone has had one;
    /// opponents have about the same points. If the rules conflict, fair byes come first, then new opponents, then
    /// equal points. The bye goes to the lowest-placed contestant to whom these rules allow it. No rule for seats is
    /// needed, because they are swapped within each pair.
    ///
    /// No two contestants meet twice in the first rounds, up to half of the field (counting the bye as a contestant):
    /// until then everyone still has at least half of the field to meet, so a pairing without repeats exists (Dirac's
    /// theorem). In later rounds repeats can be unavoidable; then there are as few as possible.
    Swiss {
        /// The number of rounds, at least one.
        rounds: u32,
    },
    /// A knockout: the loser of a match is eliminated. The seeding is the order in which the contestants were named:
    /// the first meets the last, and the first two can only meet in the final. Byes go to the first, so that the number
    /// of contestants in the second round is a power of two.
    ///
    /// A tied match is followed by pairs of games until one of them breaks the tie, as in the TCEC Cup, but by
    /// [`TIE_BREAK_PAIRS_MAX`] at most. After that fewer faults decide, then fewer turns in won games (of which both
    /// have the same number), then the seeding. So every match ends.
    Knockout,
}

impl Format {
    /// True for a format whose games are all in one round: every game counts for itself, so bots may come and go.
    pub const fn is_one_round(self) -> bool {
        matches!(self, Self::RoundRobin | Self::Gauntlet { .. } | Self::Neighbours { .. })
    }

    /// Checks that the tournament can be scheduled.
    pub(super) fn check(self, contestants: usize, games_per_match: u32) -> Result<(), FormatError> {
        if contestants < 2 {
            return Err(FormatError::TooFewContestants(contestants));
        }
        if games_per_match == 0 {
            return Err(FormatError::NoGames);
        }
        match self {
            Self::Gauntlet { challengers } if challengers == 0 || challengers as usize >= contestants => {
                return Err(FormatError::Challengers { challengers, contestants });
            }
            Self::Neighbours { neighbours: 0 } => return Err(FormatError::NoNeighbours),
            Self::Swiss { rounds: 0 } => return Err(FormatError::NoRounds),
            Self::Swiss { .. } if contestants > SWISS_CONTESTANTS_MAX => {
                return Err(FormatError::TooManyForSwiss(contestants));
            }
            Self::Swiss { .. } | Self::Knockout if !games_per_match.is_multiple_of(2) => {
                return Err(FormatError::OddGames { format: self, games_per_match });
            }
            _ => {}
        }
        let games = self.games(contestants, games_per_match).at_most;
        if games > GAMES_MAX { Err(FormatError::TooManyGames(games)) } else { Ok(()) }
    }

    /// The number of games. Saturates, for tournaments that are refused anyway.
    pub(super) fn games(self, contestants: usize, games_per_match: u32) -> Planned {
        let (contestants, games) = (contestants as u64, u64::from(games_per_match));
        let matches = match self {
            Self::RoundRobin => contestants.saturating_mul(contestants - 1) / 2,
            Self::Gauntlet { challengers } => {
                u64::from(challengers).saturating_mul(contestants - u64::from(challengers))
            }
            Self::Neighbours { neighbours } => {
                let near = u64::from(neighbours).min(contestants - 1);
                near.saturating_mul(contestants).saturating_sub(near * (near + 1) / 2)
            }
            Self::Swiss { rounds } => (contestants / 2).saturating_mul(rounds.into()),
            Self::Knockout => contestants - 1,
        };
        let tie_breaks = if self == Self::Knockout { 2 * u64::from(TIE_BREAK_PAIRS_MAX) } else { 0 };
        Planned {
            at_least: matches.saturating_mul(games),
            at_most: matches.saturating_mul(games + tie_breaks),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |number: u32| if number == 1 { "" } else { "s" };
        match *self {
            Self::RoundRobin => write!(f, "round-robin"),
            Self::Gauntlet { challengers } => {
                write!(f, "gauntlet of {challengers} challenger{}", plural(challengers))
            }
            Self::Neighbours { neighbours } => {
                write!(f, "neighbours within {neighbours} place{}", plural(neighbours))
            }
            Self::Swiss { rounds } => write!(f, "swiss of {rounds} round{}", plural(rounds)),
            Self::Knockout => write!(f, "knockout"),
        }
    }
}

/// The bounds of the number of games in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The lower bound.
    pub at_least: u64,
    /// The upper bound.
    pub at_most: u64,
}

impl Planned {
    /// The number of games, if the bounds are equal.
    pub fn exact(self) -> Option<u64> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// The reason why a tournament cannot be scheduled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Fewer than two contestants.
    #[error("{0} contestants cannot meet: at least 2 are required")]
    TooFewContestants(usize),
    /// A match without games.
    #[error("a match must have at least 1 game")]
    NoGames,
    /// An odd number of games, so that the seats could decide the match.
    #[error("a match of a {format} must have an even number of games, not {games_per_match}")]
    OddGames {
        /// The format.
        format: Format,
        /// The number of games in a match.
        games_per_match: u32,
    },
    /// A gauntlet without challengers, or without opponents for them.
    #[error("a gauntlet of {contestants} contestants must have 1 to {} challengers, not {challengers}", .contestants - 1)]
    Challengers {
        /// The number of challengers.
        challengers: u32,
        /// The number of contestants, challengers included.
        contestants: usize,
    },
    /// Neighbours at no distance.
    #[error("neighbours must be at least 1 place apart")]
    NoNeighbours,
    /// A Swiss without rounds.
    #[error("a swiss must have at least 1 round")]
    NoRounds,
    /// A Swiss that would take too long to pair.
    #[error("{0} contestants are too many for a swiss: the most is {SWISS_CONTESTANTS_MAX}")]
    TooManyForSwiss(usize),
    /// A schedule that would take too much memory.
    #[error("{0} games are too many for one tournament: the most is {GAMES_MAX}")]
    TooManyGames(u64),
}
