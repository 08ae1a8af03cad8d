//! The result of a game, without its moves.

use arena_referee::{Detail, Event, FaultClass, Frame, HostError};
use arena_rules::{Game, Outcome, Reason, Scores, Seat};
use std::collections::BTreeMap;

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The winner, if there is one.
    pub outcome: Outcome,
    /// The reason why it ended.
    pub reason: Reason,
    /// The scores, by seat, if the game has any.
    pub scores: Option<Scores>,
    /// The number of turns taken, by seat.
    pub turns: [u32; 2],
    /// The fuel of all calls that ended well, by seat.
    pub fuel: [u64; 2],
    /// The faults, by seat and class.
    pub faults: BTreeMap<(Seat, FaultClass), FaultCount>,
    /// False if a verdict came from the clock.
    pub reproducible: bool,
}

/// The faults of one class by one bot in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCount {
    /// The number of faults.
    pub count: u32,
    /// The turn of the first one; 0 is the deployment.
    pub first_turn: u32,
    /// The description of the first one.
    pub detail: Detail,
    /// The functions that were being called at the first one, the innermost first.
    pub stack: Vec<Frame>,
}

/// A bot that kept failing, and is excluded from further games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disqualified {
    /// The contestant.
    pub contestant: usize,
    /// The game after which it was disqualified.
    pub after_game: usize,
    /// The class of its fault in that game; of the first one if it had several.
    pub class: FaultClass,
    /// The description of the fault.
    pub detail: Detail,
}

impl GameResult {
    /// The result of a game with these events.
    ///
    /// # Errors
    /// A failure of the arena: there is no end.
    pub fn of<G: Game>(events: &[Event<G>]) -> Result<Self, HostError> {
        let Some(&Event::Ended { outcome, reason, scores, reproducible }) = events.last() else {
            return Err(HostError::Defect("the game has no end".into()));
        };
        let (turns, fuel, faults) = ([0; 2], [0; 2], BTreeMap::new());
        let mut result = Self { outcome, reason, scores, turns, fuel, faults, reproducible };
        for event in events {
            let (Some(seat), Some(turn)) = (event.seat(), event.turn()) else { continue };
            let fuel = &mut result.fuel[seat.index()];
            // A recording from elsewhere may hold any numbers.
            *fuel = fuel.saturating_add(event.fuel().unwrap_or(0));
            result.turns[seat.index()] = turn;
            if let Event::Faulted { fault, .. } = event {
                let first = || FaultCount {
                    count: 0,
                    first_turn: turn,
                    detail: fault.detail.clone(),
                    stack: fault.stack.clone(),
                };
                result.faults.entry((seat, fault.class)).or_insert_with(first).count += 1;
            }
        }
        Ok(result)
    }

    /// True if a side won on the board, not by a fault of the other.
    pub fn is_won_on_board(&self) -> bool {
        matches!(self.outcome, Outcome::Win(_)) && self.reason.is_own()
    }

    /// The number of faults of all classes by a seat.
    pub fn fault_count(&self, seat: Seat) -> u32 {
        self.faults.iter().filter(|((by, _), _)| *by == seat).map(|(_, fault)| fault.count).sum()
    }
}
