//! The journal of a tournament: every game that was played, with all that it takes to play it again.
//!
//! A journal is an SQLite database, and this is the only crate that knows so. Games are only ever added, one at a time, as
//! they are delivered; nothing that can be worked out from them is kept beside them. So a journal cannot disagree with the
//! standings, and one that was torn off at any point is a shorter journal of the same tournament.
//!
//! A journal belongs to one set of [`Conditions`]: versions, rules, limits, seed and contestants. A [`Writer`] opens it
//! under the same conditions only, and says what differs otherwise. A [`Reader`] works beside a running writer.
#![warn(missing_docs)]

// The tests' support names the crate as its users do, in here too.
#[cfg(test)]
extern crate self as arena_store;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;

mod conditions;
mod error;
mod packing;
mod reader;
mod schema;
mod writer;

pub use conditions::{Conditions, Difference, Entrant};
pub use error::JournalError;
pub use reader::Reader;
pub use writer::Writer;

use arena_record::GameResult;

/// Which game of a tournament it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameKey {
    /// The contestants by seat, as they are numbered in the conditions.
    pub seats: [usize; 2],
    /// The number of the pair of games of these two, from 0.
    pub pair: u32,
    /// The number of the game of these two, from 1.
    pub game: u32,
}

/// A game in a journal, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Its number in the journal, from 1, in the order in which games were added.
    pub number: u64,
    /// Which game it is.
    pub key: GameKey,
    /// What it came to.
    pub result: GameResult,
}
