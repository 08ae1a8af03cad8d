//! The identities of workers: each has an nkey (the Ed25519 keys of NATS) and signs all its messages.
//!
//! Every user of the server's account can read and send messages there, so a secret in a message does not identify its sender. A
//! signature does.

use crate::error::ClusterError;
use arena_platform::files::private;
use arena_text::Line;
use nkeys::{KeyPair, KeyPairType};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The prefix of all signed data. The purpose follows it, so that a signature is valid for one purpose only.
const DOMAIN: &[u8] = b"arena worker\0";

/// The size limit of a key file, in bytes. Chosen: a seed has 58.
const KEY_BYTES_MAX: u64 = 1_024;

/// The signing key of a worker.
pub struct WorkerKey(KeyPair);

/// The public part of a worker's key: `U` and 55 letters and digits, as NATS's own tools write it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PublicKey(Line<64>);

impl WorkerKey {
    /// Generates a key.
    pub fn fresh() -> Self {
        Self(KeyPair::new_user())
    }

    /// Restores a key from a seed, as [`seed`](Self::seed) writes it.
    ///
    /// # Errors
    /// It is not the seed of a user's key.
    pub fn from_seed(seed: &str) -> Result<Self, String> {
        match KeyPair::from_seed(seed.trim()) {
            Ok(pair) if pair.key_pair_type() == KeyPairType::User => Ok(Self(pair)),
            Ok(_) => Err("it is the seed of another kind of key than a user's".into()),
            // The library's message may contain a part of the seed.
            Err(_) => Err("it is not the seed of a user's key: one begins with SU".into()),
        }
    }

    /// Reads the key from a file. Creates the file with a new key if it does not exist.
    ///
    /// # Errors
    /// The file cannot be read or made, or has no key.
    pub fn in_file(path: &Path) -> Result<Self, ClusterError> {
        let problem =
            |why: &dyn fmt::Display| ClusterError::WrongKey { file: path.to_owned(), why: why.to_string() };
        // Only the user may read a new key file.
        match private(OpenOptions::new().write(true).create_new(true)).open(path) {
            Ok(mut file) => {
                let key = Self::fresh();
                file.write_all(format!("{}\n", key.seed()).as_bytes()).map_err(|error| problem(&error))?;
                Ok(key)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let seed = arena_files::read_text(path, KEY_BYTES_MAX).map_err(|error| problem(&error))?;
                Self::from_seed(&seed).map_err(|error| problem(&error))
            }
            Err(error) => Err(problem(&error)),
        }
    }

    /// The secret seed.
    ///
    /// # Panics
    /// Never: the key was generated here or restored from a seed.
    pub fn seed(&self) -> String {
        self.0.seed().expect("the key has a secret part")
    }

    /// The public part.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.public_key().as_str().into())
    }

    /// Returns a message with this body, signed for a purpose.
    pub(crate) fn seal(&self, purpose: &str, body: &[u8]) -> Vec<u8> {
        let signature = self.0.sign(&signed(purpose, body)).expect("the key has a secret part");
        let key = self.0.public_key();
        let sealed = Sealed { key: &key, signature: &signature, body };
        postcard::to_allocvec(&sealed).expect("a message is plain data")
    }
}

impl PublicKey {
    /// Parses a public key.
    ///
    /// # Errors
    /// It is not a user's public key.
    pub fn parse(text: &str) -> Result<Self, String> {
        match KeyPair::from_public_key(text) {
            Ok(pair) if pair.key_pair_type() == KeyPairType::User => Ok(Self(text.into())),
            Ok(_) | Err(_) => {
                Err(format!("{}: not a worker's public key: one begins with U", arena_text::line(text, 64)))
            }
        }
    }
}

#[cfg(test)]
impl PublicKey {
    /// A key that no worker has, for tests with many workers and without signatures: to generate one takes some milliseconds.
    pub(crate) fn made_up(number: u64) -> Self {
        Self(format!("U{number:055}").as_str().into())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_str().fmt(f)
    }
}

/// A signed message.
#[derive(Serialize, Deserialize)]
pub(crate) struct Sealed<'a> {
    key: &'a str,
    signature: &'a [u8],
    /// The signed bytes.
    pub body: &'a [u8],
}

impl<'a> Sealed<'a> {
    /// Parses a message without verifying its signature.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// The claimed signer, not verified.
    pub fn claimed(&self) -> PublicKey {
        PublicKey(self.key.into())
    }

    /// The same message with another claimed signer.
    #[cfg(test)]
    pub fn under(self, key: &'a str) -> Self {
        Self { key, ..self }
    }

    /// Verifies the signature for this purpose. Returns the signer; `None` when the signature is invalid.
    pub fn signer(&self, purpose: &str) -> Option<PublicKey> {
        let pair = KeyPair::from_public_key(self.key).ok()?;
        let is_user = pair.key_pair_type() == KeyPairType::User;
        pair.verify(&signed(purpose, self.body), self.signature).ok().filter(|()| is_user)?;
        Some(PublicKey(self.key.into()))
    }
}

fn signed(purpose: &str, body: &[u8]) -> Vec<u8> {
    [DOMAIN, purpose.as_bytes(), b"\0", body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_message_is_signed_for_one_purpose_by_one_key() {
        let key = WorkerKey::fresh();
        let bytes = key.seal("ask", b"hello");
        let sealed = Sealed::parse(&bytes).unwrap();
        assert_eq!((sealed.signer("ask"), sealed.signer("result")), (Some(key.public()), None));
        assert_eq!(Sealed { body: b"hellp", ..Sealed::parse(&bytes).unwrap() }.signer("ask"), None);
        let other = WorkerKey::fresh().public();
        assert_eq!(sealed.under(&other.to_string()).signer("ask"), None);
        assert_eq!(Sealed::parse(&bytes).unwrap().under("").signer("ask"), None);
    }

    #[test]
    fn a_key_file_is_made_for_its_user_alone_and_read_again_up_to_a_kibibyte() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("key");
        let key = WorkerKey::in_file(&path).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        for (bytes, is_read) in [(1_024, true), (1_025, false)] {
            fs::write(&path, format!("{:bytes$}", key.seed())).unwrap();
            let read = WorkerKey::in_file(&path);
            assert_eq!(read.ok().map(|key| key.public()), is_read.then(|| key.public()));
        }
    }

    #[test]
    fn a_key_is_restored_from_its_seed_and_other_kinds_of_keys_are_refused() {
        let key = WorkerKey::fresh();
        assert_eq!(WorkerKey::from_seed(&format!("{}\n", key.seed())).unwrap().public(), key.public());
        assert_eq!(PublicKey::parse(&key.public().to_string()), Ok(key.public()));
        let account = KeyPair::new_account();
        for seed in ["", "SU", &account.seed().unwrap()] {
            assert!(WorkerKey::from_seed(seed).is_err());
        }
        for text in ["", "U", &account.public_key(), &key.seed()] {
            assert!(PublicKey::parse(text).is_err());
        }
    }
}
