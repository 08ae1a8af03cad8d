//! The referee: plays one game between two players by the rules, and reports what happens as events.
//!
//! It knows the traits [`Game`](arena_rules::Game) and [`Player`], but no game and no kind of player: it treats a
//! sandboxed component, a person and a client over a socket alike. It prints nothing and reads no clock. A player's fault
//! is scored; a failure of the arena stops the game without a result.
//!
//! ```
//! use arena_referee::{Event, GamePlan, NoReply, Player, Reply, play_game};
//! use arena_rules::battleship::{Action, Battleship, GameInfo, Mark, Ruleset, View, scatter};
//! use arena_rules::{Outcome, Placement, Seat, random};
//!
//! /// Shoots at the first cell it has not shot at.
//! struct Sweeper;
//!
//! impl Player<Battleship> for Sweeper {
//!     fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
//!         let fleet = scatter(&game.fleet_spec(), &mut random::seeded(game.seed)).unwrap();
//!         Ok(Reply { answer: fleet.placements().to_vec(), fuel_used: 1 })
//!     }
//!     fn play(&mut self, game: &GameInfo, view: &View, _fuel: u64) -> Result<Reply<Action>, NoReply> {
//!         let cell = view.attacks.iter().position(|&mark| mark == Mark::Unknown).unwrap();
//!         Ok(Reply { answer: Action::Shot(game.size.coord(cell)), fuel_used: 1 })
//!     }
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
//! assert!(matches!(events.last(), Some(Event::Ended { outcome: Outcome::Win(_), .. })));
//! ```
#![warn(missing_docs)]

mod event;
mod game;
mod host_error;
mod log_moment;
mod player;
mod random_player;
mod solo;

pub use event::{Attempts, Event, Verdict};
pub use game::{
    ATTEMPTS_PER_TURN_MAX, Deployed, End, FUEL_PER_TEXT_BYTE, GamePlan, OVERRUNS_BY_CLOCK_MAX, PlayedTurn,
    PlayedTurnEnd, Stopped, play_game, play_game_of_equals, take_deployment, take_turn,
};
pub use host_error::{HostError, Trouble};
pub use log_moment::LogMoment;
pub use player::{Detail, Fault, FaultClass, Frame, GameNotice, NoReply, Player, Reply};
pub use random_player::RandomPlayer;
pub use solo::{Solo, play_solo};
