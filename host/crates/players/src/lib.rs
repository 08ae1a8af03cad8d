//! Bots at play: each game from fresh players to a transcript, in confined processes or on threads.
//!
//! - [`Plan`] has everything that games depend on besides their bots, [`Contestant`] is a bot with its label, and a [`Table`]
//!   has both: it plays one game ([`Table::play`]), or referees one with the answers of a process ([`Table::referee`]).
//! - [`Processes`] play the games of a [`Queue`]; [`Seats`] are for games that are called move by move, [`SoloBots`] for boards that a
//!   bot has for itself, a [`Replayer`] for recorded games.
//! - [`worker_pool`] is a pool of threads that delivers its results in order.
//!
//! The type of a game ends here: code behind a [`Table`] handles results, headers and bytes, and a [`Watcher`] gets each event as it
//! happens. A program that has its bots in processes begins with [`arena_sandbox::player_main_if_asked`] and [`serve`].
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod worker_pool;

mod contestant;
mod game;
mod plan;
mod processes;

pub use contestant::Contestant;
pub use game::{
    Draw, Listener, Played, Silent, Table, WATCHDOG_TRIES_MAX, Watcher, game_plan, header, play,
    play_between, play_out, referee, rules,
};
pub use plan::{LimitOptions, MEMORY_MIB, Plan, RunSeed, TimeOptions, jobs, sandbox_limits};
pub use processes::{
    Board, Connection, Order, Processes, ProtocolError, Queue, RemotePlayer, Replayer, Seated, Seats,
    Service, Session, SoloBots, foreseeing, serve,
};
