//! Folders for new bots and games: a template for each language, with the contract and, for Rust, the SDK.
//!
//! Everything is embedded in the program, which needs no other file: the templates of `templates/`, the example bot and the
//! example game, which are the templates for Rust, the contracts of `wit/`, and the sources of the SDK and of the rules.
//!
//! ```
//! use arena_rules::GameKind;
//! use arena_starter::{Language, Template};
//!
//! let template = Template::of(Language::Python, GameKind::Battleship)?;
//! let files = template.files("my-bot");
//! assert!(files.iter().any(|file| file.path == "bot.py"));
//! # Ok::<(), arena_starter::NoTemplate>(())
//! ```
#![warn(missing_docs)]

mod adapter;
mod bindings;
mod contract;
mod folder;
mod language;
mod loaded;
mod sdk;
mod template;

pub use adapter::ADAPTER;
pub use bindings::{BindingsError, write_bindings};
pub use contract::{contract, game_contract};
pub use folder::{FolderError, write};
pub use language::{Language, NotALanguage};
pub use loaded::LoadedGame;
pub use template::{File, MANIFEST, NoTemplate, PYTHON_REQUIREMENTS, Template};
