//! The parts of `arena dev`: a thread that notices saves and keys.

mod watch;

pub use arena_platform::terminal::restore;
pub use watch::{News, Watch};
