//! `arena wit`: the contract between the arena and a bot, or a game.

use crate::console::Console;
use crate::failure::Failure;
use arena_engine::internals::roster;
use arena_files::FileError;
use arena_loaded::{Error, Order};
use arena_referee::HostError;
use arena_rules::GameKind;
use arena_rules::loaded::{About, BotContract};
use arena_sandbox::{AdmitError, SandboxLimits};
use arena_starter::BindingsError;
use arena_text::{Text, shown};
use clap::Args;
use std::path::{Path, PathBuf};

/// The arguments of `arena wit`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena wit > battleship.wit\n          arena wit my-game.wasm > player.wit\n          arena wit --adapter wasi_snapshot_preview1.wasm\n          arena wit wit --bindings adapter"
)]
pub struct WitArgs {
    /// `battleship`, `submarine`, the file of a game, or `game` for the contract with games; with --bindings, a folder of WIT
    #[arg(value_name = "GAME|FILE", default_value = GameKind::Battleship.name())]
    pub game: PathBuf,

    /// Write the adapter from WASI 0.1 to 0.2 that `wasm-tools component new` needs, instead
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    pub adapter: Option<PathBuf>,

    /// Write the code in C for the contract in a folder, such as `wit`, to this folder instead, as wit-bindgen does
    #[arg(long, value_name = "FOLDER", requires = "game", conflicts_with = "adapter")]
    pub bindings: Option<PathBuf>,
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
    if let Some(folder) = &args.bindings {
        return arena_starter::write_bindings(&args.game, folder).map_err(|error| {
            let what = format!("cannot write the code for {} to {}", shown(&args.game), shown(folder));
            match error {
                BindingsError::Machine(error) => {
                    Failure::machine(what, error, "name a folder that you can write to")
                }
                _ => Failure::usage(
                    format!("{what}: {}", Text::new(error.to_string())),
                    "name a folder of WIT documents with one world, and the types of `arena wit game`",
                ),
            }
        });
    }
    let built_in = GameKind::ALL.into_iter().find(|kind| args.game.as_os_str() == kind.name());
    match built_in {
        Some(kind) => console.line(arena_starter::contract(kind).trim_end())?,
        None if args.game.as_os_str() == "game" => console.line(arena_starter::game_contract().trim_end())?,
        None => console.line(of_file(args)?.trim_end())?,
    }
    Ok(())
}

/// The contract of a game with its bots, read out of its component.
fn of_file(args: &WitArgs) -> Result<String, Failure> {
    let path = &args.game;
    if path.extension().is_none() && !path.exists() {
        let names = GameKind::ALL.map(GameKind::name).join(", ");
        return Err(Failure::usage(
            format!("there is no game `{}`", shown(path)),
            format!("choose {names} or game, or name the .wasm file of a game"),
        ));
    }
    let (about, contract) = contract_of(path)?;
    Ok(contract.wit(&about))
}

/// The facts about a game and its contract with its bots, read out of its component.
pub fn contract_of(path: &Path) -> Result<(About, BotContract), Failure> {
    if let Err(FileError::NotAFile(kind)) = arena_files::open(path) {
        return Err(Failure::usage(
            format!("{}: {}", shown(path), FileError::NotAFile(kind).as_wanted("game")),
            "name the component of a game, a .wasm file: `arena build` in the game's folder writes it",
        ));
    }
    roster::check_path(path)?;
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    let sandbox = arena_engine::sandbox(limits, arena_engine::usual_cache())?;
    let component = sandbox.admit_component_file(path).map_err(|error| match error {
        AdmitError::Host(error) => error.into(),
        AdmitError::Refused(refusal) => {
            Failure::Refused(format!("{}: {refusal}\n  next: {}", shown(path), refusal.next_step))
        }
        AdmitError::Unreadable(error) => Failure::machine(
            format!("cannot read {}", shown(path)),
            error,
            "check the path and its permissions",
        ),
    })?;
    let defect = || HostError::Defect("a game was not asked for its contract".into());
    match arena_loaded::run(&sandbox, &component, Order::Contract, |_| true) {
        Ok(answer) => Ok((answer.about, answer.contract.ok_or_else(defect)?)),
        Err(Error::Host(error)) => Err(error.into()),
        Err(Error::Game(fault)) => Err(Failure::Refused(format!(
            "{}: {fault}\n  next: `arena check` says more about it",
            shown(path)
        ))),
    }
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
        let contract = arena_starter::game_contract();
        assert_eq!(Text::new(contract).as_str(), contract);
    }
}
