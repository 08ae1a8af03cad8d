//! Workers: games played on other machines, over a server of NATS JetStream.
//!
//! A [`Coordinator`] asks for games in batches, and [`Worker`]s play them. What a game is, and what is told of it, are bytes here:
//! the crate knows who asked for what, what has been answered, and what was lost. Everything that a server keeps has a fixed name:
//!
//! ```text
//! coordinator ── stream ARENA_GAMES, arena.games.ID ──> workers       batches, each for one worker
//! coordinator <── stream ARENA_RESULTS, arena.results ── workers      results, in parts that fit into a message
//! coordinator ── object store arena-bots ──> workers                  components by their SHA-256
//! coordinator <── arena.contest, arena.workers ── workers             questions: which contest, and a sign of life a second
//! ```
//!
//! A batch is delivered again until its result is stored, and a result until the coordinator has
//! [kept](Coordinator::kept) its games. Both sides connect again for ever.
#![warn(missing_docs)]

mod coordinator;
mod parts;
mod results;
mod server;
mod words;
mod worker;

pub use coordinator::{Answered, Batch, BatchNumber, Coordinator, Lane, Left, Receipt, Status};
pub use server::{ConnectError, Server};
pub use words::{
    BotEntry, Game, Games, Key, Manifest, Name, Outcome, REVISION, Session, Told, Versions, Why, sha256,
};
pub use worker::{Batches, Ended, InPlay, Worker};
