//! The Battleship family: ships that lie still, under rules with many switches.

mod draws;
mod fleet;
mod free_cells;
mod ruleset;
mod state;
mod view;

pub mod inference;
pub mod shot_board;

pub use draws::{scatter, uniform};
pub use fleet::{Fleet, FleetError, FleetSpec, Placeable, Ship};
pub use ruleset::{OnInvalid, OnOverrun, OnSkip, Placing, Rounds, Ruleset, RulesetError, SHIPS_MAX, Starts};
pub use state::{
    Action, BOTH_FLEETS_SUNK, BOTH_SKIPPED, Battleship, Effect, FLEET_SUNK, Invalid, ShotResult,
};
pub use view::{GameInfo, Mark, OwnCell, View};
