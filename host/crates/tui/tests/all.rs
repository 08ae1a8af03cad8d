//! The screens: their pictures, their keys, their laws, and a real terminal.
//!
//! One program has all tests of the crate, so that it is linked once.

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
mod showcase;
mod sizes;
mod terminal;
mod timeline;
mod workers;
