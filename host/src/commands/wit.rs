//! `arena wit`: the contract between the arena and a bot.

use crate::console::Console;
use crate::failure::Failure;
use arena_rules::GameKind;
use arena_text::shown;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `arena wit`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena wit > battleship.wit\n          arena wit --adapter wasi_snapshot_preview1.wasm"
)]
pub struct WitArgs {
    /// Game of the contract
    #[arg(value_name = "GAME", default_value = GameKind::Battleship.name(), value_parser = super::new::game_parser())]
    pub game: GameKind,

    /// Write the adapter from WASI 0.1 to 0.2 that `wasm-tools component new` needs, instead
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    pub adapter: Option<PathBuf>,
}

/// Prints the contract, a WIT document, or writes the adapter.
pub fn wit(args: &WitArgs, console: &mut Console) -> Result<(), Failure> {
    if let Some(file) = &args.adapter {
        return arena_files::write_whole(file, arena_starter::ADAPTER).map_err(|error| {
            Failure::machine(
                format!("cannot write {}", shown(file)),
                error,
                "name a file that you can write to",
            )
        });
    }
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
