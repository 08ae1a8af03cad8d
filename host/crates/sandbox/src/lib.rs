//! Runs untrusted bots: it recognises, checks and compiles components, and is the only crate that knows wasmtime.
//!
//! A bot's fault is data: a [`Refusal`] of its file, or a [`Fault`](arena_referee::Fault) in a game. A failure of the
//! arena is a [`HostError`](arena_referee::HostError), which never counts against a bot. A bot gets only fuel, bounded
//! memory and the arguments of the contract: no files, no network, no time, and no randomness except that of its seed.
//! So it plays the same game for the same seed, on every machine of one kind.
//!
//! ```no_run
//! use arena_referee::Player;
//! use arena_rules::battleship::Battleship;
//! use arena_sandbox::{Sandbox, SandboxLimits, TimeLimits};
//! use std::time::Duration;
//!
//! let sandbox = Sandbox::new(SandboxLimits::default())?;
//! let bot = sandbox.admit_file("bots/hunter.wasm")?;
//! println!("{} ({})", bot.name(), bot.hash());
//! let times = TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(300) };
//! let mut player = bot.player::<Battleship>(42, times)?;
//! player.begin_turn();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It does not know the rules of any game or the cost of a fault, and it does not print.
// The two exceptions are in `compile/artifact.rs` and `processor.rs`.
#![deny(unsafe_code)]

mod bot;
mod bounds;
mod compile;
mod contract;
mod cost;
mod crash_message;
mod digest;
mod engine;
mod fault;
mod fuel;
mod imports;
mod instance;
mod judge;
mod limits;
mod live;
mod loaded;
mod log;
mod meter;
mod player;
mod process;
mod processor;
mod program;
mod refusal;
mod runtime;
mod sandbox;
mod scan;
mod side_clock;
mod state;
mod values;
mod wasi;
mod watchdog;

pub use arena_platform::confine::{Confinement, Gap, Measure};
pub use arena_platform::machine::processor_time;
pub use bot::Bot;
#[doc(hidden)]
pub use compile::verdict_on_output;
pub use compile::{
    CacheFiles, CacheOptions, CompileOptions, CompileTime, Compiler, UnusableCache, compiler_main_if_asked,
};
pub use contract::{Choice, Sandboxed};
pub use engine::STACK_BYTES;
pub use fuel::{FUEL_PER_SECOND, fuel_of_milliseconds, time_of_fuel};
pub use limits::{Allowance, CompileLimits, SandboxLimits};
pub use loaded::{Component, Instance};
pub use log::Prompt;
pub use player::SandboxedPlayer;
pub use process::{
    Connection, MessageError, Pool, PoolLimits, Process, TRIES_MAX, Wire, component_main_if_asked, frame_of,
    player_main_if_asked,
};
pub use refusal::{AdmitError, Refusal, RefusalKind};
pub use sandbox::Sandbox;
pub use scan::Figure;
pub use side_clock::TimeLimits;
pub use values::{
    Function, Interface, OBSERVATION_TEXT_BYTES_MAX, RESULT_BYTES_MAX, TEXT_BYTES_MAX, Value, ValueType,
};

/// The version of wasmtime that bots run on. Fuel totals, and so transcripts, may differ between two releases. wasmtime
/// does not expose its version; a test compares this with what is built.
pub const WASMTIME_VERSION: &str = "48.0.8";
