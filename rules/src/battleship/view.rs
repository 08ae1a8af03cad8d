//! What a player is told: the contract of `wit/battleship`, as Rust values.

use super::FleetSpec;
use crate::{Coord, Size};
use serde::{Deserialize, Serialize};

/// A cell of one's own board, as the opponent's shots have left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OwnCell {
    /// Water that has not been shot at.
    Water,
    /// A part of a ship that has not been hit.
    Ship,
    /// Water that was shot at.
    Missed,
    /// A part of a ship that was hit.
    Hit,
}

/// A cell of the opponent's board, as far as one's own shots have uncovered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// Not shot at yet.
    Unknown,
    /// Shot at: water.
    Miss,
    /// Shot at: a ship.
    Hit,
}

/// What stays the same all game, as one side is told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The size of both boards.
    pub size: Size,
    /// The lengths of each side's ships, longest first.
    pub fleet: Vec<u8>,
    /// Whether ships may lie side by side.
    pub may_touch: bool,
    /// Whether [`View::ships_remaining`] is given.
    pub sinkings_announced: bool,
    /// Turns each side may take before the game is a draw.
    pub turns_max: u32,
    /// Fuel for one turn, all its retries included; for a deployment as well.
    pub fuel_per_turn: u64,
    /// This side's own random seed for this game.
    pub seed: u64,
}

impl GameInfo {
    /// What a legal fleet of this game is.
    pub fn fleet_spec(&self) -> FleetSpec {
        FleetSpec { size: self.size, lengths: self.fleet.clone(), may_touch: self.may_touch }
    }
}

/// What a side may see at its turn. Boards are flat and row-major, with one entry for each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The number of this side's turn, from 1. A retry is the same turn.
    pub turn: u32,
    /// One's own board.
    pub board: Vec<OwnCell>,
    /// The opponent's board.
    pub attacks: Vec<Mark>,
    /// The opponent's last shot; none when it skipped its turn, or has had none.
    pub last_spot: Option<Coord>,
    /// One's own last shot; none when one skipped, or has had no turn.
    pub my_last: Option<Coord>,
    /// Whether the last answer in this very turn was not a valid spot.
    pub retry: bool,
    /// The lengths of the opponent's ships still afloat, longest first; none where the rules do not announce it.
    pub ships_remaining: Option<Vec<u8>>,
}
