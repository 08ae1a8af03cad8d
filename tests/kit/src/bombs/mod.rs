//! Components that have too many of one thing each, so that validating or compiling them takes too much time or memory.
//! They are not bots: they export nothing.
//!
//! Each function makes a component with exactly the given number of things, so that tests can try both sides of a
//! limit.

mod components;
mod functions;
mod modules;
pub(crate) mod pieces;

pub use components::*;
pub use functions::*;
pub use modules::*;
