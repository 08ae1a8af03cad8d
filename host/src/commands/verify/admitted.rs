//! The bots that play recorded games again.

use super::VerifyArgs;
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{admission, output};
use arena_engine::Roster;
use arena_experiments::verification::Verifier;
use arena_sandbox::Sandbox;
use std::path::PathBuf;

/// The bots, admitted to a sandbox with some memory limit.
pub(super) struct Admitted {
    pub(super) memory_bytes: u64,
    pub(super) sandbox: Sandbox,
    pub(super) roster: Roster,
    pub(super) verifier: Verifier,
    pub(super) jobs: usize,
}

impl Admitted {
    /// Admits them.
    ///
    /// # Errors
    /// As of [`admission::admit_surely`].
    pub(super) fn new(
        memory_bytes: u64,
        args: &VerifyArgs,
        bots: &[PathBuf],
        interrupt: &Interrupt,
        console: &mut Console,
    ) -> Result<Self, Failure> {
        let jobs = arena_players::jobs(args.jobs);
        let sandbox = args.cache.sandbox(arena_players::sandbox_limits(jobs, memory_bytes))?;
        let roster = admission::admit_surely(&sandbox, bots, jobs, interrupt, console)?;
        interrupt.answer(console::note_interrupt);
        for refused in &roster.refused {
            console.tell(output::refusal(refused));
        }
        let verifier = Verifier::new(&sandbox, &roster.contestants);
        Ok(Self { memory_bytes, sandbox, roster, verifier, jobs })
    }
}
