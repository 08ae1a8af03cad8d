//! `arena rules`: the built-in rules, and rules as files.

use crate::console::Console;
use crate::failure::Failure;
use arena_engine::internals::rules_file;
use arena_rules::GameRules;
use clap::Subcommand;

/// The commands about rules.
#[derive(Debug, Subcommand)]
#[command(after_help = "Example: arena rules show classic > my.toml")]
pub enum RulesCommand {
    /// List the built-in rules
    #[command(after_help = "Example: arena rules list")]
    List,
    /// Print rules as a file with comments, which `--rules FILE` loads
    #[command(after_help = "Example: arena rules show classic > my.toml")]
    Show {
        /// Built-in rules, or a rules file
        #[arg(default_value = "guide")]
        rules: String,
    },
}

/// Lists the rules, or prints some as a file.
pub fn rules(command: &RulesCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        RulesCommand::List => {
            for rules in GameRules::built_in() {
                console.line(rules.name())?;
            }
        }
        RulesCommand::Show { rules } => {
            console.line(rules_file::write(&rules_file::load(rules)?).trim_end())?;
        }
    }
    Ok(())
}
