//! The state of a contest's workers.

use crate::coordinator::runtime;
use crate::keys::PublicKey;
use crate::ledger::Owner;
use crate::message::{Name, Why};
use crate::server::{ConnectError, Connection, Server};
use arena_text::Line;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of the workers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The workers that are there, and those that have left.
    pub workers: Vec<WorkerStatus>,
    /// The number of workers that are left out, if there are very many.
    pub workers_left_out: usize,
    /// The number of workers that are there.
    pub runs: usize,
    /// The number of games that they say they play at the same time.
    pub jobs: usize,
    /// Their rate, as they say.
    pub games_per_second: f64,
    /// The number of games that they hold.
    pub games_in_flight: u64,
    /// The number of batches that were given to workers, with those that were given again.
    pub batches_given_out: u64,
    /// The number of messages without a known sender that were dropped.
    pub messages_dropped: u64,
    /// False while the server is gone.
    pub is_connected: bool,
}

impl Status {
    /// The state of the workers of a contest that is played on a server.
    ///
    /// # Errors
    /// The server cannot be used, or no contest of this name is played there.
    pub fn ask(server: &Server) -> Result<Self, ConnectError> {
        runtime()?.block_on(async {
            let link = server.connect("arena workers", &Arc::<Connection>::default()).await?;
            let answer = link.client.request(link.contest.status(), Vec::new().into()).await;
            let status = answer.ok().and_then(|answer| serde_json::from_slice(&answer.payload).ok());
            status.ok_or_else(|| ConnectError {
                what: format!(
                    "{server}: no `arena run` coordinates a contest named `{}` there",
                    link.contest.as_str()
                ),
                next: "start one, or name another with --contest",
            })
        })
    }
}

/// The state of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: Name,
    /// Its owner: that of the register, or its key.
    pub owner: Owner,
    /// Its key.
    pub key: PublicKey,
    /// Its machine, as it says.
    pub machine: Line<64>,
    /// The version of its arena.
    pub arena: Line<64>,
    /// The number of games that it says it plays at the same time.
    pub jobs: u32,
    /// The number of games that it has brought.
    pub games: u64,
    /// Its rate, as it says.
    pub games_per_second: f64,
    /// The number of games that it holds.
    pub games_in_flight: u64,
    /// The time since its last sign of life; `None` if it has left.
    pub silent_ms: Option<u64>,
    /// The time from a batch to its result, averaged over the last ones.
    pub turnaround_ms: Option<u64>,
    /// The number of its games that were played again, and were the same.
    pub checks_same: u64,
    /// The number of its games that were played again, and were others.
    pub checks_others: u64,
    /// The number of games with which it failed.
    pub failures: u64,
    /// The number of its batches that other workers got, too, because they were late.
    pub late: u64,
    /// Its residual; `None` if it is not known, because there are too few games.
    pub residual: Option<Residual>,
    /// The reason why it may not play, if it may not.
    pub refused: Option<Why>,
}

/// The label of a bot, as long as one can be.
pub type BotLabel = Line<48>;

/// The residual of a worker: how far the results of its games are from those of the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// The points that a bot has in its games beyond what is expected by those of the others, in standard errors.
    pub standard_errors: f64,
    /// The bot for which that is largest.
    pub bot: BotLabel,
}
