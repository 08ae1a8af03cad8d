//! `arena check`: the identity, imports and size of a bot, and if it may play; or the measures of the sandbox.

use crate::admission;
use crate::cli::{CacheArgs, Output};
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::interrupt::Interrupt;
use crate::report;
use crate::roster;
use arena_sandbox::SandboxLimits;
use clap::Args;
use std::path::PathBuf;
use std::slice;

/// Arguments of `arena check`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena check target/wasm32-wasip2/release/my_bot.wasm\n          arena check --sandbox"
)]
pub struct CheckArgs {
    /// The bot, a .wasm file
    #[arg(value_name = "BOT", required_unless_present = "sandbox")]
    pub bot: Option<PathBuf>,

    /// Check the sandbox on this machine instead of a bot
    #[arg(long, conflicts_with = "bot")]
    pub sandbox: bool,

    /// Result as table or json
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = Output::Table, hide_possible_values = true)]
    pub output: Output,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Reports on a bot, or on the sandbox.
pub fn check(args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    match &args.bot {
        Some(bot) => check_bot(bot, limits, args, console),
        None => check_sandbox(limits, args, console),
    }
}

/// Confines a compiler as for a bot, and reports the measures.
fn check_sandbox(limits: SandboxLimits, args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    let sandbox = admission::sandbox(limits, &args.cache)?;
    let confinement = sandbox.check_confinement()?;
    let report = report::SandboxReport::new(confinement, sandbox.limits());
    match args.output {
        Output::Table => console.line(report.text())?,
        Output::Json => console.document(&report.json())?,
    }
    if report.missing() == 0 { Ok(()) } else { Err(Failure::Reported(Verdict::Unconfined)) }
}

/// Admits the bot as a match would, and reports the finding.
fn check_bot(
    bot: &PathBuf,
    limits: SandboxLimits,
    args: &CheckArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    roster::check_path(bot)?;
    let interrupt = Interrupt::listen()?;
    let sandbox = admission::sandbox(limits, &args.cache)?;
    let roster = admission::admit_surely(&sandbox, slice::from_ref(bot), 1, &interrupt, console)?;
    let finding = report::Finding::of(&roster);
    match args.output {
        Output::Table => console.line(finding.text())?,
        Output::Json => console.document(&finding.json())?,
    }
    if roster.refused.is_empty() { Ok(()) } else { Err(Failure::Reported(Verdict::Refused)) }
}
