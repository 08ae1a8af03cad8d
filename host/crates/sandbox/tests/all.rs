//! The sandbox: what it admits, compiles and runs, and what it refuses.
//!
//! One program has all tests of the crate, so that it is linked once.

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
