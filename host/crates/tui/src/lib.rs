//! Screens in a terminal: games watched as they are played or replayed, a person against a bot, and a tournament's
//! dashboard.
//!
//! A screen is fed the [`Event`](arena_referee::Event)s of a game. A recording holds the same events, so a game that is
//! watched and one that is replayed have the same screen. A [`Screen`] is a state, which keys and time change, and a picture
//! of it; it does not know the terminal. [`replay`], [`watch`], [`play`] and [`dashboard`] put one on the process's terminal
//! and always give the terminal back. The parts that differ from game to game are behind one trait, [`OnScreen`].
//!
//! The host keeps two rules. Nothing else prints while a screen is on ([`is_on`]). And signals are the host's: it sets
//! [`Options::stop`] to end the screen, and calls [`restore`] before it ends the process from elsewhere.
//!
//! ```no_run
//! use arena_pictures::Timeline;
//! use arena_record::Transcript;
//! use arena_rules::battleship::Battleship;
//! use arena_tui::{Options, TuiError, headless, replay};
//!
//! let file = std::io::BufReader::new(std::fs::File::open("game.jsonl")?);
//! let transcript = Transcript::<Battleship>::read(file)?;
//! let timeline = Timeline::of(&transcript)?;
//! match replay(timeline.clone(), Options::of_environment()) {
//!     Err(TuiError::NotATerminal) => headless(timeline).for_each(|block| println!("{block}\n")),
//!     ended => _ = ended?,
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]

mod battleship;
mod big;
mod canvas;
mod dashboard;
mod game;
mod grid;
mod headless;
mod help;
mod loaded;
mod on_screen;
mod options;
mod pen;
mod play;
mod run;
mod screen;
mod sheet;
mod submarine;
mod table;
mod target;
mod terminal;
mod theme;
mod wall;

#[doc(no_inline)]
pub use arena_live::{Feed, Person, Update, Updates, Watched, feed};
#[doc(no_inline)]
pub use crossterm::event::{KeyCode, KeyEvent};
pub use dashboard::{
    DashboardScreen, DashboardState, FAULTS_KEPT_MAX, FaultGroup, FaultNotice, GameLine, Model, RefusedBot,
    Slot, StandingsLine, WorkersColumn, WorkersState, WorkersTable,
};
pub use game::{GameScreen, Playback, Score};
pub use headless::{headless, view};
pub use on_screen::OnScreen;
pub use options::{Find, Options, Save, TuiError};
pub use play::PlayScreen;
pub use run::{dashboard, play, play_both, replay, watch};
pub use screen::{Ended, Gesture, KeyEffect, Mouse, SCREEN_MIN, Screen, control};
pub use terminal::{is_on, restore, rows};
pub use theme::{Colours, Theme};
pub use wall::WallScreen;
