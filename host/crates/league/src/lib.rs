//! Schedules, standings, ratings and sequential tests, as pure functions of numbers.
//!
//! Contestants are numbers, in the order in which they were named. The crate knows nothing else about them: no
//! component, no rules, no file.
#![warn(missing_docs)]

mod estimate;
mod paired;
mod ratings;
mod sample;
mod schedule;
mod scores;
mod sprt;
mod standings;

pub use estimate::{Bounded, Estimate, Interval, PairTally, Pentanomial, Performance, score_of_elo, summary};
pub use ratings::{
    Difference, InSeat, LOS_PAIRS_MIN, Pairing, RatedGame, RatedGames, Ratings, Superiority, rate,
};
pub use sample::{Bucket, Sample, SampleSummary};
pub use schedule::{
    Candidate, DecidedBy, EndlessLimits, Fixture, Fixtures, Format, FormatError, GAMES_MAX, GameScore,
    KnockoutMatch, KnockoutPlacing, NextStage, Placings, Planned, Round, SWISS_CONTESTANTS_MAX, Schedule,
    Shares, SwissPlacing, TIE_BREAK_PAIRS_MAX, match_games, next_stage,
};
pub use scores::{MeanScore, MeanScores};
pub use sprt::{Decision, EloModel, ScoreDifferences, ScoreSprt, Sprt, SprtError};
pub use standings::{Row, Score, Side, Standings};
