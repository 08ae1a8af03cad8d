//! Means of tests: bots, made from WebAssembly text without a WebAssembly toolchain, and a server for workers.
//!
//! A specimen is a short text under `tests/zoo/`. Most specimens replace one or two parts of the well-behaved bot in
//! `data/bot.wat`, such as `(func $play …)`:
//!
//! ```
//! let bytes = arena_testkit::component("(func $play (param $args i32) (result i32) (unreachable))")?;
//! assert!(bytes.starts_with(b"\0asm"));
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! Other specimens are a complete `(module …)`, to which the contract's metadata is added, or a complete
//! `(component …)`, which is used unchanged. A specimen that begins with `(outer …)` also replaces parts of the
//! well-behaved bot. Its component contains the definitions in `(outer …)`, such as a resource, and its core module can
//! import the exports of the core instance `$own`.
#![forbid(unsafe_code)]

pub mod bombs;
pub mod corpus;
mod drawn;
mod encode;
mod foreseer;
pub mod nats;
pub mod operators;
mod padded;
mod parts;
pub mod skip;
mod table;
mod terminal;
mod wait;

pub use drawn::drawn_component;
pub use foreseer::foreseer;
pub use padded::{giant, with_idle_functions, with_nops};
pub use table::{Behaviour, Specimen, specimens};
pub use terminal::{CommandBuilder, Terminal};
pub use wait::{wait_for, wait_with_pauses};

use anyhow::{Context, Result};
use std::{fs, path::PathBuf};

/// The WASI version that specimens import unless they ask for another.
pub const WASI_VERSION: &str = "0.2.12";

/// The data from which the specimens of a game are made.
struct Contract {
    /// Its packages, each after those that it uses.
    wit: &'static [&'static str],
    world: &'static str,
    /// The well-behaved bot, in parts.
    bot: &'static str,
}

const BATTLESHIP: Contract = Contract {
    wit: &[include_str!("../../../wit/battleship/v0.1.0/battleship.wit")],
    world: "arena:battleship/battleship-bot@0.1.0",
    bot: include_str!("../data/bot.wat"),
};

const SUBMARINE: Contract = Contract {
    wit: &[include_str!("../../../wit/submarine/v0.1.0/submarine.wit")],
    world: "arena:submarine/submarine-bot@0.1.0",
    bot: include_str!("../data/submarine-bot.wat"),
};

/// A game that is a component: players take one to three of ten matches in turn.
const MATCHES: Contract = Contract {
    wit: &[include_str!("../../../wit/game/v0.1.0/game.wit"), include_str!("../data/matches.wit")],
    world: "zoo:matches/game@0.1.0",
    bot: include_str!("../data/matches.wat"),
};

/// A bot for this game.
const MATCHES_BOT: Contract = Contract {
    wit: &[include_str!("../../../wit/game/v0.1.0/game.wit"), include_str!("../data/matches.wit")],
    world: "zoo:matches/player@0.1.0",
    bot: include_str!("../data/matches-bot.wat"),
};

/// The component around a Battleship bot with definitions of its own, in `(outer …)`.
const OUTER: &str = include_str!("../data/outer.wat");

/// The component that a specimen's text describes.
pub fn component(text: &str) -> Result<Vec<u8>> {
    component_with_wasi(text, WASI_VERSION)
}

/// The same as [`component`] for a specimen that plays submarine, whose well-behaved bot is `data/submarine-bot.wat`.
pub fn submarine_component(text: &str) -> Result<Vec<u8>> {
    component_of(&SUBMARINE, text, WASI_VERSION)
}

/// The same as [`component`] for a game, whose well-behaved one is `data/matches.wat`.
pub fn game_component(text: &str) -> Result<Vec<u8>> {
    component_of(&MATCHES, text, WASI_VERSION)
}

/// The same as [`component`] for a bot for this game, whose well-behaved one is `data/matches-bot.wat`.
pub fn game_bot_component(text: &str) -> Result<Vec<u8>> {
    component_of(&MATCHES_BOT, text, WASI_VERSION)
}

/// The component of a game of other types: `edit` is applied to the WIT of its package.
///
/// # Errors
/// The text and the WIT do not fit together.
pub fn game_component_with(text: &str, edit: impl Fn(&str) -> String) -> Result<Vec<u8>> {
    encode::component_with(&MATCHES, &parts::module(MATCHES.bot, text)?, WASI_VERSION, edit)
}

/// The component of a game that exports `picture-svg` as well: `text` has the function and its export, and `result` is its WIT type,
/// which is `string`.
///
/// # Errors
/// The text and the WIT do not fit together.
pub fn drawing_game_component(text: &str, result: &str) -> Result<Vec<u8>> {
    const NEXT: &str = "    random-action:";
    let draws =
        format!("    picture-svg: func(of: borrow<state>, viewer: option<seat>) -> {result};\n{NEXT}");
    game_component_with(text, |wit| wit.replace(NEXT, &draws))
}

/// The same as [`game_component_with`] for a bot for the game.
///
/// # Errors
/// The text and the WIT do not fit together.
pub fn game_bot_component_with(text: &str, edit: impl Fn(&str) -> String) -> Result<Vec<u8>> {
    encode::component_with(&MATCHES_BOT, &parts::module(MATCHES_BOT.bot, text)?, WASI_VERSION, edit)
}

/// The same as [`component`], but `version` replaces [`WASI_VERSION`] in the imports of WASI.
pub fn component_with_wasi(text: &str, version: &str) -> Result<Vec<u8>> {
    component_of(&BATTLESHIP, text, version)
}

fn component_of(contract: &Contract, text: &str, version: &str) -> Result<Vec<u8>> {
    let text = text.replace(WASI_VERSION, version);
    match parts::first_word(&text)? {
        Some("component") => Ok(wat::parse_str(&text)?),
        Some("outer") => Ok(wat::parse_str(&parts::component(contract.bot, &text, OUTER)?)?),
        Some("module") => encode::component(contract, &text, version),
        _ => encode::component(contract, &parts::module(contract.bot, &text)?, version),
    }
}

/// The core module that a text describes, which is no component.
pub fn core_module(text: &str) -> Result<Vec<u8>> {
    Ok(wat::parse_str(text)?)
}

/// The text of the specimen `name`, from `tests/zoo/`.
///
/// # Panics
/// If there is no such specimen.
pub fn zoo_text(name: &str) -> String {
    let path = zoo_directory().join(name).with_extension("wat");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("no specimen {}: {error}", path.display()))
}

/// The component of the specimen `name`, from `tests/zoo/`.
///
/// # Panics
/// If there is no such specimen, or no component can be made from its text.
pub fn zoo(name: &str) -> Vec<u8> {
    component(&zoo_text(name))
        .with_context(|| format!("specimen {name}"))
        .unwrap_or_else(|error| panic!("{error:?}"))
}

/// The component of the specimen `name` that plays submarine, from `tests/zoo/submarine/`.
///
/// # Panics
/// If there is no such specimen, or no component can be made from its text.
pub fn submarine_zoo(name: &str) -> Vec<u8> {
    submarine_component(&zoo_text(&format!("submarine/{name}")))
        .with_context(|| format!("submarine specimen {name}"))
        .unwrap_or_else(|error| panic!("{error:?}"))
}

/// A component of these parts, in text, and a nested component: the specimen `name`, whose bot the whole exports.
pub fn composition(parts: &str, name: &str) -> Result<Vec<u8>> {
    composition_of(parts, &zoo(name), "", "")
}

/// The same as [`composition`], but the bot imports a function `f` that takes a text, exported by the instance `$stub` of the
/// parts.
pub fn composition_with_import(parts: &str, name: &str) -> Result<Vec<u8>> {
    let import = r#"
        (import "f" (func $f (param "text" string)))
        (alias core export 0 "memory" (core memory $of-bot))
        (core func $lowered (canon lower (func $f) (memory $of-bot)))
        (core module $caller (import "" "f" (func (param i32 i32))))
        (core instance $given (export "f" (func $lowered)))
        (core instance (instantiate $caller (with "" (instance $given))))"#;
    composition_of(parts, &zoo(name), import, r#"(with "f" (func $stub "f"))"#)
}

/// A component of these parts and a bot, to which `in_bot` is added, and which is instantiated with `with`.
fn composition_of(parts: &str, bot: &[u8], in_bot: &str, with: &str) -> Result<Vec<u8>> {
    let bot = wasmprinter::print_bytes(bot)?;
    let bot = bot.trim().strip_prefix("(component").and_then(|bot| bot.strip_suffix(')'));
    let bot = bot.context("a specimen is a component")?;
    let text = format!(
        r#"(component
            {parts}
            (component $the-bot {bot} {in_bot})
            (instance $instance (instantiate $the-bot {with}))
            (alias export $instance "arena:battleship/bot@0.1.0" (instance $exported))
            (export "arena:battleship/bot@0.1.0" (instance $exported)))"#
    );
    wat::parse_str(&text).with_context(|| text)
}

/// The names of all specimens that play Battleship, sorted.
///
/// # Panics
/// If `tests/zoo/` cannot be read.
pub fn zoo_names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(zoo_directory())
        .expect("the zoo is a directory")
        .map(|entry| entry.expect("the zoo can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wat"))
        .map(|path| path.file_stem().expect("it has an extension").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn zoo_directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../zoo")
}
