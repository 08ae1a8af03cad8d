//! The identity of bots, and the conditions that games are played under.

use crate::RecordedSeed;
use arena_rules::GameRules;
use serde::{Deserialize, Serialize};

/// A bot as tables and recordings name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct BotId {
    /// The label in tables, from the file's name.
    pub label: String,
    /// The name that the bot gives itself.
    pub name: String,
    /// The SHA-256 of the component, in hexadecimal: the identity. It is empty for a side without a component: a person, or
    /// a client.
    pub sha256: String,
}

/// Everything that the games of a tournament depend on beside the bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Conditions {
    /// The version of the arena.
    pub arena: String,
    /// The version of wasmtime. Fuel can differ between versions.
    pub wasmtime: String,
    /// A hash of the engine's settings and of the target it compiles for.
    pub engine: String,
    /// The game and its rules.
    pub rules: GameRules,
    /// The limits of a turn.
    pub limits: Limits,
    /// The random seed of the tournament, or its hash while it is secret.
    pub seed: RecordedSeed,
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
