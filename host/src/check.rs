//! `arena check`: what a bot is, and whether it may play.

use crate::cli::{CheckArgs, Output};
use crate::console::Console;
use crate::failure::Failure;
use crate::report;
use crate::roster::Roster;
use crate::told;
use arena_sandbox::{Sandbox, SandboxLimits};
use std::slice;

/// Admits the bot as a match would, and reports what was found.
pub fn check(args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    crate::roster::check_path(&args.bot)?;
    let sandbox = Sandbox::new(SandboxLimits { workers: 1, ..SandboxLimits::default() })?;
    let roster = Roster::admit(&sandbox, slice::from_ref(&args.bot), 1)?;
    let finding = report::Finding::of(&roster);
    console.line(&match args.output {
        Output::Table => finding.text(),
        Output::Json => finding.json(),
    })?;
    if roster.refused.is_empty() { Ok(()) } else { Err(told(Failure::Refused)) }
}
