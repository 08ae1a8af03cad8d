//! `arena workers`: shows the workers of a running contest, and edits the register.

use crate::args::Form;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::WorkersOutput;
use crate::values::form;
use arena_cluster::{ClusterError, PublicKey, Server, Status, register};
use arena_text::shown;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The arguments of `arena workers`.
#[derive(Args, Clone, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples: arena workers nats://10.0.0.1:4222\n          \
                  arena workers block north --why \"it is slow\" --admit workers.toml"
)]
pub struct WorkersArgs {
    /// Address of the NATS server of a running contest
    #[arg(value_name = "URL")]
    pub server: Option<String>,

    /// Name of the contest on the server [default: arena]
    #[arg(long, value_name = "NAME")]
    pub contest: Option<String>,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// A change of the register.
    #[command(subcommand)]
    pub action: Option<WorkersAction>,
}

/// The changes of the register.
#[derive(Clone, Debug, Subcommand)]
pub enum WorkersAction {
    /// Add a worker to the register of `arena run --admit`
    #[command(
        after_help = "Example: arena workers admit UAB… --name north --owner alice --admit workers.toml"
    )]
    Admit {
        /// The worker's key, as `arena worker --key FILE` prints it
        key: String,
        /// The worker's name
        #[arg(long)]
        name: String,
        /// The worker's owner
        #[arg(long)]
        owner: String,
        /// The register, created if missing
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
    /// Block a worker, also in a running contest
    #[command(after_help = "Example: arena workers block north --why \"it is slow\" --admit workers.toml")]
    Block {
        /// The worker's name in the register
        name: String,
        /// The reason, shown to the worker
        #[arg(long, value_name = "TEXT")]
        why: String,
        /// The register
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
    /// Unblock a worker
    #[command(after_help = "Example: arena workers unblock north --admit workers.toml")]
    Unblock {
        /// The worker's name in the register
        name: String,
        /// The register
        #[arg(long = "admit", value_name = "FILE")]
        file: PathBuf,
    },
}

/// Shows the workers of a contest, or edits the register.
///
/// # Errors
/// The server is unusable, no contest with this name is being played there, or the register cannot be changed.
pub fn workers(args: &WorkersArgs, console: &mut Console) -> Result<(), Failure> {
    match (&args.action, &args.server) {
        (Some(action), _) => change(action, console),
        (None, Some(server)) => {
            let server = Server::of(server, args.contest.as_deref())?;
            let status = Status::ask(&server).map_err(ClusterError::from)?;
            let output = WorkersOutput(&status);
            console.show(&output, args.output)?;
            Ok(())
        }
        (None, None) => Err(Failure::usage(
            "the address of the server is missing",
            "add it: arena workers nats://HOST:4222",
        )),
    }
}

fn change(action: &WorkersAction, console: &mut Console) -> Result<(), Failure> {
    let (file, name, what) = match action {
        WorkersAction::Admit { key, name, owner, file } => {
            let key = PublicKey::parse(key).map_err(|problem| {
                Failure::usage(problem, "copy the key that `arena worker --key FILE` prints")
            })?;
            register::admit(file, &key, name, owner)?;
            (file, name, format!("admitted, owner {owner}"))
        }
        WorkersAction::Block { name, why, file } => {
            register::set_blocked(file, name, Some(why))?;
            (file, name, format!("blocked: {why}"))
        }
        WorkersAction::Unblock { name, file } => {
            register::set_blocked(file, name, None)?;
            (file, name, "unblocked".into())
        }
    };
    let (name, what) = (arena_text::line(name, 32), arena_text::line(&what, 300));
    console
        .note(format!("{name}: {what}; a running contest with `--admit {}` applies it at once", shown(file)));
    Ok(())
}
