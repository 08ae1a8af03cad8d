//! `arena check`: the identity, imports and size of a bot, and if it may play.

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
#[command(after_help = "Example: arena check target/wasm32-wasip2/release/my_bot.wasm")]
pub struct CheckArgs {
    /// The bot, a .wasm file
    #[arg(value_name = "BOT")]
    pub bot: PathBuf,

    /// Result as table or json
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t = Output::Table, hide_possible_values = true)]
    pub output: Output,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Admits the bot as a match would, and reports the finding.
pub fn check(args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    roster::check_path(&args.bot)?;
    let interrupt = Interrupt::listen()?;
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    let sandbox = admission::sandbox(limits, &args.cache)?;
    let roster = admission::admit_surely(&sandbox, slice::from_ref(&args.bot), 1, &interrupt, console)?;
    let finding = report::Finding::of(&roster);
    match args.output {
        Output::Table => console.line(finding.text())?,
        Output::Json => console.document(&finding.json())?,
    }
    if roster.refused.is_empty() { Ok(()) } else { Err(Failure::Reported(Verdict::Refused)) }
}
