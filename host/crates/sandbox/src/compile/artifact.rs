//! Compiled code, and the one place where bytes become code that runs.

use wasmtime::Engine;
use wasmtime::component::Component;

/// A compiled component as wasmtime writes it down, from a compiler of our own.
///
/// Whoever holds one may run it, so there are three ways to one, and each says why its bytes are ours: from the compiler
/// in this process, from one in a child process, and from a cache that only we write to.
pub(super) struct Artifact(Vec<u8>);

impl Artifact {
    /// Takes bytes for an artifact.
    ///
    /// They must be, byte for byte, what [`Engine::precompile_component`] has given in this process or in a child that we
    /// started. For bytes that have been on a way since then, that is to be shown by a digest that was taken before.
    pub(super) fn of_our_compiler(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The component, for an engine of ours.
    pub(super) fn load(&self, engine: &Engine) -> wasmtime::Result<Component> {
        // SAFETY: the bytes have to be what wasmtime's compiler has written, unchanged. An `Artifact` is made of nothing
        // else: in this process by the engine itself; by a child, which is this very code under limits, over a pipe that
        // nobody else has an end of, and with a digest that was checked; or from a file that such bytes were written to,
        // in a folder that only this user can write to, of which these very bytes were read and their digest checked
        // after that. That they are for this engine wasmtime checks itself.
        #[allow(
            unsafe_code,
            reason = "code that was compiled in another process can be loaded in no other way"
        )]
        unsafe {
            Component::deserialize(engine, &self.0)
        }
    }
}
