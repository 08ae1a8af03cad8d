//! Workers: games played on other machines, over a NATS JetStream server.
//!
//! [`Remote`] is a supplier of the engine: workers play the games of its run, and this machine referees the games again. [`play`] does
//! all of such a run. [`LocalWorker`] is a worker, which plays for one contest after another.
//!
//! A worker's confined process referees a game and reports the bots' answers. The worker passes on those messages unchanged. So a worker
//! can lie about answers, fuel, faults and output, as a process on this machine could, and about nothing else. Games that this machine
//! replays and games that several owners play reveal lies: see [`Trust`].
//!
//! Below that, a [`Coordinator`] publishes games in batches, and [`Worker`]s play them. Games and reports about games are opaque bytes
//! there: it tracks which batches are open, which workers hold them, which are answered and which were lost. A contest has a name on its
//! server:
//!
//! ```text
//! coordinator <── arena.NAME.ask ── workers                                    signed requests: hello, a batch, a heartbeat
//! coordinator <── stream ARENA_RESULTS_NAME, arena.NAME.results ── workers     signed results, split into parts that fit a message
//! coordinator ── object store arena-bots-NAME ──> workers                      components by their SHA-256
//! coordinator <── arena.NAME.status ── any client                              the state of the workers
//! ```
//!
//! The coordinator's [ledger](Status) gives each batch to one worker, or to several with different owners, with a secret for its
//! result. A batch whose worker is late or silent is also given to another worker. A result is redelivered until the coordinator has
//! [stored](Coordinator::acknowledge_up_to) its games. Both sides reconnect without a limit.
#![warn(missing_docs)]

mod coordinator;
mod error;
mod keys;
mod ledger;
mod limits;
mod message;
mod parts;
mod playing;
pub mod register;
mod residual;
mod server;
mod status;
mod supplier;
mod worker;

pub use coordinator::{Coordinator, OpenBatches};
pub use error::{ClusterError, ConnectError};
pub use keys::{PublicKey, WorkerKey};
pub use ledger::{
    Answered, Answers, Batch, BatchNumber, BatchResult, EarlierGame, Owner, Receipt, WorkerEvent,
    WorkerEventKind, WorkerId,
};
pub use limits::WorkerLimits;
pub use message::{
    BotEntry, Game, GameReport, Games, Key, Manifest, Name, Outcome, REVISION, Versions, Why, sha256,
};
pub use playing::{LocalWorker, WorkerProgress, play_batches};
#[doc(inline)]
pub use register::{Register, RegisteredWorker};
pub use server::{ContestName, Server, USUAL_CONTEST};
pub use status::{BotLabel, Residual, Status, WorkerStatus};
pub use supplier::{Remote, RemoteOptions, Trust, WorkersUpdate, play};
pub use worker::{Batches, Contest, Ended, HeldBatch, Introduction, Worker};
