//! What the machine and this process have: memory, processors, limits, a name.

#[cfg(target_os = "linux")]
mod arenas;
mod host;
mod limits;
mod memory;
mod processor;
mod processor_time;

#[cfg(target_os = "linux")]
pub use arenas::share_memory_if_limited;
pub use host::{memory_bytes, name};
pub use limits::{Limits, Used, allow_many_files};
pub use memory::available_bytes;
pub use processor::{INSTRUCTIONS, LEVEL, kind_of_processor, target};
pub use processor_time::processor_time;

/// A file that takes everything that is written to it, and keeps nothing.
pub const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// Does nothing: only glibc's allocator reserves areas of address space for threads.
#[cfg(not(target_os = "linux"))]
pub fn share_memory_if_limited() {}
