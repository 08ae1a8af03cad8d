//! The clock of a club, which tests set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The clock of a club. It decides what is taken and when games are planned, and no result.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The clock of the system.
    #[default]
    System,
    /// A clock that its owner sets, in seconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// The time now, in seconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        match self {
            Self::System => arena_store::seconds_now(),
            Self::Set(seconds) => seconds.load(Ordering::SeqCst),
        }
    }
}
