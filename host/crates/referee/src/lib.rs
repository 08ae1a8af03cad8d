//! The referee: plays one game between two players by the rules, and tells what happened as events.
//!
//! It knows the rules and the idea of a [`Player`], and no kind of player: a sandboxed component, a person and a client
//! over a socket are all the same to it. It prints nothing and reads no clock. A player's fault is scored; a failure of
//! ours stops the game without a result.
//!
//! ```
//! use arena_referee::{Event, GamePlan, NoReply, HostError, Player, Reply, play_game};
//! use arena_rules::{Coord, GameInfo, Mark, Outcome, Placement, Ruleset, Seat, View, random, scatter};
//!
//! /// Shoots at the first cell it has not shot at.
//! struct Sweeper;
//!
//! impl Player for Sweeper {
//!     fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
//!         let fleet = scatter(&game.fleet_spec(), &mut random::seeded(game.seed)).unwrap();
//!         Ok(Reply { answer: fleet.placements().to_vec(), fuel_used: 1 })
//!     }
//!     fn play(&mut self, game: &GameInfo, view: &View, _fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
//!         let cell = view.attacks.iter().position(|&mark| mark == Mark::Unknown).unwrap();
//!         Ok(Reply { answer: Some(game.size.coord(cell)), fuel_used: 1 })
//!     }
//!     fn restart(&mut self) -> Result<(), HostError> { Ok(()) }
//! }
//!
//! let plan = GamePlan {
//!     rules: &Ruleset::guide(),
//!     fuel_per_turn: 1_000,
//!     side_seeds: [1, 2],
//!     fleet_seed: 3,
//!     starter: Seat::First,
//!     score_wall_clock: false,
//! };
//! let mut events = Vec::new();
//! play_game(&plan, [&mut Sweeper, &mut Sweeper], &mut |event| events.push(event)).unwrap();
//! assert!(matches!(events.last(), Some(Event::End { outcome: Outcome::Win(_), .. })));
//! ```
#![warn(missing_docs)]

mod common;
mod event;
mod game;
mod player;
mod solo;
mod submarine;

pub use event::{Attempts, Event, Verdict};
pub use game::{ATTEMPTS_PER_TURN_MAX, GamePlan, OVERRUNS_BY_CLOCK_MAX, Stopped, play_game};
pub use player::{Fault, FaultClass, HostError, NoReply, Player, Reply};
pub use solo::{Solo, play_solo};
pub use submarine::{News, SubmarineInfo, SubmarinePlan, SubmarinePlayer, play_submarine};
