//! A game at one moment, and the viewpoint.

use crate::pictured::Pictured;
use arena_record::{Header, Replay, ReplayError};
use arena_referee::Event;
use arena_rules::Seat;

/// The knowledge of each side about the other: maintained or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// It is maintained, to show a game as a side sees it.
    Kept,
    /// It is not maintained if that takes time: only the truth is shown.
    NotKept,
}

/// The eyes that a board is seen with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    /// Everything is seen.
    Truth,
    /// The knowledge of the side at this seat.
    Of(Seat),
}

impl Viewpoint {
    /// True if a side's board is seen as it is.
    pub fn sees(self, owner: Seat) -> bool {
        self == Self::Truth || self == Self::Of(owner)
    }
}

/// A game at one moment: the state after some of its events.
#[derive(Clone, Debug)]
pub struct Moment<G: Pictured> {
    /// The game by its rules.
    pub(crate) replay: Replay<G>,
    /// The past, as far as the pictures need it.
    pub(crate) memory: G::Memory,
}

impl<G: Pictured> Moment<G> {
    /// The game of a header before its first event, whose rules have been validated; `None` if they are of another game.
    pub fn new(header: &Header, knowledge: Knowledge) -> Option<Self> {
        let rules = G::rules(&header.conditions.rules)?;
        let replay = Replay::new(rules, header.starter, header.fleet_seed);
        Some(Self { replay, memory: G::memory(rules, knowledge) })
    }

    /// Goes on by one event.
    ///
    /// # Errors
    /// The event does not follow. The moment cannot be used any more.
    pub fn step(&mut self, event: &Event<G>) -> Result<(), ReplayError> {
        self.replay.step(event)?;
        G::remember(&mut self.memory, &self.replay, event);
        Ok(())
    }

    /// The game by its rules.
    pub fn replay(&self) -> &Replay<G> {
        &self.replay
    }

    /// The rules.
    pub fn rules(&self) -> &G::Rules {
        self.replay.rules()
    }

    /// The game, once both sides have a legal deployment.
    pub fn game(&self) -> Option<&G> {
        self.replay.game()
    }
}
