//! Threads, and what to do when the system refuses one, a process, a pipe, a file or memory.
//!
//! A small machine is not a defect of the arena. So all threads of the program are started by [`NewThread`], which returns an error
//! where the standard library would panic; a lint, `host/clippy.toml`, forbids the other ways. And the next step of an error follows
//! from its cause: [`step_or`] names the limit that was reached, and its value.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod runtime;
mod step;
mod thread;

pub use arena_platform::machine::share_memory_if_limited;
pub use runtime::runtime;
pub use step::{errno, is_limit, refused, step_or};
pub use thread::{Fewer, NewThread, note_fewer, on_stack, take_fewer};
