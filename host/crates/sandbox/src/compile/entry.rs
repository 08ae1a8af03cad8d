//! A file of the cache: which artifact it holds, and that it is whole.
//!
//! | part | bytes |
//! | --- | --- |
//! | magic, with the version of this format | 8 |
//! | SHA-256 of the component, in hexadecimal | 64 |
//! | the engine's hash, in hexadecimal | 16 |
//! | the artifact's length, little-endian | 8 |
//! | SHA-256 of the artifact | 32 |
//! | the artifact | as long |

use crate::engine::ENGINE_HASH_CHARS;
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"arena-a1";
const COMPONENT_HASH_CHARS: usize = 64;
const HASHES_END: usize = MAGIC.len() + COMPONENT_HASH_CHARS + ENGINE_HASH_CHARS;

/// What comes before the artifact.
pub(super) const HEADER_BYTES: usize = HASHES_END + 8 + 32;

/// How an entry's name ends.
const SUFFIX: &str = ".artifact";

/// What an artifact is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    component: String,
    engine: String,
}

impl Key {
    /// The key of a component's hash and an engine's, both in hexadecimal.
    pub(super) fn new(component: &str, engine: &str) -> Self {
        Self { component: component.to_owned(), engine: engine.to_owned() }
    }

    /// The name of its file.
    pub(super) fn file_name(&self) -> String {
        format!("{}-{}{SUFFIX}", self.component, self.engine)
    }

    /// Whether a file's name is an entry's.
    pub(super) fn is_file_name(name: &str) -> bool {
        let is_hash = |text: &str, chars| {
            text.len() == chars && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        name.strip_suffix(SUFFIX).and_then(|name| name.split_once('-')).is_some_and(|(component, engine)| {
            is_hash(component, COMPONENT_HASH_CHARS) && is_hash(engine, ENGINE_HASH_CHARS)
        })
    }

    /// What is written before an artifact.
    pub(super) fn header(&self, artifact: &[u8]) -> Vec<u8> {
        [
            MAGIC.as_slice(),
            self.component.as_bytes(),
            self.engine.as_bytes(),
            &(artifact.len() as u64).to_le_bytes(),
            &Sha256::digest(artifact),
        ]
        .concat()
    }

    /// The artifact in a file's bytes, if they are an entry of this key and whole.
    pub(super) fn artifact(&self, mut file: Vec<u8>) -> Option<Vec<u8>> {
        let (header, artifact) = file.split_at_checked(HEADER_BYTES)?;
        if self.header(artifact) != header {
            return None;
        }
        file.drain(..HEADER_BYTES);
        Some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key::new(&"ab".repeat(32), "0123456789abcdef")
    }

    fn entry() -> Vec<u8> {
        let artifact: Vec<u8> = (0..100).collect();
        [key().header(&artifact), artifact].concat()
    }

    #[test]
    fn an_entry_is_read_as_it_was_written_and_for_its_key_alone() {
        assert_eq!(entry().len(), HEADER_BYTES + 100);
        assert!(key().artifact(entry()).expect("it is whole").into_iter().eq(0..100));
        for other in
            [Key::new(&"cd".repeat(32), "0123456789abcdef"), Key::new(&"ab".repeat(32), "fedcba9876543210")]
        {
            assert_eq!(other.artifact(entry()), None);
            assert_ne!(other.file_name(), key().file_name());
        }
    }

    #[test]
    fn an_entry_with_any_bit_changed_or_any_part_missing_is_none() {
        for bit in 0..entry().len() * 8 {
            let mut changed = entry();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(key().artifact(changed), None, "bit {bit}");
        }
        for length in 0..entry().len() {
            assert_eq!(key().artifact(entry()[..length].to_vec()), None, "{length} bytes");
        }
        assert_eq!(key().artifact([entry(), vec![0]].concat()), None);
    }

    #[test]
    fn entries_are_told_from_other_files_by_their_names() {
        assert!(Key::is_file_name(&key().file_name()));
        for name in ["", ".artifact", "x.artifact", "notes.txt", &key().file_name().replace("ab", "AB")] {
            assert!(!Key::is_file_name(name), "{name}");
        }
    }
}
