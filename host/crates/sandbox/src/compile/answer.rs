//! What a compiling child says on its standard output, written and read: first a greeting, when its limits are set and
//! its engine is made, then one answer.
//!
//! | part | bytes |
//! | --- | --- |
//! | magic | 8 |
//! | the engine's hash, in hexadecimal | 16 |
//! | whether the machine had room for all the address space that the child may use: 1 or 0 | 1 |
//! | the kind of the answer | 1 |
//! | the length of what follows, little-endian | 8 |
//! | the artifact, or a text | as long |
//! | SHA-256 of the kind and of what followed | 32 |
//!
//! Nothing comes after that. An answer counts when all of it is there and its digest is right, so a part of an artifact is
//! never taken for the whole.

use super::artifact::Artifact;
use crate::engine::ENGINE_HASH_CHARS;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// The name of this format. Changed with it, so that a child of another build is told apart.
const MAGIC: &[u8; 8] = b"arena-c1";
const GREETING_BYTES: usize = MAGIC.len() + ENGINE_HASH_CHARS + 1;
const HEAD_BYTES: usize = GREETING_BYTES + 1 + 8;
const DIGEST_BYTES: usize = 32;

/// The longest text of an answer. Chosen: a refusal shows a quarter of it.
const TEXT_BYTES_MAX: usize = 1 << 10;

const ARTIFACT: u8 = b'A';

/// What came of compiling.
pub(super) enum Answer {
    /// Code.
    Artifact(Artifact),
    /// The compiler does not take the component, and says why.
    Rejected(String),
    /// There was no memory for it.
    OutOfMemory(String),
    /// The compiler panicked.
    Panicked(String),
    /// The child could not do its work.
    Failed(String),
}

impl Answer {
    fn kind(&self) -> u8 {
        match self {
            Self::Artifact(_) => ARTIFACT,
            Self::Rejected(_) => b'R',
            Self::OutOfMemory(_) => b'M',
            Self::Panicked(_) => b'P',
            Self::Failed(_) => b'F',
        }
    }

    fn payload(&self) -> &[u8] {
        match self {
            Self::Artifact(artifact) => artifact.bytes(),
            Self::Rejected(text) | Self::OutOfMemory(text) | Self::Panicked(text) | Self::Failed(text) => {
                &text.as_bytes()[..text.len().min(TEXT_BYTES_MAX)]
            }
        }
    }

    fn of(kind: u8, payload: Vec<u8>) -> Option<Self> {
        if kind == ARTIFACT {
            // Its digest has been checked, and the child is ours.
            return Some(Self::Artifact(Artifact::of_our_compiler(payload)));
        }
        let text = String::from_utf8_lossy(&payload).into_owned();
        match kind {
            b'R' => Some(Self::Rejected(text)),
            b'M' => Some(Self::OutOfMemory(text)),
            b'P' => Some(Self::Panicked(text)),
            b'F' => Some(Self::Failed(text)),
            _ => None,
        }
    }

    /// Says it, after the greeting.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (kind, payload) = (self.kind(), self.payload());
        out.write_all(&[kind])?;
        out.write_all(&(payload.len() as u64).to_le_bytes())?;
        out.write_all(payload)?;
        out.write_all(&digest(kind, payload))?;
        out.flush()
    }
}

/// Greets. See the module's table.
pub(super) fn greet(out: &mut impl Write, engine_hash: &str, has_room: bool) -> io::Result<()> {
    out.write_all(MAGIC)?;
    out.write_all(engine_hash.as_bytes())?;
    out.write_all(&[u8::from(has_room)])?;
    out.flush()
}

fn digest(kind: u8, payload: &[u8]) -> [u8; DIGEST_BYTES] {
    Sha256::new().chain_update([kind]).chain_update(payload).finalize().into()
}

/// All that a child has said so far.
#[derive(Default)]
pub(super) struct Heard {
    bytes: Vec<u8>,
}

/// Why a child is not listened to any further.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Enough {
    /// Its artifact is larger than the most that is taken.
    TooLarge,
    /// It is not what our compiler says.
    Garbled,
    /// It is what a compiler of another build says.
    OtherEngine,
}

impl Heard {
    /// Hears more.
    pub(super) fn hear(
        &mut self,
        more: &[u8],
        engine_hash: &str,
        artifact_bytes_max: usize,
    ) -> Result<(), Enough> {
        self.bytes.extend_from_slice(more);
        let greeting = &self.bytes[..self.bytes.len().min(GREETING_BYTES)];
        let magic = &greeting[..greeting.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(Enough::Garbled);
        }
        if !engine_hash.as_bytes().starts_with(self.hash_so_far()) {
            return Err(Enough::OtherEngine);
        }
        let Some((kind, length)) = self.head() else { return Ok(()) };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if kind == ARTIFACT && length > artifact_bytes_max {
            return Err(Enough::TooLarge);
        }
        let is_too_long = kind != ARTIFACT && length > TEXT_BYTES_MAX;
        if is_too_long || self.bytes.len() > HEAD_BYTES + length + DIGEST_BYTES {
            return Err(Enough::Garbled);
        }
        // What it takes is known now.
        self.bytes.reserve_exact(HEAD_BYTES + length + DIGEST_BYTES - self.bytes.len());
        Ok(())
    }

    fn hash_so_far(&self) -> &[u8] {
        let end = self.bytes.len().min(MAGIC.len() + ENGINE_HASH_CHARS);
        self.bytes.get(MAGIC.len()..end).unwrap_or_default()
    }

    fn head(&self) -> Option<(u8, u64)> {
        let head = self.bytes.get(GREETING_BYTES..HEAD_BYTES)?;
        let (kind, length) = head.split_first()?;
        Some((*kind, u64::from_le_bytes(length.try_into().ok()?)))
    }

    /// Whether it had its limits set and its engine made; and if so, whether the machine had room for it.
    pub(super) fn greeting(&self) -> Option<bool> {
        self.bytes.get(GREETING_BYTES - 1).map(|room| *room == 1)
    }

    /// The answer, if all of it is there.
    pub(super) fn answer(mut self) -> Option<Answer> {
        let (kind, length) = self.head()?;
        let end = HEAD_BYTES.checked_add(usize::try_from(length).ok()?)?;
        if self.bytes.len() != end.checked_add(DIGEST_BYTES)? {
            return None;
        }
        let (payload, given) = self.bytes[HEAD_BYTES..].split_at(end - HEAD_BYTES);
        if digest(kind, payload) != given {
            return None;
        }
        self.bytes.truncate(end);
        self.bytes.drain(..HEAD_BYTES);
        Answer::of(kind, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGINE: &str = "0123456789abcdef";

    fn said(answer: &Answer) -> Vec<u8> {
        let mut bytes = Vec::new();
        greet(&mut bytes, ENGINE, true).expect("a vector takes it");
        answer.write(&mut bytes).expect("a vector takes it");
        bytes
    }

    fn artifact() -> Answer {
        Answer::Artifact(Artifact::of_our_compiler((0..100).collect()))
    }

    /// Listens to bytes that come some at a time, and gives the answer.
    fn listen(bytes: &[u8], at_a_time: usize) -> Result<Option<Answer>, Enough> {
        let mut heard = Heard::default();
        for some in bytes.chunks(at_a_time) {
            heard.hear(some, ENGINE, 100)?;
        }
        Ok(heard.answer())
    }

    #[test]
    fn an_answer_is_heard_as_it_was_said_however_it_is_cut() {
        for at_a_time in [1, 7, 1_000] {
            let Ok(Some(Answer::Artifact(heard))) = listen(&said(&artifact()), at_a_time) else {
                panic!("it is an artifact")
            };
            assert!(heard.bytes().iter().copied().eq(0..100));
            let Ok(Some(Answer::Rejected(text))) = listen(&said(&Answer::Rejected("no".into())), at_a_time)
            else {
                panic!("it is a rejection")
            };
            assert_eq!(text, "no");
        }
    }

    #[test]
    fn a_part_of_an_answer_is_none() {
        let bytes = said(&artifact());
        for length in 0..bytes.len() {
            assert!(matches!(listen(&bytes[..length], 10), Ok(None)), "{length} bytes");
        }
    }

    #[test]
    fn an_answer_with_any_bit_changed_is_none_or_the_same_one() {
        for answer in [artifact(), Answer::Failed("a text".into())] {
            let bytes = said(&answer);
            for bit in 0..bytes.len() * 8 {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                if let Ok(Some(heard)) = listen(&changed, 10) {
                    // Whether there was room is no part of the answer.
                    assert_eq!(bit / 8, GREETING_BYTES - 1);
                    assert!(heard.kind() == answer.kind() && heard.payload() == answer.payload());
                }
            }
        }
    }

    #[test]
    fn nothing_may_follow_an_answer() {
        let mut bytes = said(&artifact());
        bytes.push(0);
        assert_eq!(listen(&bytes, 10).err(), Some(Enough::Garbled));
    }

    #[test]
    fn an_artifact_over_the_cap_is_not_waited_for() {
        let large = Answer::Artifact(Artifact::of_our_compiler(vec![0; 101]));
        assert_eq!(listen(&said(&large)[..HEAD_BYTES], 10).err(), Some(Enough::TooLarge));
        let mut bytes = said(&Answer::Rejected("no".into()));
        bytes[GREETING_BYTES + 1..HEAD_BYTES].fill(0xff);
        assert_eq!(listen(&bytes, 10).err(), Some(Enough::Garbled));
    }

    #[test]
    fn what_is_not_our_compiler_is_told_apart_at_once() {
        assert_eq!(listen(b"y\ny\ny\n", 1).err(), Some(Enough::Garbled));
        let mut other = said(&artifact());
        other[MAGIC.len()] ^= 1;
        assert_eq!(listen(&other, 10).err(), Some(Enough::OtherEngine));
    }

    #[test]
    fn a_long_text_is_cut() {
        let Ok(Some(Answer::Panicked(text))) = listen(&said(&Answer::Panicked("é".repeat(9_999))), 999)
        else {
            panic!("it is a panic's text")
        };
        assert_eq!(text.len(), TEXT_BYTES_MAX);
    }
}
