//! Counts of requests by clients and authors in the present hour or day, for limits.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// A count for each key in a time of so many seconds; these times are counted from 1970.
pub(crate) struct Counts<K, const SECONDS: i64>(Mutex<(i64, HashMap<K, u32>)>);

impl<K, const SECONDS: i64> Default for Counts<K, SECONDS> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, const SECONDS: i64> Counts<K, SECONDS> {
    /// Works on a count at `now`, in seconds since 1970. `key` chooses it, and sees all counts of this time.
    pub(crate) fn count<T>(
        &self,
        now: i64,
        key: impl FnOnce(&HashMap<K, u32>) -> K,
        work: impl FnOnce(&mut u32) -> T,
    ) -> T {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let time = now.div_euclid(SECONDS);
        if counts.0 != time {
            *counts = (time, HashMap::new());
        }
        let key = key(&counts.1);
        work(counts.1.entry(key).or_default())
    }
}
