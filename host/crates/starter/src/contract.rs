//! The contracts between the arena and bots, as their authors read them.

use arena_rules::GameKind;

/// Returns the latest contract of a game, a WIT document.
pub const fn contract(game: GameKind) -> &'static str {
    match game {
        GameKind::Battleship => include_str!("../../../../wit/battleship/v0.1.0/battleship.wit"),
        GameKind::Submarine => include_str!("../../../../wit/submarine/v0.1.0/submarine.wit"),
    }
}
