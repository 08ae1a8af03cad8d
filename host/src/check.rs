//! `arena check`: what a bot is, and whether it may play.

use crate::admission;
use crate::cli::{CheckArgs, Output};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::report;
use crate::told;
use arena_sandbox::SandboxLimits;
use std::slice;

/// Admits the bot as a match would, and reports what was found.
pub fn check(args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    crate::roster::check_path(&args.bot)?;
    let interrupt = Interrupt::listen()?;
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    let sandbox = admission::sandbox(limits, &args.cache)?;
    let roster = admission::admit(&sandbox, slice::from_ref(&args.bot), 1, &interrupt, console)?;
    let finding = report::Finding::of(&roster);
    console.line(&match args.output {
        Output::Table => finding.text(),
        Output::Json => finding.json(),
    })?;
    if roster.refused.is_empty() { Ok(()) } else { Err(told(Failure::Refused)) }
}
