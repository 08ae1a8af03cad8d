//! `arena club organiser`: those who may sign in to the page for organisers.

use super::DataArgs;
use crate::console::Console;
use crate::failure::Failure;
use clap::Subcommand;

/// The commands of `arena club organiser`.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = "Example: arena club organiser add eve --data club > eve.token")]
pub enum OrganiserCommand {
    /// Enter an organiser, and print a token once
    #[command(after_help = "Example: arena club organiser add eve --data club > eve.token")]
    Add {
        /// The organiser, in 1 to 24 letters of any language, digits, - and _
        #[arg(value_name = "NAME")]
        name: String,

        /// The folder; it is made if it does not exist.
        #[command(flatten)]
        data: DataArgs,
    },
    /// Revoke the token of an organiser, whose sessions end
    #[command(after_help = "Example: arena club organiser revoke eve --data club")]
    Revoke {
        /// The organiser
        #[arg(value_name = "NAME")]
        name: String,

        /// The folder.
        #[command(flatten)]
        data: DataArgs,
    },
    /// List the organisers with a token
    #[command(after_help = "Example: arena club organiser list --data club")]
    List(DataArgs),
}

/// Lists the organisers of a club, or changes them.
pub(super) fn organiser(command: &OrganiserCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        OrganiserCommand::Add { name, data } => {
            let organiser = data.organiser();
            let token = organiser.add(name)?;
            if let Err(error) = console.line(token) {
                // The token is lost.
                organiser.remove(name)?;
                return Err(error.into());
            }
            console.note(format!(
                "{name} may sign in with this token at the path /organiser/ of the club; it is printed only once"
            ));
        }
        OrganiserCommand::Revoke { name, data } => {
            data.organiser().remove(name)?;
            console.line(format!("{name}: the token is revoked"))?;
        }
        OrganiserCommand::List(data) => {
            let names = data.folder().organisers()?;
            match names.is_empty() {
                true => console.note("no organiser may sign in"),
                false => console.line(names.join("\n"))?,
            }
        }
    }
    Ok(())
}
