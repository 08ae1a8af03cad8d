//! The formats, and what of them can be scheduled.

use super::knockout::TIE_BREAK_PAIRS_MAX;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most games of a tournament. Chosen: a list of ten million fixtures takes 240 MB, and as many games of a
/// millisecond take three hours.
pub const GAMES_MAX: u64 = 10_000_000;

/// The most contestants of a Swiss. Measured: a round of 1,000 is paired in about a second, in four where all have
/// the same points, with 180 MB; one of 500 in a tenth of a second, half a second at worst, with 40 MB.
pub const SWISS_CONTESTANTS_MAX: usize = 1_000;

/// Who is to meet whom.
///
/// Games come in pairs: the same seeds with the seats swapped. Where the next round depends on results, a pair of
/// which a game has no result through a failure of ours is drawn, whatever the other game was: the one that had the
/// luck of the seats in it gains nothing by our failure. A game that was no contest has a result, which scores for
/// neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// A match for each two, all in one round.
    #[default]
    RoundRobin,
    /// A match for each seed against each contestant that is none, all in one round.
    Gauntlet {
        /// The seeds: so many of those named first. At least one, and fewer than there are contestants.
        seeds: u32,
    },
    /// Everyone plays in every round against one of about the same points, and against nobody twice while that can be
    /// avoided. The rules are the basic ones of FIDE's Handbook, C.04.1: two do not meet again; an odd one has a bye,
    /// which is worth a won match, and nobody has a second one before everyone has had one; opponents have about the
    /// same points. A fair bye goes before new opponents, and those go before equal points. The bye is the last placed
    /// one's whom these rules allow it. Seats need no rule, since they are swapped within each pair.
    ///
    /// Nobody meets anybody again in the first rounds, as many as half the field (the bye counted as one of it): then
    /// each still has at least half of the field to meet, so that it can be paired (Dirac's theorem). In later rounds
    /// it can be unavoidable; then as few as possible meet again.
    Swiss {
        /// The rounds, at least one.
        rounds: u32,
    },
    /// Whoever loses a match is out. The bracket is seeded in the order of the names: first against last, and the
    /// first two can only meet in the final. Byes go to those named first, so that a power of two plays in the second
    /// round.
    ///
    /// A match that is tied is followed by pairs of games until one is not, as in the TCEC Cup,
    /// [`TIE_BREAK_PAIRS_MAX`] at most. Then whoever has fewer faults goes on; then whoever took fewer turns in the
    /// games that it won, of which both have equally many; then the one named first. So it always ends.
    Knockout,
}

impl Format {
    /// Whether it can be scheduled.
    pub(super) fn check(self, contestants: usize, games_per_match: u32) -> Result<(), FormatError> {
        if contestants < 2 {
            return Err(FormatError::TooFewContestants(contestants));
        }
        if games_per_match == 0 {
            return Err(FormatError::NoGames);
        }
        match self {
            Self::RoundRobin => {}
            Self::Gauntlet { seeds } => {
                if seeds == 0 || seeds as usize >= contestants {
                    return Err(FormatError::Seeds { seeds, contestants });
                }
            }
            Self::Swiss { rounds: 0 } => return Err(FormatError::NoRounds),
            Self::Swiss { .. } if contestants > SWISS_CONTESTANTS_MAX => {
                return Err(FormatError::TooManyForSwiss(contestants));
            }
            Self::Swiss { .. } | Self::Knockout => {
                if !games_per_match.is_multiple_of(2) {
                    return Err(FormatError::OddGames { format: self, games_per_match });
                }
            }
        }
        let games = self.games(contestants, games_per_match).at_most;
        if games > GAMES_MAX { Err(FormatError::TooManyGames(games)) } else { Ok(()) }
    }

    /// How many games there are. Saturates, for what is refused anyway.
    pub(super) fn games(self, contestants: usize, games_per_match: u32) -> Planned {
        let (contestants, games) = (contestants as u64, u64::from(games_per_match));
        let matches = match self {
            Self::RoundRobin => contestants.saturating_mul(contestants - 1) / 2,
            Self::Gauntlet { seeds } => u64::from(seeds).saturating_mul(contestants - u64::from(seeds)),
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
        match self {
            Self::RoundRobin => write!(f, "round-robin"),
            Self::Gauntlet { seeds: 1 } => write!(f, "gauntlet of 1 seed"),
            Self::Gauntlet { seeds } => write!(f, "gauntlet of {seeds} seeds"),
            Self::Swiss { rounds: 1 } => write!(f, "swiss of 1 round"),
            Self::Swiss { rounds } => write!(f, "swiss of {rounds} rounds"),
            Self::Knockout => write!(f, "knockout"),
        }
    }
}

/// How many games a tournament has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// There are no fewer.
    pub at_least: u64,
    /// There are no more.
    pub at_most: u64,
}

impl Planned {
    /// The number of games, where it is known.
    pub fn exact(self) -> Option<u64> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// Why a tournament cannot be scheduled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// There is nobody to meet.
    #[error("{0} contestants cannot meet: there must be at least 2")]
    TooFewContestants(usize),
    /// A match of no games.
    #[error("a match must have at least 1 game")]
    NoGames,
    /// A match that would be decided by who has which seat once more.
    #[error(
        "{games_per_match} games cannot be played in pairs: a match of a {format} must have an even number"
    )]
    OddGames {
        /// The format.
        format: Format,
        /// The games.
        games_per_match: u32,
    },
    /// No seeds, or nobody who is none.
    #[error("a gauntlet of {contestants} contestants must have 1 to {} seeds, not {seeds}", .contestants - 1)]
    Seeds {
        /// The seeds.
        seeds: u32,
        /// The contestants, seeds included.
        contestants: usize,
    },
    /// A Swiss of no rounds.
    #[error("a swiss must have at least 1 round")]
    NoRounds,
    /// A field that would take too long to pair.
    #[error("{0} contestants are too many for a swiss: {SWISS_CONTESTANTS_MAX} is the most")]
    TooManyForSwiss(usize),
    /// A list too long to be held.
    #[error("{0} games are too many for one tournament: {GAMES_MAX} is the most")]
    TooManyGames(u64),
}
