//! What differs between Linux, macOS and Windows, each behind one safe interface.
//!
//! No other crate asks for which system it is compiled; a test checks that. Each module has a subject, with what Linux, other Unix
//! systems and Windows have for it. Where a system has nothing, the interface says so in its types, and the caller decides.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod child;
pub mod confine;
pub mod files;
pub mod folders;
pub mod groups;
pub mod locks;
pub mod machine;
pub mod memory;
pub mod pipes;
pub mod private;
pub mod programs;
pub mod refusals;
pub mod sockets;
pub mod terminal;
