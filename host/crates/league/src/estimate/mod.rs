//! Estimates with error bars, and the analysis of a match in pairs of games.

mod bounded;
mod interval;
pub(crate) mod pairs;
mod performance;
pub(crate) mod scale;
mod text;

pub use bounded::Bounded;
pub use interval::Interval;
pub use pairs::{Estimate, PairTally, Pentanomial};
pub use performance::Performance;
pub use scale::score_of_elo;
pub use text::summary;
