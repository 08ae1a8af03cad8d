//! Screens in a terminal: games watched as they are played or replayed, a person against a bot, and a tournament's
//! dashboard.
//!
//! A screen is fed what the referee tells: the [`Event`](arena_referee::Event)s of a game. A recording holds the same
//! ones, so a game that is watched and one that is replayed are one screen. Each screen is a state, which a key changes
//! ([`GameScreen::key`]), and a picture of it ([`GameScreen::draw`]); neither knows the terminal. [`replay`], [`watch`],
//! [`play`] and [`dashboard`] put one on the process's terminal and give the terminal back, whatever happens.
//!
//! The host keeps two rules. Nothing else prints while a screen is on ([`is_on`]). And signals are the host's: it sets
//! [`Options::stop`] to end the screen, and calls [`restore`] before it ends the process from elsewhere.
//!
//! ```no_run
//! use arena_record::Transcript;
//! use arena_tui::{Options, TuiError, headless, replay};
//!
//! let file = std::io::BufReader::new(std::fs::File::open("game.jsonl")?);
//! let transcript = Transcript::read(file)?;
//! match replay(&transcript, [None, None], Options::of_environment()) {
//!     Err(TuiError::NotATerminal) => headless(&transcript)?.for_each(|block| println!("{block}\n")),
//!     ended => _ = ended?,
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]

mod dashboard;
mod feed;
mod game;
mod grid;
mod headless;
mod key;
mod moment;
mod options;
mod pen;
mod play;
mod run;
pub mod spot;
mod terminal;
pub mod text;
mod theme;
mod timeline;
mod words;

pub use dashboard::{DashboardScreen, Desk, FAULTS_KEPT_MAX, FaultNews, Model, Refused, Shared, Standing};
pub use feed::{Feed, Update, Updates, Watched, feed};
pub use game::{GameScreen, Pace};
pub use grid::Sight;
pub use headless::headless;
pub use key::{Effect, Ended, Key};
pub use moment::Misfit;
pub use options::{Options, Save, TuiError};
pub use play::{Person, PlayScreen};
pub use run::{dashboard, play, replay, watch};
pub use terminal::{is_on, restore};
pub use theme::{Theme, Tone};
pub use timeline::{Timeline, TimelineError};
