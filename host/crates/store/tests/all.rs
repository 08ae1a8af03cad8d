//! Journals: their content, their chain, and what is refused.
//!
//! One program has all tests of the crate, so that it is linked once.

mod chain;
mod cut;
mod differences;
mod journals;
mod kept;
mod support;
