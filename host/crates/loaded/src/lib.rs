//! A game whose code is loaded at run time.
//!
//! [`Loaded`] implements [`Game`](arena_rules::Game) for all of them: the referee, recordings and replays need to know no more. Its
//! [`Rules`] name the code and the values of the options. The code is a [`Code`], which makes a [`State`] for each game; observations,
//! actions and effects are text there. Nothing here knows in what the code runs.
//!
//! The code's author is trusted with nothing. What the code says is checked, and what it fails to do is a
//! [`Game::failure`](arena_rules::Game::failure): the game has no result, and no side is charged with it.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod code;
mod facts;
mod game;
mod rules;

pub use code::{Applied, Code, Failure, Penalty, State};
pub use facts::{Ending, Facts, FactsError, NAME_CHARS_MAX, Parameter};
pub use game::{Loaded, Observation};
pub use rules::Rules;
