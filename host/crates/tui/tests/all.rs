//! The screens: their pictures, their keys, their laws, and a real terminal.
//!
//! One program has all tests of the crate, so that it is linked once.
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

mod clipped;
mod common;
mod dashboard;
mod feeds;
mod games;
mod headless;
mod keys;
mod laws;
mod loaded;
mod names;
mod pictures;
mod playing;
mod podium;
mod shared;
mod showcase;
mod sizes;
mod terminal;
mod timeline;
mod workers;
