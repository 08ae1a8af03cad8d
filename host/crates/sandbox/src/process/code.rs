//! The code of a bot as all processes share it: on Linux a sealed file in memory, which each of them maps.
//!
//! The parent sends a child the places of the files through its pipe, or the code itself. The child opens the files before it
//! confines itself, because they are the parent's, and loads them after that.

use super::HASH_CHARS;
use crate::compile::{Artifact, last_words};
use crate::judge::{FACTS_BYTES_MAX, Facts};
use crate::program::Program;
use crate::refusal::AdmitError;
use crate::runtime::Runtime;
use arena_platform::memory::{Received, Shared};
use arena_referee::HostError;
use arena_resources::refused;
use std::io::{self, Read};
use std::sync::Arc;

/// A bot's code in memory that no process can change, and the facts about the bot as bytes.
#[derive(Debug)]
pub(crate) struct CodeFile {
    code: Shared,
    code_bytes: usize,
    facts: Vec<u8>,
}

impl CodeFile {
    /// Shares the code.
    ///
    /// # Errors
    /// A failure of the host: it has no memory or no descriptor left.
    pub(crate) fn new(artifact: &Artifact) -> Result<Self, HostError> {
        let code = artifact.code();
        let shared = Shared::new("arena-code", code)
            .map_err(|error| refused("cannot keep the code of a bot for processes", error))?;
        Ok(Self { code: shared, code_bytes: code.len(), facts: artifact.facts().to_bytes() })
    }

    /// The length of the code.
    pub(super) fn code_bytes(&self) -> usize {
        self.code_bytes
    }

    /// The message to a child about a bot with this hash: the hash in hexadecimal; the message about the code; the length of the
    /// facts, in eight bytes, little-endian; the facts.
    pub(super) fn message(&self, hash: &str) -> Vec<u8> {
        let length = (self.facts.len() as u64).to_le_bytes();
        [hash.as_bytes(), &self.code.message(), &length, &self.facts].concat()
    }
}

/// A bot's code in a child.
pub(super) struct Opened {
    /// The hash of the component in hexadecimal.
    pub(super) hash: String,
    /// The facts about the bot.
    pub(super) facts: Facts,
    code: Received,
}

/// Reads the number of bots, in eight bytes, and the message about each, and opens the files of the parent.
pub(super) fn open_all(input: &mut impl Read, parent: u32) -> Result<Vec<Opened>, String> {
    let mut read = || -> io::Result<Vec<Opened>> {
        let count = number(input)?;
        (0..count).map(|_| open(input, parent)).collect()
    };
    read().map_err(|error| last_words(&refused("it cannot open the code of its bots", error)))
}

fn open(input: &mut impl Read, parent: u32) -> io::Result<Opened> {
    let mut hash = [0; HASH_CHARS];
    input.read_exact(&mut hash)?;
    let hash = String::from_utf8(hash.to_vec()).map_err(io::Error::other)?;
    let code = Received::read(input, parent)?;
    let facts_bytes = usize::try_from(number(input)?).unwrap_or(usize::MAX);
    if facts_bytes > FACTS_BYTES_MAX {
        return Err(io::Error::other("the facts are too long"));
    }
    let mut facts = vec![0; facts_bytes];
    input.read_exact(&mut facts)?;
    let facts = Facts::from_bytes(&facts).ok_or_else(|| io::Error::other("there are no facts"))?;
    Ok(Opened { hash, facts, code })
}

impl Opened {
    /// Loads and links the code, and has the first memories of its instances made, which takes files.
    pub(super) fn load(&self, runtime: &Arc<Runtime>) -> Result<Program, AdmitError> {
        let component = runtime.load_with(|engine| match &self.code {
            Received::File(_, path) => Artifact::load_file(engine, path),
            Received::Copy(code) => Artifact::load_copy(engine, code),
        })?;
        component
            .initialize_copy_on_write_image()
            .map_err(|error| HostError::machine("cannot prepare a bot's memory", error))?;
        Ok(runtime.link(&component, &self.facts)?)
    }
}

fn number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::scan::Shape;
    use std::process::id;

    const HASH: &str = "ab";

    fn file() -> CodeFile {
        let contract = Contract::of("arena:battleship@0.1.0").expect("there is this contract");
        let facts = Facts { contract, imports: Vec::new(), shape: Shape::default(), has_image: false };
        let code = Shared::new("code", b"code").expect("there is room");
        CodeFile { code, code_bytes: 4, facts: facts.to_bytes() }
    }

    /// Opens the code of one bot as a child does that gets this message.
    fn opened(told: &[u8]) -> Result<Vec<Opened>, String> {
        open_all(&mut [1_u64.to_le_bytes().as_slice(), told].concat().as_slice(), id())
    }

    fn message_of(file: &CodeFile) -> Vec<u8> {
        file.message(&HASH.repeat(32))
    }

    #[test]
    fn a_sealed_file_is_opened_with_its_facts() {
        let file = file();
        let [opened] = opened(&message_of(&file)).expect("it is sealed").try_into().ok().expect("it is one");
        assert_eq!((opened.hash, opened.facts.to_bytes()), (HASH.repeat(32), file.facts));
        let Received::File(code, _) = opened.code else { panic!("it is mapped") };
        assert_eq!(io::read_to_string(code).expect("it is text"), "code");
    }

    #[test]
    fn words_that_are_cut_off_or_wrong_open_nothing() {
        let file = file();
        let told = message_of(&file);
        for length in 0..told.len() {
            assert!(opened(&told[..length]).is_err(), "{length} bytes");
        }
        for at in [HASH_CHARS, HASH_CHARS + 7, HASH_CHARS + 15, told.len() - 1] {
            let mut changed = told.clone();
            changed[at] ^= 0x7f;
            assert!(opened(&changed).is_err(), "byte {at}");
        }
    }
}
