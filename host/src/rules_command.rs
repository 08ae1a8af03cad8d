//! `arena rules`: what there is to play by.

use crate::cli::RulesCommand;
use crate::console::Console;
use crate::failure::Failure;
use crate::rules_file;
use arena_rules::Ruleset;

/// Lists the rules, or prints some as a file.
pub fn rules(command: &RulesCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        RulesCommand::List => {
            for name in Ruleset::NAMES {
                console.line(name)?;
            }
        }
        RulesCommand::Show { rules } => {
            console.line(rules_file::write(&rules_file::load(rules)?).trim_end())?
        }
    }
    Ok(())
}
