//! The bots of the games in `tests/corpus`, which each platform plays again: the same bytes wherever they are made.

use crate::{component, game_bot_component, game_component, operators, submarine_component, zoo, zoo_names};

/// A season in `tests/corpus/NAME.db`.
pub struct Season {
    /// Its name.
    pub name: &'static str,
    /// Its bots, and its game if that is a component: the names and bytes of files. The first bot plays all others.
    pub files: Vec<(String, Vec<u8>)>,
    /// The arguments of `arena run`, besides the bots, the seed and the journal.
    pub args: &'static str,
}

/// The parts of submarine bots, by their names.
const SUBMARINE: [(&str, &str); 6] = [
    ("sits", ""),
    ("traps", "(func $play (param $args i32) (result i32) (unreachable))"),
    ("loops", "(func $play (param $args i32) (result i32) (loop $again (br $again)) (unreachable))"),
    (
        "recurs",
        "(func $play (param $args i32) (result i32) (i32.add (call $play (local.get $args)) (i32.const 1)))",
    ),
    (
        "moves",
        "(func $play (param $args i32) (result i32) (call $move (i32.const 0) (i32.const 1) (i32.const 1)))",
    ),
    ("grows", "(func $play (param $args i32) (result i32) (memory.grow (i32.const 1025)))"),
];

/// The parts of bots for the game of matches, by their names.
const MATCHES: [(&str, &str); 5] = [
    ("takes-one", ""),
    ("takes-two", "(func $play (param $left i32) (param $mine i32) (result i32) (i32.const 2))"),
    ("takes-too-many", "(func $play (param $left i32) (param $mine i32) (result i32) (i32.const 99))"),
    (
        "divides",
        "(func $play (param $left i32) (param $mine i32) (result i32) (i32.div_u (local.get $left) (i32.const 0)))",
    ),
    (
        "loops",
        "(func $play (param $left i32) (param $mine i32) (result i32) (loop $again (br $again)) (unreachable))",
    ),
];

/// House bots as they are in the program, with the same bytes on each platform.
const HUNTER: &[u8] = include_bytes!("../../../host/crates/engine/builtin/hunter.wasm");
const RANDOM: &[u8] = include_bytes!("../../../host/crates/engine/builtin/random.wasm");
const SUB_RANDOM: &[u8] = include_bytes!("../../../host/crates/engine/builtin/sub-random.wasm");
const SUB_TRACKER: &[u8] = include_bytes!("../../../host/crates/engine/builtin/sub-tracker.wasm");

/// Bots that are in the program, as files of a season.
fn built_in(bots: &[(&str, &[u8])]) -> Vec<(String, Vec<u8>)> {
    bots.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec())).collect()
}

/// Chosen: less fuel than a turn has by the rules, so that bots that loop in every turn end soon, and enough for every operator.
const ARGS: &str = "--format gauntlet --games 2 --fuel 500000";

/// All seasons. The first has every specimen of the zoo, of which `arena run` refuses some.
///
/// # Panics
/// If a bot cannot be made from its text.
pub fn seasons() -> [Season; 3] {
    let made = |bytes: anyhow::Result<Vec<u8>>| bytes.expect("it is a component");
    let mut zoo: Vec<_> = zoo_names().into_iter().map(|name| (name.clone(), zoo(&name))).collect();
    zoo.sort_by_key(|(name, _)| name != "sweeper");
    zoo.push(("digest".into(), made(component(&operators::digest()))));
    zoo.extend(built_in(&[("hunter", HUNTER), ("random", RANDOM)]));
    let mut submarine: Vec<_> =
        SUBMARINE.map(|(name, parts)| (name.into(), made(submarine_component(parts)))).into();
    submarine.extend(built_in(&[("sub-random", SUB_RANDOM), ("sub-tracker", SUB_TRACKER)]));
    let matches = MATCHES.map(|(name, parts)| (name.into(), made(game_bot_component(parts))));
    let game = [(GAME.into(), made(game_component("")))];
    [
        Season { name: "battleship", files: zoo, args: ARGS },
        Season { name: "submarine", files: submarine, args: ARGS },
        Season { name: "matches", files: matches.into_iter().chain(game).collect(), args: ARGS },
    ]
}

/// The name of a game that is a component, in [`Season::files`].
pub const GAME: &str = "game";
