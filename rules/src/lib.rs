//! The games the arena referees, as pure state machines.
//!
//! This crate does no I/O, reads no clock and does not depend on WebAssembly: a rule is a function of values, and randomness is
//! an argument. The host referees with this crate, and bots use it for its geometry and its fleets. [`Game`] is the trait
//! of a game; [`battleship`] and [`submarine`] are the built-in games,
//! and [`loaded`] is one type for all others.
//!
//! ```
//! use arena_rules::battleship::{Action, Battleship, FleetSpec, Ruleset, scatter};
//! use arena_rules::{Coord, Game, Ruling, Seat, random};
//!
//! let rules = Ruleset::guide();
//! let spec = FleetSpec::of(&rules);
//! let mut rng = random::seeded(7);
//! let fleets = [scatter(&spec, &mut rng).unwrap(), scatter(&spec, &mut rng).unwrap()];
//!
//! let mut game = Battleship::new(&rules, fleets, Seat::First);
//! let ruling = game.act(Seat::First, &Action::Shot(Coord::new(0, 0)));
//! assert!(matches!(ruling, Ruling::Done(_)));
//! assert_eq!(game.to_move(), Some(Seat::Second));
//! ```
#![warn(missing_docs)]

mod cell_set;
mod failure;
mod game;
mod games;
mod geometry;
mod score;
mod seat;

pub mod battleship;
pub mod loaded;
pub mod random;
pub mod submarine;

pub use cell_set::{CellSet, Cells, Ways};
pub use failure::Failure;
pub use game::{Data, Game, Listed, NoDeployment, Rules, RulesError, Ruling, SoloRecord, Unsuited};
pub use games::{GameKind, GameRules};
pub use geometry::{Coord, Coords, Direction, Placement, SIDE_MAX, Size};
pub use score::{SCORE_MAX, ScoreRange, Scores, can_have_scores, scores};
pub use seat::{Outcome, OwnReason, Reason, Seat, judge_deployments};
