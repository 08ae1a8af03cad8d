//! Batches of games for workers, and the answers to them.

use super::{BatchNumber, WorkerId};
use crate::message::{Game, Games, Why};
use async_nats::jetstream::message::Acker;
use std::sync::Arc;
use std::time::Duration;

/// A batch to be played.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The games.
    pub games: Vec<Game>,
    /// The number of different owners whose workers must play it.
    pub owners: usize,
    /// True if it is part of an abandoned batch: it is played alone from the beginning.
    pub is_suspect: bool,
    /// The number of times that workers play it alone before it is abandoned. They play it alone once a worker that held it has fallen
    /// silent.
    pub tries_alone: u32,
}

/// The messages of a result, to be acknowledged when all its games are in the journal. Each game has a copy of the receipt.
pub struct Receipt<T = Acker>(Arc<Vec<T>>);

impl<T> Clone for Receipt<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Receipt<T> {
    pub(super) fn new(tokens: Vec<T>) -> Self {
        Self(Arc::new(tokens))
    }

    /// Returns the messages, if this was the last copy.
    pub(crate) fn released(self) -> Vec<T> {
        Arc::into_inner(self.0).unwrap_or_default()
    }
}

/// The answers to a batch.
pub struct Answered<T = Acker> {
    /// The batch.
    pub batch: BatchNumber,
    /// The outcome.
    pub answers: Answers<T>,
}

/// The outcome of a batch.
pub enum Answers<T = Acker> {
    /// The results from workers, one for each required owner. Each has the requested games, in the requested order.
    Played(Vec<BatchResult<T>>),
    /// Abandoned, because too many workers ended while playing it.
    GivenUp(Why),
    /// This worker reports that the result is too large.
    TooLarge(WorkerId),
}

/// A worker's result for a batch.
pub struct BatchResult<T = Acker> {
    /// The worker.
    pub worker: WorkerId,
    /// The time that one job took, as the worker reports it.
    pub took: Duration,
    /// The games.
    pub games: Games,
    /// The receipt. Each game needs a copy.
    pub receipt: Receipt<T>,
}

/// A game requested by an earlier coordinator.
pub struct EarlierGame<T = Acker> {
    /// The worker.
    pub worker: WorkerId,
    /// The messages from the worker's process.
    pub messages: Vec<u8>,
    /// The receipt.
    pub receipt: Receipt<T>,
}
