//! Schedules, standings, ratings and sequential tests.
//!
//! One program has all tests of the crate, so that it is linked once.

mod coverage;
mod endless;
mod estimates;
mod ratings;
mod sample;
mod schedule_contract;
mod schedule_laws;
mod schedules;
mod sprt;
