//! Bots at play: each game from fresh players to a transcript, in confined processes or on threads.
//!
//! - [`Plan`] has everything that games depend on besides their bots, [`Contestant`] is a bot with its label, and a [`Runner`]
//!   has both: it plays one game ([`Runner::play`]), or referees one with the answers of a process ([`Runner::referee`]).
//! - [`Processes`] play the games of a [`Queue`]; [`CalledBots`] are for games that are called move by move, [`SoloBots`] for boards that a
//!   bot has for itself, a [`Replayer`] for recorded games.
//! - [`worker_pool`] is a pool of threads that delivers its results in order.
//!
//! The type of a game ends here: code behind a [`Runner`] handles results, headers and bytes, and a [`Watcher`] gets each event as it
//! happens. A program that has its bots in processes begins with [`arena_sandbox::player_main_if_asked`] and [`serve`].
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod worker_pool;

mod contestant;
mod game;
mod plan;
mod processes;

pub use arena_sandbox::Connection;
pub use contestant::Contestant;
pub use game::{
    Draw, Listener, Played, Runner, Silent, WATCHDOG_TRIES_MAX, Watcher, game_plan, header, play,
    play_between, play_out, referee, rules,
};
pub use plan::{LimitOptions, MEMORY_MIB, Plan, RunSeed, TimeOptions, jobs, sandbox_limits};
pub use processes::{
    Board, CalledBots, CalledPlayer, Order, Processes, ProtocolError, Queue, RemotePlayer, Replayer, Service,
    Session, SoloBots, foresee, logs, serve,
};
