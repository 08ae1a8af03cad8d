//! Compiled code, and the one place where bytes become code that runs.

use super::seal::{Key, Kind, Sealed};
use wasmtime::Engine;
use wasmtime::component::Component;

/// A compiled component as wasmtime serialises it, made by a compiler of our own.
///
/// Any holder of an artifact may run it, so there are only two ways to make one: seal code that an engine of this process
/// has compiled, or open sealed code that came from a child process or from the cache.
pub(super) struct Artifact(Sealed);

impl Artifact {
    /// Seals code for the component and engine that it was compiled for.
    ///
    /// The code must be, byte for byte, what [`Engine::precompile_component`] has just returned in this process.
    pub(super) fn seal(key: &Key, code: Vec<u8>) -> Self {
        Self(Sealed::new(key, Kind::Code, code))
    }

    /// Takes code that was sealed by [`seal`](Self::seal), or by a child that runs the same code, and returns any other
    /// contents.
    ///
    /// The sealed bytes must come from a child process that this one has started, or from a file that nobody but this
    /// user can write to.
    pub(super) fn open(sealed: Sealed) -> Result<Self, Sealed> {
        if sealed.kind() == Kind::Code { Ok(Self(sealed)) } else { Err(sealed) }
    }

    pub(super) fn sealed(&self) -> &Sealed {
        &self.0
    }

    /// Loads the component for an engine of ours.
    pub(super) fn load(&self, engine: &Engine) -> wasmtime::Result<Component> {
        // SAFETY: the bytes must be what wasmtime's compiler has written, unchanged. An `Artifact` holds nothing else. Its
        // code comes from the engine in this process; or from a child, which runs this very program under limits, through
        // a pipe that no other process holds; or from a file into which such code was written, which belongs to this user
        // and which nobody else can write to. The last two are sealed, and the digest was checked over these very bytes
        // after they had been read. That they are for this engine, wasmtime checks itself.
        #[allow(
            unsafe_code,
            reason = "code that was compiled in another process can be loaded in no other way"
        )]
        unsafe {
            Component::deserialize(engine, self.0.contents())
        }
    }
}
