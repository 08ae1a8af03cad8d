//! Estimates with their error bars, and what a match in pairs says of two contestants.

mod interval;
mod pairs;
pub(crate) mod scale;
mod text;

pub use interval::Interval;
pub use pairs::{Estimate, PairTally, Pentanomial};
pub use text::summary;
