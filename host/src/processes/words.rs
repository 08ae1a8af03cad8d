//! The words that the arena and a process that plays exchange.
//!
//! The arena sends frames: a length of four bytes, little-endian, and that many bytes. The first one is a [`Session`] in JSON,
//! each other one an [`Order`] in postcard. The process answers an order with what its players answer, one [`Told`] in postcard
//! after the other: nothing that follows from the rules, so there is nothing else that it could lie about.

use arena_referee::{Detail, Fault, FaultClass, Frame};
use arena_rules::{Game, GameRules, Seat};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest frame for a process, in bytes. Chosen: rules are a few kilobytes.
pub const FRAME_BYTES_MAX: usize = 1 << 20;

/// The longest word of a process, in bytes. Chosen: two full logs, with room for their marks.
pub const WORD_BYTES_MAX: usize = 1 << 20;

/// The number of functions on a stack. Chosen: more than the sandbox keeps.
const STACK_FRAMES_MAX: usize = 64;

/// Everything that the games of a process have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The rules. They have been validated.
    pub rules: GameRules,
    /// The fuel of a turn.
    pub fuel_per_turn: u64,
    /// The wall-clock time of a turn.
    pub turn: Duration,
    /// The wall-clock time of a game.
    pub game: Duration,
    /// True if somebody watches.
    pub is_live: bool,
}

/// A game to be played: everything that it depends on beside the session. It does not have the seed that others follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The bots, by seat: their places among those that were loaded.
    pub seats: [u32; 2],
    /// The random seed of each seat.
    pub side_seeds: [u64; 2],
    /// The random seed for fleets that the engine places.
    pub fleet_seed: u64,
    /// The seat that moves first.
    pub starter: Seat,
}

impl Order {
    /// The order as it is sent.
    pub fn to_bytes(self) -> Vec<u8> {
        postcard::to_allocvec(&self).expect("an order is plain data")
    }

    /// The order in these bytes.
    ///
    /// # Errors
    /// They are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

/// What a process tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Told<G: Game> {
    /// The side that was asked for a deployment answers.
    Deployment {
        /// The deployment.
        answer: G::Deployment,
        /// The fuel of the call.
        fuel: u64,
    },
    /// The side that was asked for an action answers.
    Action {
        /// The action.
        answer: G::Action,
        /// The fuel of the call.
        fuel: u64,
    },
    /// The side that was asked faulted.
    Fault(Faulted),
    /// The process failed, and the game has no result.
    Failed(Detail),
    /// The game is over.
    Over {
        /// The text that the bots printed, by seat.
        logs: [String; 2],
    },
}

/// A fault: [`Fault`] leaves out what is empty, which these words cannot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faulted {
    class: FaultClass,
    detail: Detail,
    stack: Vec<Frame>,
}

impl From<Fault> for Faulted {
    fn from(Fault { class, detail, stack }: Fault) -> Self {
        Self { class, detail, stack }
    }
}

impl Faulted {
    /// The fault, if it is one that a component can have.
    pub fn of_component(self) -> Option<Fault> {
        use FaultClass::{
            BadDeploy, BadResult, Disconnected, IllegalAction, InitError, OutOfFuel, OutOfMemory, Resigned,
            StackOverflow, Trap, WallClock,
        };
        let is_possible = match self.class {
            OutOfFuel | WallClock | Trap | StackOverflow | OutOfMemory | BadResult | InitError => true,
            BadDeploy | IllegalAction | Disconnected | Resigned => false,
        };
        (is_possible && self.stack.len() <= STACK_FRAMES_MAX)
            .then(|| Fault::new(self.class, self.detail).with_stack(self.stack))
    }
}

/// A frame with this content.
pub fn frame(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("frames are short");
    [&length.to_le_bytes(), content].concat()
}
