//! The time that compiling a component took.

use super::seal::Sealed;
use std::time::Duration;

/// The processor time that judging a component took, and the time that it was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileTime {
    /// The time that it took, with cached functions if there were any.
    pub used: Duration,
    /// Its allowance.
    pub allowed: Duration,
}

impl CompileTime {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        format!("{} {}", self.used.as_millis(), self.allowed.as_millis()).into_bytes()
    }

    pub(super) fn read(kept: &Sealed) -> Option<Self> {
        let (used, allowed) = str::from_utf8(kept.contents()).ok()?.split_once(' ')?;
        let time = |text: &str| text.parse().ok().map(Duration::from_millis);
        Some(Self { used: time(used)?, allowed: time(allowed)? })
    }
}
