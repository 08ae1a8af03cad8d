//! The state of a contest's workers.

use crate::error::ConnectError;
use crate::keys::PublicKey;
use crate::ledger::Owner;
use crate::message::{Name, Why};
use crate::server::{Connection, Server, runtime};
use arena_text::Line;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of the workers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The workers, including those that have left.
    pub workers: Vec<WorkerStatus>,
    /// The number of workers missing from `workers`, when there are too many for a message.
    pub workers_left_out: usize,
    /// The number of connected runs of workers.
    pub runs: usize,
    /// The number of games that they claim to play at the same time.
    pub jobs: usize,
    /// The rate that they report.
    pub games_per_second: f64,
    /// The number of games that they hold.
    pub games_in_flight: u64,
    /// The number of batches handed out, including repeats.
    pub batches_given_out: u64,
    /// The number of dropped messages without a valid sender.
    pub messages_dropped: u64,
    /// False while the server is unreachable.
    pub is_connected: bool,
}

impl Status {
    /// Requests the state of a contest's workers from its coordinator.
    ///
    /// # Errors
    /// The server is unusable, or no contest with this name is being played there.
    pub fn ask(server: &Server) -> Result<Self, ConnectError> {
        runtime()?.block_on(async {
            let link = server.connect("arena workers", &Arc::<Connection>::default()).await?;
            let answer = link.client.request(link.contest.status(), Vec::new().into()).await;
            let status = answer.ok().and_then(|answer| serde_json::from_slice(&answer.payload).ok());
            let no_contest = || ConnectError::NoContest {
                server: server.to_string(),
                contest: link.contest.as_str().to_owned(),
            };
            status.ok_or_else(no_contest)
        })
    }
}

/// The state of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: Name,
    /// Its owner from the register; its key without a register.
    pub owner: Owner,
    /// Its key.
    pub key: PublicKey,
    /// The machine that it reports.
    pub machine: Line<64>,
    /// Its arena version.
    pub arena: Line<64>,
    /// The number of games that it claims to play at the same time.
    pub jobs: u32,
    /// The number of games in its results.
    pub games: u64,
    /// The rate that it reports.
    pub games_per_second: f64,
    /// The number of games that it holds.
    pub games_in_flight: u64,
    /// The time since its last heartbeat; `None` when it has left.
    pub silent_ms: Option<u64>,
    /// The time from handing out a batch to its result, averaged over recent batches.
    pub turnaround_ms: Option<u64>,
    /// The number of its rechecked games that were the same.
    pub checks_same: u64,
    /// The number of its rechecked games that differed.
    pub checks_others: u64,
    /// The number of its failed games.
    pub failures: u64,
    /// The number of its batches that were also given to other workers because they were late.
    pub late: u64,
    /// Its residual; `None` when there are too few games.
    pub residual: Option<Residual>,
    /// The reason why it may not play; `None` if it may.
    pub refused: Option<Why>,
}

/// The label of a bot.
pub type BotLabel = Line<48>;

/// The residual of a worker: how far its results deviate from those of other workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// The points that a bot has in its games above the expectation from the others' games, in standard errors.
    pub standard_errors: f64,
    /// The bot with the largest deviation.
    pub bot: BotLabel,
}
