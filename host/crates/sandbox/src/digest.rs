//! Digests of components.

use sha2::{Digest, Sha256};

/// The SHA-256 of bytes, in hexadecimal: the identity of a component.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
