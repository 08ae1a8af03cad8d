//! The seal: the form in which a child process hands over its verdict on a component and in which the cache keeps it.
//!
//! | part | bytes |
//! | --- | --- |
//! | magic, with the version of this format | 8 |
//! | key: the component's SHA-256, a hyphen and the hash of those who judge it, in hexadecimal | 81 |
//! | kind of the contents | 1 |
//! | length of the contents, little-endian | 8 |
//! | SHA-256 of everything above and of the contents | 32 |
//! | contents | as many as the length says |
//!
//! A file of the cache is one sealed verdict, or the compiled functions of a skeleton, which has its own SHA-256. A child writes
//! two sealed messages: a ready message once it is confined and its engine is made, and then its answer. [`SealReader`] reads all of
//! them: it takes bytes as they come, refuses bytes that are not sealed for its key at the first wrong one, never holds more than
//! the announced length, and checks the digest over the bytes that it returns.

use crate::judge::HASH_CHARS;
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};

/// The name of this format. It changes with the format, so that other builds and their files are recognised.
const MAGIC: &[u8; 8] = b"arena-s3";

const COMPONENT_HASH_CHARS: usize = 64;
const KEY_CHARS: usize = COMPONENT_HASH_CHARS + 1 + HASH_CHARS;
const KEY_END: usize = MAGIC.len() + KEY_CHARS;
const LENGTH_END: usize = KEY_END + 1 + 8;

/// The bytes before the contents.
const HEADER_BYTES: usize = LENGTH_END + 32;

/// The longest contents except code, in bytes. Chosen: a refusal is a tenth of it, or half if all its letters are
/// escaped.
const TEXT_BYTES_MAX: usize = 4 << 10;

/// The bytes that are read at a time. Chosen: the capacity of a pipe on Linux.
pub(crate) const CHUNK_BYTES: usize = 64 << 10;

/// The component and the judges that something is sealed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    /// The key for a component's hash and that of its judges, both in hexadecimal.
    pub(crate) fn new(component_hash: &str, judges_hash: &str) -> Self {
        Self(format!("{component_hash}-{judges_hash}"))
    }

    /// The key for the ready message of a child. The child has not read its component yet.
    pub(crate) fn of_ready_message(judges_hash: &str) -> Self {
        Self::new(&"0".repeat(COMPONENT_HASH_CHARS), judges_hash)
    }

    /// Reads a key; `None` when the text does not have the form of one.
    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        let text = str::from_utf8(text).ok().filter(|text| Self::is_key(text))?;
        Some(Self(text.to_owned()))
    }

    /// The key as text.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Returns true if a text has the form of a key.
    pub(crate) fn is_key(text: &str) -> bool {
        text.len() == KEY_CHARS
            && text.bytes().enumerate().all(|(at, byte)| match at {
                COMPONENT_HASH_CHARS => byte == b'-',
                _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            })
    }
}

/// The kinds of contents. All except code and skeletons are short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// The ready message: the room that the machine has for the child, and the measures that confine it.
    ReadyMessage = b'G',
    /// A component that is admitted: its facts and its compiled code.
    Admitted = b'A',
    /// A refusal of the component.
    Refused = b'R',
    /// The skeleton of a component.
    Skeleton = b'S',
    /// The compiled functions of a skeleton.
    Functions = b'C',
    /// Text: the name that a bot gives itself.
    Name = b'N',
    /// Text: the slowdown of a machine, or the processor time that compiling a component took.
    Time = b'T',
    /// Text: the allocation that failed.
    OutOfMemory = b'M',
    /// Text: the message of the compiler's panic.
    Panicked = b'P',
    /// Text: what the child could not do.
    Failed = b'F',
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        let long = [Self::Admitted, Self::Skeleton, Self::Functions];
        let short = [
            Self::ReadyMessage,
            Self::Refused,
            Self::Name,
            Self::Time,
            Self::OutOfMemory,
            Self::Panicked,
            Self::Failed,
        ];
        long.into_iter().chain(short).find(|kind| *kind as u8 == byte)
    }

    fn is_long(self) -> bool {
        matches!(self, Self::Admitted | Self::Skeleton | Self::Functions)
    }
}

/// The reasons why bytes are not opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SealError {
    /// The beginning is not that of contents sealed for this key by this version.
    #[error("not sealed for this component and these judges")]
    Foreign,
    /// The facts and the code, or another long part, are longer than the limit.
    #[error("longer than the limit")]
    TooLarge,
    /// The end is missing.
    #[error("incomplete")]
    Incomplete,
    /// The digest is wrong, or bytes follow the end.
    #[error("changed after it was sealed")]
    Changed,
    /// The bytes cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Contents and the header that seals them.
#[derive(Debug)]
pub(crate) struct Sealed {
    kind: Kind,
    header: Vec<u8>,
    contents: Vec<u8>,
}

impl Sealed {
    /// Seals contents. A text that is too long is cut.
    pub(crate) fn new(key: &Key, kind: Kind, mut contents: Vec<u8>) -> Self {
        if !kind.is_long() {
            contents.truncate(TEXT_BYTES_MAX);
        }
        let length = (contents.len() as u64).to_le_bytes();
        let mut header = [MAGIC.as_slice(), key.0.as_bytes(), &[kind as u8], &length].concat();
        header.extend(digest(&header, &contents));
        Self { kind, header, contents }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// The header and the contents; concatenated, they are the sealed form.
    pub(crate) fn parts(&self) -> [&[u8]; 2] {
        [&self.header, &self.contents]
    }

    /// The length of the header and the contents.
    pub(crate) fn bytes(&self) -> u64 {
        (self.header.len() + self.contents.len()) as u64
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.header)?;
        out.write_all(&self.contents)?;
        out.flush()
    }
}

fn digest(head: &[u8], contents: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(head).chain_update(contents).finalize().into()
}

/// Sealed bytes that are being read.
pub(crate) struct SealReader {
    key: Key,
    artifact_bytes_max: usize,
    header: Vec<u8>,
    contents: Vec<u8>,
}

impl SealReader {
    /// Begins to read sealed contents for a key, with this limit on the length of facts and code.
    pub(crate) fn new(key: &Key, artifact_bytes_max: usize) -> Self {
        Self { key: key.clone(), artifact_bytes_max, header: Vec::new(), contents: Vec::new() }
    }

    /// Reads everything that is left of a file.
    pub(crate) fn read(mut self, mut from: impl Read) -> Result<Sealed, SealError> {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        while from.by_ref().take(CHUNK_BYTES as u64).read_to_end(&mut chunk)? > 0 {
            self.take_last(&chunk)?;
            chunk.clear();
        }
        self.finish()
    }

    /// Takes the next bytes and returns those that follow the end.
    pub(crate) fn take<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], SealError> {
        let (own, rest) = bytes.split_at(bytes.len().min(HEADER_BYTES - self.header.len()));
        self.header.extend_from_slice(own);
        let start = MAGIC.iter().chain(self.key.0.as_bytes());
        if start.zip(&self.header).any(|(expected, found)| expected != found) {
            return Err(SealError::Foreign);
        }
        let Some((_, length)) = self.announced()? else { return Ok(rest) };
        let missing = length - self.contents.len();
        self.contents.reserve_exact(missing);
        let (own, rest) = rest.split_at(rest.len().min(missing));
        self.contents.extend_from_slice(own);
        Ok(rest)
    }

    /// Takes the next bytes. No bytes may follow the end.
    pub(crate) fn take_last(&mut self, bytes: &[u8]) -> Result<(), SealError> {
        if self.take(bytes)?.is_empty() { Ok(()) } else { Err(SealError::Changed) }
    }

    /// The kind and length of the contents, once the header is complete.
    fn announced(&self) -> Result<Option<(Kind, usize)>, SealError> {
        if self.header.len() < HEADER_BYTES {
            return Ok(None);
        }
        let kind = Kind::from_byte(self.header[KEY_END]).ok_or(SealError::Foreign)?;
        let length = self.header[KEY_END + 1..LENGTH_END].try_into().expect("a length has eight bytes");
        let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
        let (length_max, error) = if kind.is_long() {
            (self.artifact_bytes_max, SealError::TooLarge)
        } else {
            (TEXT_BYTES_MAX, SealError::Foreign)
        };
        if length <= length_max { Ok(Some((kind, length))) } else { Err(error) }
    }

    /// True if everything that was announced has arrived.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.announced(), Ok(Some((_, length))) if self.contents.len() >= length)
    }

    /// Checks that everything has arrived, unchanged.
    pub(crate) fn finish(self) -> Result<Sealed, SealError> {
        let (kind, length) = self.announced()?.ok_or(SealError::Incomplete)?;
        if self.contents.len() < length {
            return Err(SealError::Incomplete);
        }
        let (head, expected) = self.header.split_at(LENGTH_END);
        if digest(head, &self.contents) != expected {
            return Err(SealError::Changed);
        }
        Ok(Sealed { kind, header: self.header, contents: self.contents })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 100;

    fn key() -> Key {
        Key::new(&"ab".repeat(32), "0123456789abcdef")
    }

    fn bytes(kind: Kind, contents: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        Sealed::new(&key(), kind, contents.to_vec()).write(&mut bytes).expect("a vector takes it");
        bytes
    }

    fn code() -> Vec<u8> {
        bytes(Kind::Admitted, &(0..100).collect::<Vec<u8>>())
    }

    /// Opens bytes that come a few at a time.
    fn open(bytes: &[u8], at_a_time: usize) -> Result<Sealed, SealError> {
        let mut reader = SealReader::new(&key(), LIMIT);
        for some in bytes.chunks(at_a_time) {
            reader.take_last(some)?;
        }
        reader.finish()
    }

    #[test]
    fn sealed_contents_are_opened_as_they_were_however_they_are_cut() {
        for at_a_time in [1, 7, 1_000] {
            let sealed = open(&code(), at_a_time).expect("it is sealed");
            assert_eq!((sealed.kind(), sealed.bytes()), (Kind::Admitted, HEADER_BYTES as u64 + 100));
            assert!(sealed.contents().iter().copied().eq(0..100));
            let sealed = open(&bytes(Kind::Refused, b"no"), at_a_time).expect("it is sealed");
            assert_eq!((sealed.kind(), sealed.contents()), (Kind::Refused, b"no".as_slice()));
        }
        assert!(SealReader::new(&key(), LIMIT).read(code().as_slice()).is_ok());
    }

    #[test]
    fn contents_are_opened_with_their_own_key_only() {
        for other in
            [Key::new(&"cd".repeat(32), "0123456789abcdef"), Key::new(&"ab".repeat(32), "fedcba9876543210")]
        {
            let mut reader = SealReader::new(&other, LIMIT);
            assert!(matches!(reader.take(&code()), Err(SealError::Foreign)));
        }
    }

    #[test]
    fn a_part_of_sealed_bytes_is_incomplete() {
        let bytes = code();
        for length in 0..bytes.len() {
            assert!(matches!(open(&bytes[..length], 10), Err(SealError::Incomplete)), "{length} bytes");
        }
    }

    #[test]
    fn bytes_with_any_bit_changed_are_not_opened() {
        for bytes in [code(), bytes(Kind::Failed, b"a text"), bytes(Kind::ReadyMessage, &[1])] {
            for bit in 0..bytes.len() * 8 {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(open(&changed, 10).is_err(), "bit {bit}");
            }
        }
    }

    #[test]
    fn bytes_after_the_end_are_returned_or_refused() {
        let two = [code(), b"more".to_vec()].concat();
        assert_eq!(SealReader::new(&key(), LIMIT).take(&two).expect("it is sealed"), b"more");
        assert!(matches!(open(&two, 10), Err(SealError::Changed)));
        assert!(matches!(SealReader::new(&key(), LIMIT).read(two.as_slice()), Err(SealError::Changed)));
    }

    #[test]
    fn contents_over_the_limit_are_not_waited_for() {
        let large = bytes(Kind::Admitted, &[0; LIMIT + 1]);
        assert!(matches!(open(&large[..HEADER_BYTES], 10), Err(SealError::TooLarge)));
        let mut text = bytes(Kind::Refused, b"no");
        text[KEY_END + 1..LENGTH_END].fill(0xff);
        assert!(matches!(open(&text, 10), Err(SealError::Foreign)));
    }

    #[test]
    fn foreign_bytes_are_recognised_by_the_first_one() {
        assert!(matches!(open(b"y\ny\ny\n", 1), Err(SealError::Foreign)));
        assert!(matches!(SealReader::new(&key(), LIMIT).take(b"y"), Err(SealError::Foreign)));
    }

    #[test]
    fn a_long_text_is_cut() {
        let sealed = open(&bytes(Kind::Panicked, "é".repeat(9_999).as_bytes()), 999).expect("it is sealed");
        assert_eq!(sealed.contents().len(), TEXT_BYTES_MAX);
    }

    #[test]
    fn a_key_is_recognised_by_its_form() {
        assert_eq!(Key::read(key().text().as_bytes()), Some(key()));
        assert!(Key::is_key(key().text()) && Key::is_key(Key::of_ready_message("0123456789abcdef").text()));
        for text in ["", "-", "notes", &key().text().replace("ab", "AB"), &key().text().replace('-', "0")] {
            assert!(!Key::is_key(text) && Key::read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
