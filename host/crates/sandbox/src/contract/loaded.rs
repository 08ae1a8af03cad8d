//! The contracts of games that are components, `wit/game`, and of their bots. Only the names of their exports are known here:
//! each game has types of its own.

use super::Contract;

/// The export that makes a component a game.
const GAME: &str = "arena:game/rules@0.1.0";

/// The contracts of this module.
pub(super) const CONTRACTS: &[&Contract] = &[&OF_GAMES, &OF_BOTS];

/// The contract of a game.
pub(super) static OF_GAMES: Contract = Contract { name: "game", version: "0.1.0", of_bots: None };

/// The contract of a bot for one.
static OF_BOTS: Contract = Contract { name: "game/bot", version: "0.1.0", of_bots: None };

/// Finds the contract by the names of the exports: a game exports the rules, and a bot one interface `bot` of the game's package.
pub(super) fn identify(exports: &[String]) -> Option<&'static Contract> {
    let is_bot = |name: &String| {
        let (path, _) = name.split_once('@').unwrap_or((name, ""));
        path.ends_with("/bot") && !path.starts_with("arena:")
    };
    match exports {
        _ if exports.iter().any(|name| name == GAME) => Some(&OF_GAMES),
        _ if exports.iter().filter(|name| is_bot(name)).count() == 1 => Some(&OF_BOTS),
        _ => None,
    }
}
