//! Workers: games played on other machines, over a server of NATS JetStream.
//!
//! A [`Coordinator`] asks for games in batches, and [`Worker`]s play them. What a game is, and what is told of it, are bytes here:
//! the crate knows who asked for what, who got it, what has been answered, and what was lost. A contest has a name on its server:
//!
//! ```text
//! coordinator <── arena.NAME.ask ── workers                                    signed questions: hello, a batch, a sign of life
//! coordinator <── stream ARENA_RESULTS_NAME, arena.NAME.results ── workers     signed results, in parts that fit into a message
//! coordinator ── object store arena-bots-NAME ──> workers                      components by their SHA-256
//! coordinator <── arena.NAME.status ── anybody                                 the state of the workers
//! ```
//!
//! The [ledger](Status) of the coordinator gives each batch to one worker, or to several of different owners, with a secret for its
//! result. A batch whose worker is late or silent is given to another one, too, and a result is delivered again until the
//! coordinator has [stored](Coordinator::acknowledge_up_to) its games. Both sides connect again for ever.
#![warn(missing_docs)]

mod coordinator;
mod keys;
mod ledger;
mod message;
mod parts;
mod register;
mod residual;
mod server;
mod status;
mod worker;

pub use coordinator::{Coordinator, OpenBatches};
pub use keys::{PublicKey, WorkerKey};
pub use ledger::{
    Answered, Answers, Batch, BatchNumber, BatchResult, EarlierGame, Owner, Receipt, WorkerEvent,
    WorkerEventKind, WorkerId,
};
pub use message::{
    BotEntry, Game, GameReport, Games, Key, Manifest, Name, Outcome, REVISION, Versions, Why, sha256,
};
pub use register::{Register, Standing};
pub use server::{ConnectError, ContestName, Server, USUAL_CONTEST};
pub use status::{BotLabel, Residual, Status, WorkerStatus};
pub use worker::{Batches, Contest, Ended, HeldBatch, Introduction, Worker};
