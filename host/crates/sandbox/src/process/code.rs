//! The code of a bot as all processes share it: a sealed file in memory, which each of them maps.
//!
//! The parent sends a child the places of the files through its pipe. The child opens the files before it confines itself,
//! because they are the parent's, and loads them after that.

use super::HASH_CHARS;
use crate::compile::{Artifact, last_words};
use crate::judge::{FACTS_BYTES_MAX, Facts};
use crate::program::Program;
use crate::refusal::AdmitError;
use crate::runtime::Runtime;
use arena_referee::HostError;
use arena_system::refused;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::Arc;

/// The seals of a file with code: it cannot change, and no seal can be removed.
const SEALS: SealFlags =
    SealFlags::WRITE.union(SealFlags::GROW).union(SealFlags::SHRINK).union(SealFlags::SEAL);

/// A bot's code in a sealed file in memory, and the facts about the bot as bytes.
#[derive(Debug)]
pub(crate) struct CodeFile {
    file: File,
    code_bytes: usize,
    facts: Vec<u8>,
}

impl CodeFile {
    /// Writes and seals the file.
    ///
    /// # Errors
    /// A failure of the host: it has no memory or no descriptor left.
    pub(crate) fn new(artifact: &Artifact) -> Result<Self, HostError> {
        let code = artifact.code();
        let written = || -> io::Result<File> {
            let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
            let mut file = File::from(memfd_create("arena-code", flags)?);
            file.write_all(code)?;
            fcntl_add_seals(&file, SEALS)?;
            Ok(file)
        };
        let file =
            written().map_err(|error| refused("cannot keep the code of a bot for processes", error))?;
        Ok(Self { file, code_bytes: code.len(), facts: artifact.facts().to_bytes() })
    }

    /// The length of the code.
    pub(super) fn code_bytes(&self) -> usize {
        self.code_bytes
    }

    /// The message to a child about a bot with this hash: the hash in hexadecimal; the descriptor in the parent, and the length of
    /// the facts, each in eight bytes, little-endian; the facts.
    pub(super) fn message(&self, hash: &str) -> Vec<u8> {
        let descriptor = u64::try_from(self.file.as_raw_fd()).expect("a descriptor is not negative");
        let numbers = [descriptor, self.facts.len() as u64].map(u64::to_le_bytes);
        [hash.as_bytes(), numbers.as_flattened(), &self.facts].concat()
    }
}

/// Raises the limit on open files of this process to its maximum: each bot takes one file, and each process three.
pub(crate) fn allow_many_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // Without it, fewer bots fit, and the message about the first one too many says so.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

/// A bot's code in a child.
pub(super) struct Opened {
    /// The hash of the component in hexadecimal.
    pub(super) hash: String,
    /// The facts about the bot.
    pub(super) facts: Facts,
    file: File,
}

/// Reads the number of bots, in eight bytes, and the message about each, and opens the files of the parent.
pub(super) fn open_all(input: &mut impl Read, parent: i32) -> Result<Vec<Opened>, String> {
    let mut read = || -> io::Result<Vec<Opened>> {
        let count = number(input)?;
        (0..count).map(|_| open(input, parent)).collect()
    };
    read().map_err(|error| last_words(&refused("it cannot open the code of its bots", error)))
}

fn open(input: &mut impl Read, parent: i32) -> io::Result<Opened> {
    let mut hash = [0; HASH_CHARS];
    input.read_exact(&mut hash)?;
    let hash = String::from_utf8(hash.to_vec()).map_err(io::Error::other)?;
    let descriptor = number(input)?;
    let facts_bytes = usize::try_from(number(input)?).unwrap_or(usize::MAX);
    if facts_bytes > FACTS_BYTES_MAX {
        return Err(io::Error::other("the facts are too long"));
    }
    let mut facts = vec![0; facts_bytes];
    input.read_exact(&mut facts)?;
    let facts = Facts::from_bytes(&facts).ok_or_else(|| io::Error::other("there are no facts"))?;
    let file = File::open(format!("/proc/{parent}/fd/{descriptor}"))?;
    if !fcntl_get_seals(&file)?.contains(SEALS) {
        return Err(io::Error::other("it is not sealed"));
    }
    Ok(Opened { hash, facts, file })
}

impl Opened {
    /// Loads and links the code, and has the first memories of its instances made, which takes files.
    pub(super) fn load(&self, runtime: &Arc<Runtime>) -> Result<Program, AdmitError> {
        let path = PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        let component = runtime.load_with(|engine| Artifact::load_file(engine, &path))?;
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

    fn file(seals: SealFlags) -> CodeFile {
        let mut file = File::from(memfd_create("code", MemfdFlags::ALLOW_SEALING).expect("there is room"));
        file.write_all(b"code").expect("there is room");
        fcntl_add_seals(&file, seals).expect("it may be sealed");
        let contract = Contract::of("arena:battleship@0.1.0").expect("there is this contract");
        let facts = Facts { contract, imports: Vec::new(), shape: Shape::default() };
        CodeFile { file, code_bytes: 4, facts: facts.to_bytes() }
    }

    /// Opens the code of one bot as a child does that gets this message.
    fn opened(told: &[u8]) -> Result<Vec<Opened>, String> {
        open_all(&mut [1_u64.to_le_bytes().as_slice(), told].concat().as_slice(), id().cast_signed())
    }

    fn message_of(file: &CodeFile) -> Vec<u8> {
        file.message(&HASH.repeat(32))
    }

    #[test]
    fn a_sealed_file_is_opened_with_its_facts() {
        let file = file(SEALS);
        let [opened] = opened(&message_of(&file)).expect("it is sealed").try_into().ok().expect("it is one");
        assert_eq!((opened.hash, opened.facts.to_bytes()), (HASH.repeat(32), file.facts));
        assert_eq!(io::read_to_string(opened.file).expect("it is text"), "code");
    }

    #[test]
    fn a_file_that_can_still_be_changed_is_not_opened() {
        for missing in SEALS.iter() {
            let file = file(SEALS.difference(missing));
            let why = opened(&message_of(&file)).err().expect("it can be changed");
            assert!(why.contains("not sealed"), "{why}");
        }
    }

    #[test]
    fn a_sealed_file_cannot_be_changed() {
        let mut file = file(SEALS);
        assert!(file.file.write_all(b"more").is_err() && file.file.set_len(0).is_err());
    }

    #[test]
    fn words_that_are_cut_off_or_wrong_open_nothing() {
        let file = file(SEALS);
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
