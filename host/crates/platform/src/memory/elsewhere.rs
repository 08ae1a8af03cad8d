//! Memory that children get copies of.

use super::{Received, number};
use std::io::{self, Read};

/// Memory that children get copies of, so that no process can change it for another one.
#[derive(Debug)]
pub struct Shared {
    bytes: Vec<u8>,
}

impl Shared {
    /// Memory with these bytes. The name is for other systems.
    ///
    /// # Errors
    /// None, on this system.
    pub fn new(_name: &str, bytes: &[u8]) -> io::Result<Self> {
        Ok(Self { bytes: bytes.to_vec() })
    }

    /// The message to a child, which [reads](Received::read) it: the length, in eight bytes, little-endian; the bytes.
    pub fn message(&self) -> Vec<u8> {
        [(self.bytes.len() as u64).to_le_bytes().as_slice(), &self.bytes].concat()
    }
}

pub(super) fn receive(input: &mut impl Read, _parent: u32) -> io::Result<Received> {
    let length = number(input)?;
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(Received::Copy(bytes))
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}
