//! `arena mine`: the versions of an author in a club.

use super::submit::{ToArgs, failure};
use crate::args::Form;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::Mine;
use crate::values::{form, whole};
use clap::Args;

/// Arguments of `arena mine`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena mine --to https://club.example.org --token-file token\n          arena mine --to https://club.example.org --token-file token --delete 3\n          arena mine --to https://club.example.org --token-file token --pseudonym falcon"
)]
pub struct MineArgs {
    /// The club.
    #[command(flatten)]
    pub to: ToArgs,

    /// Delete the component of version N, which has not played yet, and list the others
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub delete: Option<u32>,

    /// Have the pages show NAME instead of your own name; your own name takes it back
    #[arg(long, value_name = "NAME", conflicts_with = "delete")]
    pub pseudonym: Option<String>,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,
}

/// Lists the versions of an author, after one is deleted or the author has another pseudonym.
pub fn mine(args: &MineArgs, console: &mut Console) -> Result<(), Failure> {
    let token = args.to.token(console)?;
    if let Some(name) = &args.pseudonym {
        let shown_as = arena_club::choose_pseudonym(&args.to.to, &token, name).map_err(failure)?.shown_as;
        console.note(format!("the pages show {shown_as} within half a minute"));
    }
    let mut versions = arena_club::mine(&args.to.to, &token).map_err(failure)?;
    if let Some(number) = args.delete {
        let version = versions.iter().find(|version| version.version == number).ok_or_else(|| {
            Failure::usage(
                format!("you have no version {number}"),
                "leave out --delete to list your versions",
            )
        })?;
        arena_club::delete(&args.to.to, &token, version.id).map_err(failure)?;
        versions = arena_club::mine(&args.to.to, &token).map_err(failure)?;
    }
    // The versions are what was asked for: they are printed also if the club has no answer to this.
    let notice = arena_club::season(&args.to.to, &token).map(|notice| notice.text());
    if let Some(notice) = notice.ok().filter(|notice| !notice.as_str().is_empty()) {
        console.note(notice);
    }
    Ok(console.show(&Mine(versions), args.output)?)
}
