//! The formats of a tournament as state machines that the host drives: pairings, rounds and places.

mod endless;
mod fixture;
mod format;
mod knockout;
mod matching;
mod pairing;
mod shares;
mod swiss;
mod tally;

pub use endless::{Candidate, EndlessLimits, NextStage, next_stage};
pub use fixture::{Fixture, Fixtures, match_games};
pub use format::{Format, FormatError, GAMES_MAX, Planned, SWISS_CONTESTANTS_MAX};
pub use knockout::{DecidedBy, KnockoutMatch, KnockoutPlacing, TIE_BREAK_PAIRS_MAX};
pub use shares::Shares;
pub use swiss::SwissPlacing;

use crate::Score;
use knockout::Knockout;
use swiss::Swiss;
use tally::Recorded;

/// The result of a game, as far as a schedule depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameScore {
    /// The winner, a draw or no contest.
    pub score: Score,
    /// Faults of all classes, by seat.
    pub faults: [u32; 2],
    /// Turns taken, by seat.
    pub turns: [u32; 2],
}

/// Games that depend only on results of earlier rounds, so they can be played in any order and at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of the round in the tournament, from 1. A tie-break has the number of the round whose ties it breaks.
    pub number: u32,
    /// The number of the tie-break in the round, from 1; 0 for the round itself.
    pub tie_break: u32,
    /// The games, in the order in which their results must be recorded. At least one.
    pub fixtures: Fixtures,
    /// The contestants who have no opponent in this round and advance without playing.
    pub byes: Vec<usize>,
}

/// The table of a format with places of its own. For other formats see [`Standings`](crate::Standings).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placings {
    /// All contestants, best first.
    Swiss(Vec<SwissPlacing>),
    /// A bracket.
    Knockout {
        /// All contestants, best first. Those who share a place are in ascending order.
        places: Vec<KnockoutPlacing>,
        /// The decided matches, round by round, in bracket order.
        matches: Vec<KnockoutMatch>,
    },
}

/// The games of a tournament, round by round.
///
/// A schedule is a function of the format, the number of contestants, the games per match and the results: the same
/// results give the same fixtures. The host asks for a round, plays its games in any order, and records their results
/// in the order of the fixtures.
///
/// In all formats the lower-numbered of two contestants has seat 1 in their odd-numbered games. Pairs and games of the
/// same two are numbered through the whole tournament: if they meet again, the numbers continue, so they never play the
/// same random seeds twice.
///
/// ```
/// use arena_league::{Format, GameScore, Placings, Schedule, Score, Side};
///
/// let mut schedule = Schedule::new(Format::Knockout, 6, 2).unwrap();
/// while let Some(round) = schedule.next_round() {
///     for fixture in round.fixtures.iter() {
///         // The higher-seeded contestant wins, from either seat.
///         let side = if fixture.seats[0] < fixture.seats[1] { Side::First } else { Side::Second };
///         let result = GameScore { score: Score::Win(side), faults: [0, 0], turns: [40, 40] };
///         schedule.record(fixture, Some(result));
///     }
/// }
/// let Some(Placings::Knockout { places, .. }) = schedule.placings() else { unreachable!() };
/// assert_eq!((places[0].contestant, places[0].place), (0, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Schedule {
    format: Format,
    contestants: usize,
    games_per_match: u32,
    state: State,
    /// The round that is being played.
    open: Option<Round>,
    /// The number of its games that have been recorded.
    recorded: usize,
    /// These games with their results, if later rounds depend on them.
    results: Vec<Recorded>,
}

#[derive(Clone, Debug)]
enum State {
    /// All games in one round.
    OneRound {
        /// True if `next_round` has returned it.
        given: bool,
    },
    Swiss(Swiss),
    Knockout(Knockout),
}

impl Schedule {
    /// A schedule for this number of contestants.
    ///
    /// # Errors
    /// If the tournament cannot be scheduled, the reason.
    pub fn new(format: Format, contestants: usize, games_per_match: u32) -> Result<Self, FormatError> {
        format.check(contestants, games_per_match)?;
        let state = match format {
            Format::RoundRobin | Format::Gauntlet { .. } | Format::Neighbours { .. } => {
                State::OneRound { given: false }
            }
            Format::Swiss { rounds } => State::Swiss(Swiss::new(contestants, rounds, games_per_match)),
            Format::Knockout => State::Knockout(Knockout::new(contestants, games_per_match)),
        };
        Ok(Self { format, contestants, games_per_match, state, open: None, recorded: 0, results: Vec::new() })
    }

    /// The number of rounds, not counting tie-breaks.
    pub fn rounds(&self) -> u32 {
        match &self.state {
            State::OneRound { .. } => 1,
            State::Swiss(swiss) => swiss.rounds(),
            State::Knockout(knockout) => knockout.rounds(),
        }
    }

    /// The next round, or `None` when the tournament is over.
    ///
    /// # Panics
    /// If a result of the previous round has not been recorded.
    pub fn next_round(&mut self) -> Option<Round> {
        assert!(self.open.is_none(), "all results of a round must be recorded before the next round");
        let round = match &mut self.state {
            State::OneRound { given: true } => None,
            State::OneRound { given } => {
                *given = true;
                let fixtures = Fixtures::of_one_round(self.format, self.contestants, self.games_per_match);
                Some(Round { number: 1, tie_break: 0, fixtures, byes: Vec::new() })
            }
            State::Swiss(swiss) => swiss.next_round(),
            State::Knockout(knockout) => knockout.next_round(),
        };
        self.open.clone_from(&round);
        round
    }

    /// Records the result of a game, or `None` when it has none because of a failure of the arena. [`Format`] describes
    /// the consequences.
    ///
    /// # Panics
    /// If this is not the next fixture of the round: each must be recorded once, in order.
    pub fn record(&mut self, fixture: Fixture, result: Option<GameScore>) {
        let round = self.open.as_ref().expect("results are recorded while a round is being played");
        let next = round.fixtures.get(self.recorded);
        assert_eq!(next, Some(fixture), "results come in the order of the fixtures");
        self.recorded += 1;
        if !matches!(self.state, State::OneRound { .. }) {
            self.results.push((fixture, result));
        }
        if self.recorded == round.fixtures.len() {
            match &mut self.state {
                State::OneRound { .. } => {}
                State::Swiss(swiss) => swiss.close_round(&self.results, &round.byes),
                State::Knockout(knockout) => knockout.close_round(&self.results),
            }
            self.open = None;
            self.recorded = 0;
            self.results.clear();
        }
    }

    /// The number of games in the tournament, including those already played. Exact, except for a knockout, whose
    /// bounds become tighter with each result.
    pub fn games_planned(&self) -> Planned {
        match &self.state {
            State::Knockout(knockout) => knockout.games_planned(),
            _ => self.format.games(self.contestants, self.games_per_match),
        }
    }

    /// The places after the completed rounds. A round of a knockout is complete after its tie-breaks. `None` for a
    /// round robin, a gauntlet and neighbours.
    pub fn placings(&self) -> Option<Placings> {
        match &self.state {
            State::OneRound { .. } => None,
            State::Swiss(swiss) => Some(Placings::Swiss(swiss.placings())),
            State::Knockout(knockout) => {
                let (places, matches) = (knockout.placings(), knockout.matches().to_vec());
                Some(Placings::Knockout { places, matches })
            }
        }
    }
}
