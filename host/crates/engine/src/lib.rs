//! The engine of the arena: it admits untrusted bots to a sandbox, plays a season into a journal, and answers queries for standings
//! and games. It prints nothing, reads no arguments, and installs no signal handlers; a program may play several contests at once.
//!
//! ```standalone_crate
//! use arena_engine::{Control, RunOptions, Seed, SeedChoice, StoredSeason, TournamentOptions, play, start};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // First of all: bots are compiled, and play, in confined processes, which are this program, started again.
//!     start();
//!     let folder = tempfile::tempdir()?;
//!     let journal = folder.path().join("season.db");
//!     let options = RunOptions {
//!         journal: Some(journal.clone()),
//!         tournament: TournamentOptions { games_per_match: Some(4), ..TournamentOptions::default() },
//!         // Leave it out for a fresh seed.
//!         seed: Some(SeedChoice::Given(Seed::from(7))),
//!         ..RunOptions::default()
//!     };
//!     // These are inside the engine. For files and folders, `components` lists the paths.
//!     let bots = ["builtin:random".into(), "builtin:hunter".into()];
//!     play(options, &bots, &Control::default(), &mut ())?;
//!
//!     let (season, _) = StoredSeason::read(&journal)?;
//!     let ranking = season.ranking();
//!     for row in ranking.rows() {
//!         println!("{} {} {}", row.place, row.bot, row.points);
//!     }
//!     assert_eq!(ranking.label(ranking.order()[0]).to_string(), "builtin:hunter");
//!     Ok(())
//! }
//! ```
//!
//! [`play`] does all of a run. An [`Observer`] is called for each game in the order of the schedule, and can end the run. A
//! [`Control`] cancels, pauses and resumes it from any thread; games in progress are finished and kept, and the same call continues
//! the journal.
//!
//! ```standalone_crate
//! use arena_engine::{Control, GameSummary, Observer, Played, Results, RunOptions, play, start};
//! use std::ops::ControlFlow;
//!
//! /// Ends the run after three games.
//! struct Three;
//!
//! impl Observer for Three {
//!     fn game(&mut self, game: &GameSummary, _: Option<&Played>, _: &Results) -> ControlFlow<()> {
//!         if game.number < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//!     }
//! }
//!
//! fn main() -> Result<(), arena_engine::Error> {
//!     start();
//!     let bots = ["builtin:random".into(), "builtin:hunter".into()];
//!     let run = play(RunOptions::default(), &bots, &Control::default(), &mut Three)?;
//!     assert!(!run.is_over());
//!     Ok(())
//! }
//! ```
//!
//! A journal is queried while it is written, too: [`StoredStandings`] has the standings, [`StoredSeason::games`] the games that a
//! [`GameFilter`] allows, and [`recording`] one game with its moves.
//!
//! [`play_with`] does the same with games from another [`Supplier`], such as the workers of `arena-cluster`; [`Local`] has the processes
//! of this machine. Both consist of steps, for programs that do something in between: [`PreparedRun::new`] reads the options and the
//! journal, [`Roster::admit`] admits the bots to a [`sandbox`], [`PreparedRun::plan`] and [`PlannedRun::open`] make a [`Run`], and
//! [`Run::play`] plays it. A [`Watcher`] is called for each move of a game.
//!
//! Everything random follows from the seed of the run: the same bots play the same games, for any number of games at the same time.
//! A fault of a bot is a part of a result; an [`Error`] is wrong input, which is a [`Mistake`], or a failure of the machine or of the
//! arena, and says what to do next.
//!
//! ```
//! use arena_engine::{Error, GameOptions, Mistake, PreparedRun, RunOptions};
//!
//! let game = GameOptions { rules: Some("chess".into()), ..GameOptions::default() };
//! let Err(Error::Mistake(mistake)) = PreparedRun::new(RunOptions { game, ..RunOptions::default() }) else {
//!     panic!("there are no such rules");
//! };
//! assert!(matches!(mistake, Mistake::NoSuchRules { known, .. } if known.contains(&"guide".to_owned())));
//! ```
//!
//! A whole program is in `examples/embed`. What only the crates of this workspace share is in [`internals`].
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod again;
mod archive;
mod builtin;
mod control;
mod counted_games;
mod error;
mod faults;
mod game_file;
mod games;
pub mod internals;
mod journal;
mod kept_bots;
mod kept_games;
mod labels;
mod logs;
mod mistake;
mod open_season;
mod plan;
mod play;
mod ranking;
mod recordings;
mod roster;
mod round;
mod rules_file;
mod run;
mod sandboxes;
mod season;
mod seed;
mod seeding;
mod stored;
mod stored_standings;
mod tournament;
#[cfg(test)]
mod whole_season;

pub use arena_files::FileError;
pub use arena_league::FormatError;
pub use arena_players::{LimitOptions, Played, TimeOptions, Watcher};
pub use arena_record::{BotId, GameResult, Label, Recording, Seed};
pub use arena_referee::HostError;
pub use arena_rules::{Outcome, Seat};
pub use arena_sandbox::{CacheOptions, Sandbox, SandboxLimits};
pub use arena_store::JournalError;
pub use control::Control;
pub use error::Error;
pub use game_file::GameChoice;
pub use games::{FilteredGame, GameFilter, GameOrder};
pub use mistake::Mistake;
pub use plan::{FormatKind, GameOptions, TournamentOptions};
pub use play::{play, play_with};
pub use ranking::{Ranking, Rating, Row};
pub use recordings::recording;
pub use roster::{FailedFile, RefusedFile, Roster, components};
pub use round::RoundQueue;
pub use run::{Local, Observer, PlannedRun, PreparedRun, Run, RunOptions, Supplier};
pub use sandboxes::{sandbox, start, usual_cache};
pub use seed::SeedChoice;
pub use stored::{GamePlace, JournalContent, StoredSeason, close_season};
pub use stored_standings::StoredStandings;
pub use tournament::{Asked, GameSummary, Results, Settings, Source};
