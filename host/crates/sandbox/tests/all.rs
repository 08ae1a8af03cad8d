//! The sandbox: what it admits, compiles and runs, and what it refuses.
//!
//! One program has all tests of the crate, so that it is linked once.
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

mod admission;
mod cache;
mod common;
mod compiling;
mod compositions;
mod fuel;
mod functions;
mod games;
mod limits;
mod wasi;
mod zoo;
