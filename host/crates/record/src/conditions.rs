//! The identity of bots, and the conditions that games are played under.

use crate::RecordedSeed;
use arena_rules::GameRules;
use arena_text::Line;
use serde::{Deserialize, Deserializer, Serialize};

/// The label of a bot, of at most 48 characters. Chosen: twice the longest that the arena gives, which has a number added to
/// it, and the longest address of a client.
pub type Label = Line<48>;

/// A name, a hash or a version in a recording, of at most 64 characters: those of a SHA-256.
pub type Name = Line<64>;

/// A bot as tables and recordings name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct BotId {
    /// The label in tables, from the file's name.
    pub label: Label,
    /// The name that the bot gives itself. Empty in the journal of a club, which has no names.
    pub name: Name,
    /// The SHA-256 of the component, in hexadecimal: the identity. It is empty for a side without a component: a person, or
    /// a client.
    pub sha256: Name,
}

/// Everything that the games of a tournament depend on besides the bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Conditions {
    /// The version of the arena.
    pub arena: Name,
    /// The version of wasmtime. Fuel can differ between versions.
    pub wasmtime: Name,
    /// A hash of the engine's settings and of the target it compiles for.
    pub engine: Name,
    /// The game and its rules.
    #[serde(deserialize_with = "rules_with_a_plain_name")]
    pub rules: GameRules,
    /// The limits of a turn.
    pub limits: Limits,
    /// The random seed of the tournament, or its hash while it is secret.
    pub seed: RecordedSeed,
}

/// True if two versions of the arena play the same games, with the same engine: those with the same first number, from 1 on, as "What stays
/// the same" in the guide promises. Before, each version is on its own.
pub fn play_the_same(one: &str, other: &str) -> bool {
    let first_number = |version: &str| version.split_once('.')?.0.parse::<u64>().ok();
    one == other || first_number(one).is_some_and(|it| it > 0 && first_number(other) == Some(it))
}

/// The limits of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Limits {
    /// The fuel of a turn with all its retries, and of a deployment.
    pub fuel_per_turn: u64,
    /// The memory of an instance, in bytes.
    pub memory_bytes: u64,
}

/// Reads rules, whose name to show may be anything.
fn rules_with_a_plain_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameRules, D::Error> {
    GameRules::deserialize(deserializer).map(plain_rules)
}

/// The same rules with a plain name to show, and plain texts of a loaded game. Rules that come from a file go through here.
pub fn plain_rules(rules: GameRules) -> GameRules {
    let rules = match rules {
        GameRules::Loaded(rules) => GameRules::Loaded(rules.plain(arena_text::line)),
        rules => rules,
    };
    let name = Name::new(rules.name());
    if name == rules.name() { rules } else { rules.renamed(name.as_str().to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_the_same_first_number_play_the_same_from_1_on() {
        for (one, other, is_same) in [
            ("1.0.0", "1.0.1", true),
            ("1.2.3", "1.10.0-rc.1", true),
            ("12.0.0", "12.9.9", true),
            ("1.0.0", "12.0.0", false),
            ("0.1.0", "0.1.0", true),
            ("0.1.0", "0.1.1", false),
            ("0.9.0", "1.0.0", false),
            ("x.1", "x.2", false),
            ("1", "1.0", false),
            ("", "", true),
        ] {
            assert_eq!(play_the_same(one, other), is_same, "{one} and {other}");
            assert_eq!(play_the_same(other, one), is_same, "{other} and {one}");
        }
    }
}
