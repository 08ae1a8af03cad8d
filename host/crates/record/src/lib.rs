//! Transcripts: a game as a text file that anyone can read, and play again.
//!
//! A transcript is JSON Lines: a [`Header`] with everything the game depends on, then one line for each [`Event`], the
//! last of which is the end. The same game always gives the same bytes. [`Transcript::read`] turns a file back into the
//! events it was made of, and [`Transcript::replay`] checks each of them against the rules on the way.
#![warn(missing_docs)]

mod replay;
mod result;
mod seeds;
mod transcript;

pub use replay::ReplayError;
pub use result::{FaultCount, GameResult};
pub use seeds::{BoardSeeds, MatchSeed, PairSeeds};
pub use transcript::{
    Contestant, FORMAT, Header, LINE_BYTES_MAX, Limits, ReadError, ReadErrorKind, Transcript,
};

#[doc(no_inline)]
pub use arena_referee::Event;
