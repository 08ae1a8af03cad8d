//! What has happened to workers, for those who keep it.

use super::Owner;
use crate::keys::PublicKey;
use crate::message::{Key, Name, Why};

/// What has happened to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerEvent {
    /// What has happened.
    pub kind: WorkerEventKind,
    /// The worker's key.
    pub key: PublicKey,
    /// Its name.
    pub name: Name,
    /// Its owner.
    pub owner: Owner,
    /// The reason; empty if there is none.
    pub why: Why,
    /// The games of it that were thrown away.
    pub games: Vec<Key>,
}

/// A kind of [`WorkerEvent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerEventKind {
    /// It was excluded.
    Excluded,
    /// Games of it were thrown away later, because it was excluded or may not play any more.
    Dropped,
}
