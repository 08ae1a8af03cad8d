//! `arena rules`: what there is to play by.

use crate::cli::RulesCommand;
use crate::console::Console;
use crate::failure::Failure;
use crate::rules_file;
use arena_rules::GameRules;

/// Lists the rules, or prints some as a file.
pub fn rules(command: &RulesCommand, console: &mut Console) -> Result<(), Failure> {
    match command {
        RulesCommand::List => {
            for name in GameRules::NAMES {
                console.line(name)?;
            }
        }
        RulesCommand::Show { rules } => match rules_file::load(rules)? {
            GameRules::Battleship(rules) => console.line(rules_file::write(&rules).trim_end())?,
            GameRules::Submarine(_) => {
                return Err(Failure::input(
                    "the rules of submarine have no switches, so that there is no file of them",
                    "read them in `wit/submarine`",
                ));
            }
        },
    }
    Ok(())
}
