//! The parts that all benchmarks share, and the tables of `BENCHMARKS.md` that are made of their results.
//!
//! - [`native`]: house bots as players without a sandbox, behind the same referee.
//! - [`setting`]: the rules, bots and boards that are measured.
//! - [`results`]: the results of a run, by name.
//! - [`tables`], [`document`], [`machine`]: the tables, their places in a document, and the machine.
//!
//! `cargo xtask bench` runs everything. The benchmarks assert nothing about time.
#![warn(missing_docs)]

pub mod document;
pub mod machine;
pub mod native;
pub mod results;
pub mod setting;
pub mod tables;
