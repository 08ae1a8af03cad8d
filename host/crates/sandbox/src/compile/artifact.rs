//! Compiled code, and the one place where bytes become code that runs.

use super::seal::{Key, Kind, Sealed};
use crate::judge::{FACTS_BYTES_MAX, Facts};
use std::path::Path;
use wasmtime::Engine;
use wasmtime::component::Component;

/// A component as wasmtime serialises it once it is compiled, made by a compiler of our own, and the facts about it.
///
/// Any holder of an artifact may run it, so there are only two ways to make one: to seal code that an engine of this
/// process has compiled, or to open sealed code that came from a child process or from the cache.
pub(crate) struct Artifact {
    /// The length of the facts, in four bytes, little-endian; the facts; the code.
    sealed: Sealed,
    facts: Facts,
    code_begins: usize,
}

/// The length of the facts.
type FactsLength = u32;

impl Artifact {
    /// Seals code for the component that it was compiled for and its judges, with the facts.
    ///
    /// The code must be, byte for byte, what [`Engine::precompile_component`] has just returned in this process.
    pub(super) fn seal(key: &Key, facts: Facts, code: &[u8]) -> Self {
        let written = facts.to_bytes();
        let length = FactsLength::try_from(written.len()).expect("facts are short").to_le_bytes();
        let contents = [length.as_slice(), &written, code].concat();
        let code_begins = contents.len() - code.len();
        Self { sealed: Sealed::new(key, Kind::Admitted, contents), facts, code_begins }
    }

    /// Takes code that was sealed by [`seal`](Self::seal), or by a child that runs the same code. Returns `None` when there
    /// are no facts in front of it.
    ///
    /// The sealed bytes must come from a child process that this one has started, or from a file that only this user
    /// can write to.
    pub(crate) fn open(sealed: Sealed) -> Option<Self> {
        if sealed.kind() != Kind::Admitted {
            return None;
        }
        let (length, rest) = sealed.contents().split_first_chunk()?;
        let length = usize::try_from(FactsLength::from_le_bytes(*length)).ok()?;
        let written = rest.get(..length).filter(|written| written.len() <= FACTS_BYTES_MAX)?;
        let facts = Facts::from_bytes(written)?;
        let code_begins = size_of::<FactsLength>() + length;
        Some(Self { sealed, facts, code_begins })
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(crate) fn into_sealed(self) -> Sealed {
        self.sealed
    }

    pub(super) fn sealed(&self) -> &Sealed {
        &self.sealed
    }

    /// The code.
    pub(crate) fn code(&self) -> &[u8] {
        &self.sealed.contents()[self.code_begins..]
    }

    /// Loads the component for an engine of the arena.
    pub(crate) fn load(&self, engine: &Engine) -> wasmtime::Result<Component> {
        // SAFETY: the bytes must be what wasmtime's compiler has written, unchanged. An `Artifact` holds nothing else. Its
        // code comes from the engine in this process; or from a child, which runs this very program under limits, through a
        // pipe that no other process holds; or from a file into which such code was written, which belongs to this user and
        // which no other user can write to. All but the first are sealed, and the digest was checked over these bytes after
        // they had been read. wasmtime itself checks that they are for this engine.
        #[allow(
            unsafe_code,
            reason = "code that was compiled in another process can be loaded in no other way"
        )]
        unsafe {
            Component::deserialize(engine, self.code())
        }
    }

    /// Loads the component from a copy of the [`code`](Self::code) of an artifact, which the process that holds it has sent.
    pub(crate) fn load_copy(engine: &Engine, code: &[u8]) -> wasmtime::Result<Component> {
        // SAFETY: as for `load`. The bytes came through a pipe that no other process holds.
        #[allow(
            unsafe_code,
            reason = "code that was compiled in another process can be loaded in no other way"
        )]
        unsafe {
            Component::deserialize(engine, code)
        }
    }

    /// Loads the component from a file that has the [`code`](Self::code) of an artifact, and that all processes map together.
    ///
    /// The process that holds the artifact must have written it, and the kernel must have sealed it against changes since.
    pub(crate) fn load_file(engine: &Engine, code: &Path) -> wasmtime::Result<Component> {
        // SAFETY: as for `load`. The bytes are those of an artifact of the parent, which no process can change any more.
        #[allow(
            unsafe_code,
            reason = "code that was compiled in another process can be loaded in no other way"
        )]
        unsafe {
            Component::deserialize_file(engine, code)
        }
    }
}
