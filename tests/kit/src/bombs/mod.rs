//! Components that are bad in one way each: so many of something that compiling or validating them takes too long, or
//! takes too much memory. None of them is a bot: they export nothing.
//!
//! Each makes a component with just as many as it is told, so that a limit can be tried on both of its sides.

mod components;
mod functions;
mod modules;
mod pieces;

pub use components::*;
pub use functions::*;
pub use modules::*;
