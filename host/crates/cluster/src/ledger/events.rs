//! Events about workers, to be recorded in the journal.

use super::Owner;
use crate::keys::PublicKey;
use crate::message::{Key, Name, Why};

/// An event about a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerEvent {
    /// The kind.
    pub kind: WorkerEventKind,
    /// The worker's key.
    pub key: PublicKey,
    /// Its name.
    pub name: Name,
    /// Its owner.
    pub owner: Owner,
    /// The reason, or an empty text.
    pub why: Why,
    /// The worker's games that were discarded.
    pub games: Vec<Key>,
}

/// A kind of [`WorkerEvent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerEventKind {
    /// The worker was excluded.
    Excluded,
    /// Games from it were discarded later, because it was excluded or may not play any more.
    Dropped,
}
