//! Schedules, standings, ratings and tests: pure functions of numbers.
//!
//! It knows contestants by their index and nothing else of them: no component, no rules, no file.
#![warn(missing_docs)]

mod estimate;
mod ratings;
mod sample;
mod schedule;
mod sprt;
mod standings;

pub use estimate::{Estimate, Interval, PairTally, Pentanomial, summary};
pub use ratings::{RatedGame, Rating, Ratings, rate};
pub use sample::{Bucket, Sample, SampleSummary};
pub use schedule::{
    DecidedBy, Fixture, Format, FormatError, GAMES_MAX, GameScore, KnockoutMatch, KnockoutPlacing, Placings,
    Planned, Round, SWISS_CONTESTANTS_MAX, Schedule, SwissPlacing, TIE_BREAK_PAIRS_MAX, match_games,
    round_robin,
};
pub use sprt::{Decision, EloModel, Sprt, SprtError};
pub use standings::{Row, Score, Side, Standings};
