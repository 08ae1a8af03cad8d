//! Transcripts: games as text files that can be read, and played again.
//!
//! A transcript is JSON Lines: a [`Header`] with everything the game depends on, then one line for each [`Event`], the
//! last of which is the end. The same game always gives the same bytes. [`Recording::read`] reads any transcript,
//! [`Transcript`] is one whose game is known, and [`Replay`] judges its events by the rules. [`PackedEvents`] are the events of
//! a game in a small part of the bytes.
#![warn(missing_docs)]

mod conditions;
pub mod overlay;
mod packed;
mod replay;
mod result;
mod seed;
mod seeds;
pub mod spot;
mod transcript;

pub use conditions::{BotId, Conditions, Label, Limits, Name, plain_rules, play_the_same};
pub use overlay::Overlay;
pub use packed::{PackedEvents, UnpackError};
pub use replay::{Replay, ReplayError};
pub use result::{Disqualified, FaultCount, GameResult};
pub use seed::{Commitment, RecordedSeed, Seed, SeedError};
pub use seeds::{Beacon, BoardSeeds, MatchSeed, PairSeeds, RulesDigest, StageDraw};
pub use transcript::{
    FORMAT, FormatError, FormatVersion, Header, KeptGame, LINE_BYTES_MAX, Problem, ReadError, ReadErrorKind,
    Recording, Seated, Transcript,
};

#[doc(no_inline)]
pub use arena_referee::Event;

/// A moment of a side in a game, as text: `deployment`, `turn 2`.
pub fn moment(turn: u32) -> String {
    if turn == 0 { "deployment".into() } else { format!("turn {turn}") }
}
