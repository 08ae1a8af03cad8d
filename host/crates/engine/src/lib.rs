//! The engine of the arena: it admits untrusted bots to a sandbox, plays a season into a journal, and answers queries for standings
//! and games. It prints nothing, reads no arguments, and installs no signal handlers; a program may play several contests at once.
//!
//! ```no_run
//! use arena_engine::{Control, RunOptions, StoredSeason, components, play, start};
//! use std::path::Path;
//!
//! fn main() -> Result<(), arena_engine::Error> {
//!     // First of all: bots are compiled, and play, in confined processes, which are this program, started again.
//!     start();
//!     let options = RunOptions { journal: Some("season.db".into()), ..RunOptions::default() };
//!     play(options, &components(&["bots".into()])?, &Control::default(), &mut ())?;
//!     let (season, _) = StoredSeason::read(Path::new("season.db"))?;
//!     for row in season.ranking().rows() {
//!         println!("{} {} {}", row.place, row.bot, row.points);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! [`play`] does all of a run. An [`Observer`] is called for each game in the order of the schedule, and can end the run. A
//! [`Control`] cancels, pauses and resumes it from any thread; games in progress are finished and kept, and the same call continues
//! the journal.
//!
//! A journal is queried while it is written, too: [`StoredStandings`] has the standings, [`StoredSeason::games`] the games that a
//! [`GameFilter`] allows, and [`recording`] one game with its moves.
//!
//! [`play`] consists of steps, for programs that do something in between: [`PreparedRun::new`] reads the options and the journal,
//! [`Roster::admit`] admits the bots to a [`sandbox`], [`PreparedRun::plan`] and [`PlannedRun::open`] make a [`Run`], and [`Run::play`]
//! plays it. Games come from a [`Supplier`]: [`Local`] has the processes of this machine. A [`Watcher`] is called for each move of
//! a game.
//!
//! Everything random follows from the seed of the run: the same bots play the same games, for any number of games at the same time.
//! A fault of a bot is a part of a result; an [`Error`] is wrong input, which is a [`Mistake`], or a failure of the machine or of the
//! arena, and says what to do next.
//!
//! A whole program is in `examples/embed`.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod again;
pub mod archive;
pub mod builtin;
pub mod control;
pub mod error;
pub mod faults;
pub mod game_file;
pub mod games;
pub mod journal;
pub mod kept_bots;
pub mod kept_games;
pub mod labels;
pub mod logs;
pub mod open_season;
pub mod plan;
pub mod ranking;
pub mod recordings;
pub mod roster;
pub mod round;
pub mod rules_file;
pub mod run;
pub mod season;
pub mod seed;
pub mod seeding;
pub mod stored;
pub mod stored_standings;
pub mod tournament;

mod counted_games;
mod mistake;
mod sandboxes;

pub use arena_files::FileError;
pub use arena_league::{Fixture, Format, FormatError};
pub use arena_players::{LimitOptions, Played, TimeOptions, Watcher};
pub use arena_record::{Beacon, BotId, Disqualified, GameResult, Label, Recording, Seed};
pub use arena_referee::{FaultClass, HostError, Trouble};
pub use arena_rules::{Outcome, Reason, Seat};
pub use arena_sandbox::{CacheOptions, Sandbox, SandboxLimits};
pub use arena_store::{GameRange, JournalError, Trail, TrailEntry, TrailEvent};
#[doc(inline)]
pub use control::Control;
#[doc(inline)]
pub use error::Error;
#[doc(inline)]
pub use games::{FilteredGame, GameFilter, GameOrder};
#[doc(inline)]
pub use mistake::Mistake;
#[doc(inline)]
pub use open_season::OpenSeason;
#[doc(inline)]
pub use plan::{FormatKind, GameOptions, TournamentOptions};
#[doc(inline)]
pub use ranking::{Ranking, Rating, Row};
#[doc(inline)]
pub use recordings::recording;
#[doc(inline)]
pub use roster::{Roster, components};
#[doc(inline)]
pub use run::{Local, Observer, PlannedRun, PreparedRun, Run, RunOptions, Supplier, Watch, play};
pub use sandboxes::{sandbox, start, usual_cache};
#[doc(inline)]
pub use seed::SeedChoice;
#[doc(inline)]
pub use stored::StoredSeason;
#[doc(inline)]
pub use stored_standings::StoredStandings;
#[doc(inline)]
pub use tournament::{GameSummary, Results, Settings};
