//! The adapter from WASI 0.1 to WASI 0.2.

/// The adapter for a library, a "reactor", of the wasmtime that the arena is built on: `wasm-tools component new` makes a component
/// with it from a core module that a compiler for `wasm32-wasip1` has written.
pub const ADAPTER: &[u8] = wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER;
