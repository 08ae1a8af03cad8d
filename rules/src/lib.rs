//! The games the arena referees, as pure state machines.
//!
//! Nothing here does I/O, reads a clock or knows WebAssembly: a rule is a function of values, and randomness is an
//! argument. The host referees with this crate, and bots use it for its geometry and its fleets.
//!
//! ```
//! use arena_rules::{Answer, Battle, Coord, FleetSpec, Ruleset, Seat, random, scatter};
//!
//! let rules = Ruleset::guide();
//! let spec = FleetSpec::of(&rules);
//! let mut rng = random::seeded(7);
//! let fleets = [scatter(&spec, &mut rng).unwrap(), scatter(&spec, &mut rng).unwrap()];
//!
//! let mut battle = Battle::new(&rules, fleets, Seat::First);
//! let effect = battle.answer(Seat::First, Answer::Shot(Coord::new(0, 0)));
//! assert!(effect.ends_turn());
//! assert_eq!(battle.to_move(), Some(Seat::Second));
//! ```
#![warn(missing_docs)]

mod battle;
mod fleet;
mod game_rules;
mod geometry;
mod ruleset;
mod view;
mod waters;

pub mod random;
pub mod shot_board;
pub mod submarine;

pub use battle::{
    Answer, Battle, Effect, Invalid, Outcome, Reason, Seat, ShotResult, check_deployment, judge_deployments,
};
pub use fleet::{Fleet, FleetError, FleetSpec, Placeable, Ship, scatter, uniform};
pub use game_rules::{GameKind, GameRules};
pub use geometry::{Coord, Direction, Placement, SIDE_MAX, Size};
pub use ruleset::{OnInvalid, OnOverrun, OnSkip, Placing, Rounds, Ruleset, RulesetError, SHIPS_MAX, Starts};
pub use view::{GameInfo, Mark, OwnCell, View};
