//! A program that was built without workers: everything here says how to get them.
#![expect(missing_docs, reason = "there is no value to call these on")]

use super::{Setting, WorkerArgs, WorkersArgs};
use crate::console::Console;
use crate::failure::Failure;
use arena_engine::round::RoundQueue;
use arena_engine::run::Supplier;

/// Workers on other machines. There are none.
pub enum Remote {}

impl Remote {
    /// Fails: there are no workers.
    ///
    /// # Errors
    /// Always.
    pub fn start(_: &Setting<'_>) -> Result<Self, Failure> {
        Err(missing())
    }

    pub fn over(&self) {
        match *self {}
    }

    pub fn begun(&self) -> String {
        match *self {}
    }

    pub fn news(&self) -> (Vec<String>, String) {
        match *self {}
    }
}

impl Supplier for Remote {
    fn supply(&self, _: &RoundQueue<'_, '_>) {
        match *self {}
    }
}

/// Fails: there are no workers.
///
/// # Errors
/// Always.
pub fn check(_: &str) -> Result<(), Failure> {
    Err(missing())
}

/// Fails: there are no workers.
///
/// # Errors
/// Always.
pub fn serve(_: &WorkerArgs, _: &mut Console) -> Result<(), Failure> {
    Err(missing())
}

/// Fails: there are no workers.
///
/// # Errors
/// Always.
pub fn workers(_: &WorkersArgs, _: &mut Console) -> Result<(), Failure> {
    Err(missing())
}

fn missing() -> Failure {
    Failure::usage(
        "this arena was built without workers",
        "install it with them: `cargo install --path host --features workers`",
    )
}
