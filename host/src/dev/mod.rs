//! The parts of `arena dev`: the folder of a bot, its build, and a thread that notices saves and keys.

mod build;
mod files;
mod keys;
mod project;
mod watch;

pub use build::{BuildEnd, build};
pub use keys::restore;
pub use project::Project;
pub use watch::{News, Watch};
