//! The information for players: the contract of `wit/battleship` as Rust values.

use super::FleetSpec;
use crate::{Coord, Size};
use bytemuck::{CheckedBitPattern, NoUninit};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A cell of a side's own board, with the effect of the opponent's shots.
///
/// Its number is the byte that stands for it in the contract: bit 0 is set if there is a ship, bit 1 if the cell was shot
/// at. So the numbers of [`Mark`] are the same for the same observation.
///
/// ```
/// use arena_rules::battleship::OwnCell;
///
/// assert_eq!(OwnCell::Hit as u8, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, NoUninit, CheckedBitPattern)]
#[repr(u8)]
pub enum OwnCell {
    /// Water that has not been shot at.
    Water = 0,
    /// A part of a ship that has not been hit.
    Ship = 1,
    /// Water that was shot at.
    Missed = 2,
    /// A part of a ship that was hit.
    Hit = 3,
}

/// A cell of the opponent's board, as far as a side's own shots have revealed it.
///
/// Its number is the byte that stands for it in the contract.
///
/// ```
/// use arena_rules::battleship::{Mark, OwnCell};
///
/// assert_eq!(Mark::Hit as u8, OwnCell::Hit as u8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, NoUninit, CheckedBitPattern)]
#[repr(u8)]
pub enum Mark {
    /// Not shot at yet.
    Unknown = 0,
    /// Shot at: water.
    Miss = 2,
    /// Shot at: a ship.
    Hit = 3,
}

/// The information that stays the same all game, for one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameInfo {
    /// The size of both boards.
    #[serde(flatten)]
    pub size: Size,
    /// The lengths of each side's ships, longest first.
    pub fleet: Vec<u8>,
    /// True if ships may lie side by side, or corner to corner.
    pub may_touch: bool,
    /// True if [`View::ships_remaining`] is given.
    pub sinkings_announced: bool,
    /// The number of turns of each side after which the game is a draw.
    pub turns_max: u32,
    /// The fuel for a turn with all its retries, and for the deployment.
    pub fuel_per_turn: u64,
    /// This side's own random seed for this game.
    pub seed: u64,
}

impl GameInfo {
    /// The specification of a legal fleet of this game.
    pub fn fleet_spec(&self) -> FleetSpec {
        FleetSpec { size: self.size, lengths: self.fleet.clone(), may_touch: self.may_touch }
    }
}

/// The view of a side at its turn. Boards are flat and row-major, with one entry for each cell; for serde, an entry is its byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct View {
    /// The number of this side's turn, from 1. A retry is the same turn.
    pub turn: u32,
    /// The side's own board.
    #[serde(serialize_with = "as_bytes", deserialize_with = "of_bytes")]
    pub board: Vec<OwnCell>,
    /// The opponent's board.
    #[serde(serialize_with = "as_bytes", deserialize_with = "of_bytes")]
    pub attacks: Vec<Mark>,
    /// The opponent's last shot; `None` when it skipped its last turn or has not had a turn.
    pub last_spot: Option<Coord>,
    /// This side's own last shot; `None` when it skipped its last turn or has not had a turn.
    pub my_last: Option<Coord>,
    /// True if the last answer in this same turn was not a valid spot.
    pub retry: bool,
    /// The lengths of the opponent's ships still afloat, longest first; `None` when the rules do not announce sinkings.
    pub ships_remaining: Option<Vec<u8>>,
}

/// A board as the bytes of the contract.
fn as_bytes<T: NoUninit, S: Serializer>(cells: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bytemuck::cast_slice::<T, u8>(cells))
}

/// A board of the bytes of the contract.
fn of_bytes<'de, T: CheckedBitPattern, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let bytes = Vec::<u8>::deserialize(deserializer)?;
    let cell = |byte: &u8| bytemuck::checked::try_pod_read_unaligned(&[*byte]);
    bytes
        .iter()
        .map(cell)
        .collect::<Result<_, _>>()
        .map_err(|error| Error::custom(format!("no cell: {error}")))
}

impl View {
    /// The view at the first turn on a board of this size. The side's own fleet is not on its board.
    pub fn first(size: Size, ships_remaining: Option<Vec<u8>>) -> Self {
        Self {
            turn: 1,
            board: vec![OwnCell::Water; size.cells()],
            attacks: vec![Mark::Unknown; size.cells()],
            last_spot: None,
            my_last: None,
            retry: false,
            ships_remaining,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_read_as_it_was_written_and_a_byte_that_stands_for_no_cell_is_refused() {
        let mut view = View::first(Size::new(2, 2), Some(vec![2]));
        view.board = vec![OwnCell::Water, OwnCell::Ship, OwnCell::Missed, OwnCell::Hit];
        view.attacks[1..].copy_from_slice(&[Mark::Miss, Mark::Hit, Mark::Unknown]);
        view.my_last = Some(Coord::new(1, 0));
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<View>(&text).unwrap(), view);
        for (cells, byte) in [("\"board\":[0,1,2,3]", 4), ("\"attacks\":[0,2,3,0]", 1)] {
            let (key, _) = cells.split_once('[').unwrap();
            assert!(text.contains(cells), "{text}");
            let other = text.replace(cells, &format!("{key}[{byte},0,0,0]"));
            let error = serde_json::from_str::<View>(&other).unwrap_err().to_string();
            assert!(error.contains("no cell"), "{error}");
        }
    }
}
