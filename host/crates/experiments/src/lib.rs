//! Experiments with bots: trial games (also of a game that is a component), boards that a bot clears alone, pairs of games for a
//! sequential test, recorded turns asked again, recorded games played again, and the builds of a bot in its folder.
//!
//! Each takes bots that a sandbox has admitted, and returns findings. This crate does not print and reads no arguments.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod board_transcript;
pub mod boards;
pub mod builds;
mod difference;
mod error;
pub mod finding;
pub mod game_bench;
pub mod game_trial;
pub mod profile;
pub mod project;
pub mod rerun;
pub mod sprt;
#[cfg(test)]
mod testing;
mod throughput;
pub mod trial;
pub mod verification;

pub use error::ExperimentError;
