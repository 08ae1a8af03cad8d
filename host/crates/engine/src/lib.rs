//! The engine.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod archive;
pub mod control;
pub mod error;
pub mod faults;
pub mod games;
pub mod journal;
pub mod labels;
pub mod logs;
pub mod merge;
pub mod plan;
pub mod ranking;
pub mod recordings;
pub mod roster;
pub mod round;
pub mod rules_file;
pub mod run;
pub mod season;
pub mod seed;
pub mod seeding;
pub mod tournament;

pub use error::Error;
