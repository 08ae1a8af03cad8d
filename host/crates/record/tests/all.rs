//! Recordings: what a reader accepts, and what a replay refuses.
//!
//! One program has all tests of the crate, so that it is linked once.

mod packed;
mod recordings;
mod replay;
mod support;
mod transcripts;
