//! The means of other tests.
//!
//! One program has all tests of the crate, so that it is linked once.

mod bindings;
mod browser;
mod nats;
mod packages;
mod public_names;
mod security;
mod structure;
mod systems;
mod zoo;
