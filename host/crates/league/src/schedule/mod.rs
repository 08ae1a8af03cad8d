//! Who plays whom, and when: the formats of a tournament as state machines that the host drives.

mod fixture;
mod format;
mod knockout;
mod pairing;
mod swiss;
mod tally;

pub use fixture::{Fixture, match_games, round_robin};
pub use format::{Format, FormatError, GAMES_MAX, Planned, SWISS_CONTESTANTS_MAX};
pub use knockout::{DecidedBy, KnockoutMatch, KnockoutPlacing, TIE_BREAK_PAIRS_MAX};
pub use swiss::SwissPlacing;

use crate::Score;
use fixture::gauntlet;
use knockout::Knockout;
use std::sync::Arc;
use swiss::Swiss;

/// What a game came to, as far as a schedule depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameScore {
    /// Who won, if anyone.
    pub score: Score,
    /// Faults of all classes, by seat.
    pub faults: [u32; 2],
    /// Turns taken, by seat.
    pub turns: [u32; 2],
}

/// Games that depend on no result but those of the rounds before: they can be played in any order, at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of the round in the tournament, from 1. A tie-break has the number of the round whose ties it
    /// breaks.
    pub number: u32,
    /// Which tie-break of the round it is, from 1; 0 for the round itself.
    pub tie_break: u32,
    /// The games, match by match, in the order in which their results are to be recorded. At least one.
    pub fixtures: Arc<[Fixture]>,
    /// Who has no opponent in this round and goes on without playing.
    pub byes: Vec<usize>,
}

/// Where everyone stands in a format that has places of its own. The others have [`Standings`](crate::Standings).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placings {
    /// Everyone, best first.
    Swiss(Vec<SwissPlacing>),
    /// A bracket.
    Knockout {
        /// Everyone, best first, and in the order in which they are named where they share a place.
        places: Vec<KnockoutPlacing>,
        /// The matches that are decided, in the order of the bracket, round by round.
        matches: Vec<KnockoutMatch>,
    },
}

/// The games of a tournament, round by round.
///
/// It is a function of the format, the number of contestants, the games of a match and the results: the same results
/// give the same fixtures. The host asks for a round, plays its games in any order, and records their results in the
/// order of the fixtures.
///
/// In all formats the first named of two contestants has seat 1 in the odd games of the two, and every two number
/// their pairs and games through the tournament: if they meet again, they go on where they stopped, and never play
/// the same seeds twice.
///
/// ```
/// use arena_league::{Format, GameScore, Placings, Schedule, Score, Side};
///
/// let mut schedule = Schedule::new(Format::Knockout, 6, 2).unwrap();
/// while let Some(round) = schedule.next_round() {
///     for &fixture in round.fixtures.iter() {
///         // Whoever was named first wins, from either seat.
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
    recorded: usize,
    /// Its results so far, where later rounds depend on them.
    results: Vec<Option<GameScore>>,
}

#[derive(Clone, Debug)]
enum State {
    /// All games in one round, which is still to be given out or not.
    OneRound {
        given: bool,
    },
    Swiss(Swiss),
    Knockout(Knockout),
}

impl Schedule {
    /// The schedule for so many contestants.
    ///
    /// # Errors
    /// What cannot be scheduled.
    pub fn new(format: Format, contestants: usize, games_per_match: u32) -> Result<Self, FormatError> {
        format.check(contestants, games_per_match)?;
        let state = match format {
            Format::RoundRobin | Format::Gauntlet { .. } => State::OneRound { given: false },
            Format::Swiss { rounds } => State::Swiss(Swiss::new(contestants, rounds, games_per_match)),
            Format::Knockout => State::Knockout(Knockout::new(contestants, games_per_match)),
        };
        Ok(Self { format, contestants, games_per_match, state, open: None, recorded: 0, results: Vec::new() })
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// How many rounds there are, tie-breaks not counted.
    pub fn rounds(&self) -> u32 {
        match &self.state {
            State::OneRound { .. } => 1,
            State::Swiss(swiss) => swiss.rounds(),
            State::Knockout(knockout) => knockout.rounds(),
        }
    }

    /// The games to play next, or nothing when the tournament is over.
    ///
    /// # Panics
    /// If a result of the round before has not been recorded.
    pub fn next_round(&mut self) -> Option<Round> {
        assert!(self.open.is_none(), "a round is given out when all results of the one before are recorded");
        let (contestants, games) = (self.contestants, self.games_per_match);
        let round = match &mut self.state {
            State::OneRound { given: true } => None,
            State::OneRound { given } => {
                *given = true;
                let fixtures = match self.format {
                    Format::Gauntlet { seeds } => gauntlet(seeds as usize, contestants, games).collect(),
                    _ => round_robin(contestants, games).collect(),
                };
                Some(Round { number: 1, tie_break: 0, fixtures, byes: Vec::new() })
            }
            State::Swiss(swiss) => swiss.next_round(),
            State::Knockout(knockout) => knockout.next_round(),
        };
        self.open.clone_from(&round);
        round
    }

    /// Takes the result of a game, `None` where it has none through a failure of ours. [`Format`] says what that does.
    ///
    /// # Panics
    /// If this is not the next fixture of the round: results come in the order of the fixtures, each once.
    pub fn record(&mut self, fixture: Fixture, result: Option<GameScore>) {
        let round = self.open.as_ref().expect("results are recorded while a round is being played");
        assert_eq!(round.fixtures[self.recorded], fixture, "results come in the order of the fixtures");
        self.recorded += 1;
        if !matches!(self.state, State::OneRound { .. }) {
            self.results.push(result);
        }
        if self.recorded == round.fixtures.len() {
            match &mut self.state {
                State::OneRound { .. } => {}
                State::Swiss(swiss) => swiss.close_round(round, &self.results),
                State::Knockout(knockout) => knockout.close_round(round, &self.results),
            }
            self.open = None;
            self.recorded = 0;
            self.results.clear();
        }
    }

    /// How many games there are, played ones included. Exact, except for a knockout: the more is known of it, the
    /// nearer the two bounds.
    pub fn games_planned(&self) -> Planned {
        match &self.state {
            State::Knockout(knockout) => knockout.games_planned(),
            _ => self.format.games(self.contestants, self.games_per_match),
        }
    }

    /// Where everyone stands after the rounds that are played to their end, tie-breaks included. None for a round
    /// robin and a gauntlet.
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
