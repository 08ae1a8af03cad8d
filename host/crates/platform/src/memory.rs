//! Memory that is shared with children and can no longer be changed.
//!
//! On Linux it is a sealed file in memory, which each child maps. Other systems have nothing like it: there, a child gets a copy
//! through its pipe.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

pub use system::Shared;

/// True if wasmtime can map the first content of a memory on this system. Elsewhere, the sandbox has it copied.
pub const IS_FIRST_MEMORY_MAPPED: bool = cfg!(target_os = "linux");

/// What a child gets of its parent's memory.
#[derive(Debug)]
pub enum Received {
    /// A sealed file, and a path of this process to it.
    File(File, PathBuf),
    /// A copy.
    Copy(Vec<u8>),
}

impl Received {
    /// Reads a [message](Shared::message) of the parent, which is the process with this number.
    ///
    /// # Errors
    /// The message is cut off, or the memory is not there, or it can still be changed.
    pub fn read(input: &mut impl Read, parent: u32) -> io::Result<Self> {
        system::receive(input, parent)
    }
}

/// Reads a number in eight bytes, little-endian.
fn number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
