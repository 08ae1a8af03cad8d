//! Submarine over TCP: the lines, the server, and clients that break the protocol.
//!
//! One program has all tests of the crate, so that it is linked once.

mod lines;
mod model;
mod serving;
mod support;
mod transcripts;
mod trouble;
