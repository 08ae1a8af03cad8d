//! `arena wit`: the contract between the arena and a bot.

use crate::console::Console;
use crate::failure::Failure;
use arena_rules::GameKind;
use clap::Args;

/// The arguments of `arena wit`.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Example: arena wit > battleship.wit")]
pub struct WitArgs {
    /// Game of the contract
    #[arg(value_name = "GAME", default_value = GameKind::Battleship.name(), value_parser = super::new::game_parser())]
    pub game: GameKind,
}

/// Prints the contract, a WIT document.
pub fn wit(args: &WitArgs, console: &mut Console) -> Result<(), Failure> {
    Ok(console.line(arena_starter::contract(args.game).trim_end())?)
}

#[cfg(test)]
mod tests {
    use arena_rules::GameKind;
    use arena_text::Text;

    #[test]
    fn cleaning_a_contract_for_the_console_changes_nothing_in_it() {
        for game in GameKind::ALL {
            let contract = arena_starter::contract(game);
            assert!(contract.contains(&format!("package arena:{game}@")), "{contract}");
            assert_eq!(Text::new(contract).as_str(), contract, "{game}");
        }
    }
}
