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
pub struct Register(HashMap<PublicKey, Standing>);

/// A worker's entry in the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its name.
    pub name: Name,
    /// Its owner.
    pub owner: Owner,
    /// The reason why it is blocked; `None` if it is not blocked.
    pub blocked: Option<Why>,
}

impl Register {
    /// The standing of a key.
    ///
    /// # Errors
    /// The reason why it may not play.
    pub(crate) fn standing(&self, key: &PublicKey) -> Result<Standing, Why> {
        match self.0.get(key) {
            None => Err("the organiser has not admitted its key".into()),
            Some(Standing { blocked: Some(why), .. }) => Err(why.clone()),
            Some(standing) => Ok(standing.clone()),
        }
    }

    /// The workers, in arbitrary order.
    pub fn workers(&self) -> impl Iterator<Item = (PublicKey, Standing)> {
        self.0.iter().map(|(key, standing)| (key.clone(), standing.clone()))
    }

    /// The number of owners with a worker that may play.
    pub fn owners(&self) -> usize {
        let mut owners: Vec<&Owner> = self
            .0
            .values()
            .filter(|standing| standing.blocked.is_none())
            .map(|standing| &standing.owner)
            .collect();
        owners.sort_unstable();
        owners.dedup();
        owners.len()
    }
}

impl FromIterator<(PublicKey, Standing)> for Register {
    fn from_iter<I: IntoIterator<Item = (PublicKey, Standing)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}
