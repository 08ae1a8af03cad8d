//! The parts of `arena dev`: a thread that notices saves and keys.

mod keys;
mod watch;

pub use keys::restore;
pub use watch::{News, Watch};
