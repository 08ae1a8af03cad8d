//! What is the same in every game: what a deployment came to, and what a verdict of the clock means.

use crate::{Fault, FaultClass, HostError, NoReply, Reply, Stopped};
use arena_rules::Seat;
use std::fmt::Display;

/// What a side's deployment came to: what it placed, legally, and the fuel it took; or its fault.
pub(crate) fn deployment<A, T, E: Display>(
    reply: Result<Reply<A>, NoReply>,
    check: impl FnOnce(&A) -> Result<T, E>,
) -> Result<Result<(T, u64), Fault>, HostError> {
    match reply {
        Ok(Reply { answer, fuel_used }) => Ok(match check(&answer) {
            Ok(placed) => Ok((placed, fuel_used)),
            Err(error) => Err(Fault::new(FaultClass::BadDeploy, error.to_string())),
        }),
        Err(NoReply::Fault(fault)) => Ok(Err(fault)),
        Err(NoReply::Host(error)) => Err(error),
    }
}

/// The watchdog's verdicts in one game.
pub(crate) struct Clock {
    score: bool,
    reproducible: bool,
}

impl Clock {
    /// `score` says whether a turn that the watchdog stopped is scored; otherwise it stops the game without a result.
    pub(crate) fn new(score: bool) -> Self {
        Self { score, reproducible: true }
    }

    /// Takes note of a fault: a verdict from the clock is not reproducible, and unless it is to be scored it is none.
    pub(crate) fn note(&mut self, seat: Seat, fault: &Fault) -> Result<(), Stopped> {
        if fault.class == FaultClass::WallClock {
            if !self.score {
                return Err(Stopped::WallClock { seat, detail: fault.detail.clone() });
            }
            self.reproducible = false;
        }
        Ok(())
    }

    /// Whether the game would end so again.
    pub(crate) fn is_reproducible(&self) -> bool {
        self.reproducible
    }
}
