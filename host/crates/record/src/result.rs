//! What a game came to, without its moves.

use arena_referee::{Event, FaultClass, HostError};
use arena_rules::{Outcome, Reason, Seat};
use std::collections::BTreeMap;

/// A game's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won, if anyone.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// Turns taken, by seat.
    pub turns: [u32; 2],
    /// Fuel of all calls that ended well, by seat.
    pub fuel: [u64; 2],
    /// The faults, by seat and class.
    pub faults: BTreeMap<(Seat, FaultClass), FaultCount>,
    /// False when a verdict came from the clock.
    pub reproducible: bool,
}

/// The faults of one class by one bot in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCount {
    /// How many.
    pub count: u32,
    /// The turn of the first one; 0 is the deployment.
    pub first_turn: u32,
    /// What the first one was.
    pub detail: String,
}

impl GameResult {
    /// What a game came to, from its events.
    ///
    /// # Errors
    /// A failure of ours: there is no end.
    pub fn of(events: &[Event]) -> Result<Self, HostError> {
        let Some(&Event::End { outcome, reason, reproducible }) = events.last() else {
            return Err(HostError("the game has no end".into()));
        };
        let mut result =
            Self { outcome, reason, turns: [0; 2], fuel: [0; 2], faults: BTreeMap::new(), reproducible };
        for event in events {
            let Some(seat) = event.seat() else { continue };
            let fuel = &mut result.fuel[seat.index()];
            // A recording from elsewhere may hold any numbers.
            *fuel = fuel.saturating_add(event.fuel().unwrap_or(0));
            match event {
                Event::Shot { turn, .. }
                | Event::Skipped { turn, .. }
                | Event::Wasted { turn, .. }
                | Event::Acted { turn, .. } => {
                    result.turns[seat.index()] = *turn;
                }
                Event::Fault { turn, fault, .. } => {
                    result.turns[seat.index()] = *turn;
                    let first = || FaultCount { count: 0, first_turn: *turn, detail: fault.detail.clone() };
                    result.faults.entry((seat, fault.class)).or_insert_with(first).count += 1;
                }
                Event::Deployed { .. } | Event::Positioned { .. } | Event::End { .. } => {}
            }
        }
        Ok(result)
    }

    /// Faults of all classes by a seat.
    pub fn fault_count(&self, seat: Seat) -> u32 {
        self.faults.iter().filter(|((by, _), _)| *by == seat).map(|(_, fault)| fault.count).sum()
    }
}
