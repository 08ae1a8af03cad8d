//! Runs bots that nobody vouches for: it recognises, checks and compiles components, and is the only crate that knows
//! wasmtime.
//!
//! What a bot does wrong is data: a [`Refusal`] of its file, or a [`Fault`](arena_referee::Fault) in a game. What goes
//! wrong on our side is a [`HostError`](arena_referee::HostError), which never counts against a bot. A bot gets fuel, a
//! bounded memory and the arguments of the contract, and nothing of the world: no files, no network, no time, no chance
//! but its seed's. So it plays the same game for the same seed, on every machine of one kind.
//!
//! ```no_run
//! use arena_referee::Player;
//! use arena_sandbox::{Sandbox, SandboxLimits};
//!
//! let sandbox = Sandbox::new(SandboxLimits::default())?;
//! let bot = sandbox.admit_file("bots/hunter.wasm")?;
//! println!("{} ({})", bot.name(), bot.hash());
//! let mut player = bot.player(42);
//! player.begin_turn();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is not here: the rules of any game, the decision what a fault costs, and any printing.
// One place is excepted, in `compile/artifact.rs`.
#![deny(unsafe_code)]

mod bot;
mod compile;
mod contract;
mod engine;
mod fault;
mod fuel;
mod imports;
mod life;
mod limits;
mod log;
mod player;
mod program;
mod refusal;
mod sandbox;
pub mod sanitize;
mod scan;
mod state;
mod wasi;
mod watchdog;

pub use bot::Bot;
pub use compile::{CacheOptions, CompileOptions, Compiler, compiler_main_if_asked};
pub use fuel::{FUEL_PER_SECOND, fuel_of_milliseconds, time_of_fuel};
pub use limits::{CompileLimits, SandboxLimits};
pub use player::SandboxedPlayer;
pub use refusal::{AdmitError, Refusal, RefusalKind};
pub use sandbox::Sandbox;
pub use scan::{Figure, Shape};

/// The wasmtime that bots run on. Fuel totals, and so transcripts, may differ between two of its releases. It does not
/// say its version itself; a test holds this to what is built.
pub const WASMTIME_VERSION: &str = "48.0.8";
