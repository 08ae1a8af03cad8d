//! Submarine over TCP: the lines, the server, and clients that break the protocol.
//!
//! One program has all tests of the crate, so that it is linked once.
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

mod lines;
mod model;
mod serving;
mod support;
mod transcripts;
mod trouble;
