//! The register of a contest: the workers that may play, by their keys.

mod file;

pub use file::{admit, set_blocked};
pub(crate) use file::{read, read_if_changed};

use crate::keys::PublicKey;
use crate::ledger::Owner;
use crate::message::{Name, Why};
use std::collections::HashMap;

/// The workers that may play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Register(HashMap<PublicKey, RegisteredWorker>);

/// A worker's entry in the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredWorker {
    /// Its name.
    pub name: Name,
    /// Its owner.
    pub owner: Owner,
    /// The reason why it is blocked; `None` if it is not blocked.
    pub blocked: Option<Why>,
}

impl Register {
    /// The worker of a key.
    ///
    /// # Errors
    /// The reason why it may not play.
    pub(crate) fn worker(&self, key: &PublicKey) -> Result<RegisteredWorker, Why> {
        match self.0.get(key) {
            None => Err("the organiser has not admitted its key".into()),
            Some(RegisteredWorker { blocked: Some(why), .. }) => Err(why.clone()),
            Some(worker) => Ok(worker.clone()),
        }
    }

    /// The workers, in arbitrary order.
    pub fn workers(&self) -> impl Iterator<Item = (PublicKey, RegisteredWorker)> {
        self.0.iter().map(|(key, worker)| (key.clone(), worker.clone()))
    }

    /// The number of owners with a worker that may play.
    pub fn owners(&self) -> usize {
        let mut owners: Vec<&Owner> =
            self.0.values().filter(|worker| worker.blocked.is_none()).map(|worker| &worker.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        owners.len()
    }
}

impl FromIterator<(PublicKey, RegisteredWorker)> for Register {
    fn from_iter<I: IntoIterator<Item = (PublicKey, RegisteredWorker)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}
