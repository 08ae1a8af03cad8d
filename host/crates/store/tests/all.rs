//! Journals: their content, their chain, and what is refused.
//!
//! One program has all tests of the crate, so that it is linked once.
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

mod any_change;
mod attacks;
mod chain;
mod clock;
mod differences;
mod documented;
mod hostile;
#[path = "../../../../tests/program/chain.rs"]
mod independent;
mod journals;
mod log;
mod recovery;
mod register;
#[path = "../../../../tests/kit/src/skip.rs"]
#[allow(clippy::disallowed_macros, reason = "a test has no console")]
mod skip;
mod support;
mod trail;
