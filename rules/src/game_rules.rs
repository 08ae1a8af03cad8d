//! The rules of any game the arena knows.

use crate::{Ruleset, Size, submarine};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A game: what a bot is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameKind {
    /// The Battleship family: ships that lie still.
    Battleship,
    /// Submarine: ships that move and shoot from where they are.
    Submarine,
}

impl GameKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Battleship, Self::Submarine];

    /// Its name, as in its contract's package.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Battleship => "battleship",
            Self::Submarine => "submarine",
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is played, and by which rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "game", rename_all = "kebab-case")]
pub enum GameRules {
    /// A game of the Battleship family.
    Battleship(Ruleset),
    /// Submarine.
    Submarine(submarine::Rules),
}

impl GameRules {
    /// The names of the built-in rules, of all games.
    pub const NAMES: [&str; Ruleset::NAMES.len() + 1] = {
        let mut names = ["submarine"; Ruleset::NAMES.len() + 1];
        let mut index = 0;
        while index < Ruleset::NAMES.len() {
            names[index] = Ruleset::NAMES[index];
            index += 1;
        }
        names
    };

    /// Built-in rules by their name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "submarine" => Some(Self::Submarine(submarine::Rules::default())),
            _ => Ruleset::named(name).map(Self::Battleship),
        }
    }

    /// The rules of a game where nobody says which.
    pub fn default_of(game: GameKind) -> Self {
        match game {
            GameKind::Battleship => Self::Battleship(Ruleset::guide()),
            GameKind::Submarine => Self::Submarine(submarine::Rules::default()),
        }
    }

    /// The game they are of.
    pub const fn game(&self) -> GameKind {
        match self {
            Self::Battleship(_) => GameKind::Battleship,
            Self::Submarine(_) => GameKind::Submarine,
        }
    }

    /// Their name, to show.
    pub fn name(&self) -> &str {
        match self {
            Self::Battleship(rules) => &rules.name,
            Self::Submarine(rules) => &rules.name,
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        match self {
            Self::Battleship(rules) => rules.size(),
            Self::Submarine(_) => submarine::SIZE,
        }
    }

    /// The budget of a turn, and of a deployment, in milliseconds of the reference machine.
    pub const fn turn_budget_ms(&self) -> u32 {
        match self {
            Self::Battleship(rules) => rules.turn_budget_ms,
            Self::Submarine(rules) => rules.turn_budget_ms,
        }
    }
}
