//! Games that are components: the rules of a game for two players, loaded from a file.
//!
//! [`Game`] checks a component of the [sandbox](arena_sandbox) against the contract, `wit/game`, and [`State`] is one game of it. The
//! observations and actions have types of the game's own, so they are [`Value`](arena_sandbox::Value)s, with a text in the notation
//! WAVE. [`difference`] compares the types of a game with those of a bot, and [`bot_contract`] is what a bot has to export.
//!
//! [`trial`] plays many random games, and finds where a game breaks its contract. In a sandbox with processes it runs in one of them,
//! by [`run`] and [`serve`]; nothing that comes back is trusted.
//!
//! A mistake of the game is a [`GameFault`], which names the call. A failure of the arena is a
//! [`HostError`](arena_referee::HostError). This crate does not print, and does not know wasmtime.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod about;
mod bot_contract;
mod code;
mod code_host;
mod contract;
mod difference;
mod drawing;
mod fault;
mod game;
mod lock;
mod position;
mod process;
mod questions;
mod random_games;
mod random_text;
mod state;
pub mod trial;

pub use arena_rules::loaded::{About, Applied, BoardResult, BotContract, Ending, Parameter};
pub use bot_contract::bot_contract;
pub use code::{bytes, check_bots, code, component, foresee, random_games, refusal, rules, with_code_here};
pub use difference::difference;
pub use drawing::{BadDrawing, DRAWING_BYTES_MAX, plain_drawing};
pub use fault::{Error, FaultKind, GameFault};
pub use game::{BotTypes, Game};
pub use process::{Answer, Order, run, serve};
pub use questions::Step;
pub use random_games::{LastGame, RandomGames};
#[doc(hidden)]
pub use random_text::unreadable_answers;
pub use state::{CallFuel, Penalty, Seen, State};
