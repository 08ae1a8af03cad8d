//! `arena cache`: shows or clears the cache of compiled bots.

use crate::args::{CacheArgs, Form};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::CacheOutput;
use crate::values::form;
use arena_sandbox::{CacheOptions, UnusableCache};
use arena_text::{counted, shown};
use clap::{Args, Subcommand};

/// The commands of `arena cache`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena cache show")]
pub enum CacheCommand {
    /// Print the folder of the cache, its files and their size
    #[command(after_help = "Example: arena cache show -o json")]
    Show(ShowArgs),
    /// Remove the files of the cache; other files in its folder stay
    #[command(after_help = "Example: arena cache clear")]
    Clear(ClearArgs),
}

/// Arguments of `arena cache show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The cache.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Arguments of `arena cache clear`.
#[derive(Args, Clone, Debug)]
pub struct ClearArgs {
    /// The cache.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Shows the cache, or removes what is in it.
pub fn cache(command: &CacheCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        CacheCommand::Show(args) => {
            let options = options(&args.cache)?;
            let report = CacheOutput {
                files: options.files().map_err(|why| unusable(&options, why))?,
                options: &options,
            };
            console.show(&report, args.output)?;
        }
        CacheCommand::Clear(args) => {
            let options = options(&args.cache)?;
            let removed = options.clear().map_err(|why| unusable(&options, why))?;
            let (count, bytes) =
                removed.iter().fold((0, 0), |(count, bytes), it| (count + it.count, bytes + it.bytes));
            let mib = bytes as f64 / f64::from(1 << 20);
            console.line(format!(
                "removed {}, {mib:.1} MiB, from {}",
                counted(count, "file"),
                shown(&options.dir)
            ))?;
        }
    }
    Ok(())
}

fn options(args: &CacheArgs) -> Result<CacheOptions, Failure> {
    args.options().ok_or_else(|| {
        Failure::usage("there is no cache: this user has no cache folder", "name one with --cache DIR")
    })
}

fn unusable(options: &CacheOptions, UnusableCache { why, next }: UnusableCache) -> Failure {
    let what = format!("the cache {} cannot be used", shown(&options.dir));
    match next {
        Some(next) => Failure::machine(what, anyhow::anyhow!(why), next),
        None => Failure::usage(format!("{what}: {why}"), "repair it, or name another folder with --cache"),
    }
}
